"""Length of texts in tokens, and in units that need no training, by group of texts.

``{"algorithm", "n_vocab", "special_tokens", "groups": [{"group", "texts", "characters", "bytes",
"words", "distinct_characters", "distinct_words", "encoded", "tokens", "unknown", "lossy"}]}``. The
groups are all texts, English prose, source code, all languages, and the languages of each script;
the texts are those of the measures ``prose`` and ``code``, and names of CLDR in each language
(:mod:`tokharness.unicode.languages`). A word is a run of characters other than white space, with
the white space before it. ``distinct_characters`` and ``distinct_words`` are the sizes of the
vocabularies that have all characters, or all words, of the texts.

``encoded`` has the number of ``texts`` on which the target did not raise, and of their
``characters``, ``bytes`` and ``words``; ``tokens`` counts their tokens, ``unknown`` those that
stand for text without a token, and ``lossy`` the texts that do not round-trip. ``special_tokens``
is the number of special tokens that the target declares; ``algorithm`` and ``n_vocab`` are null if
they are not known.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import regex

from tokharness.diagnosis.probes.calls import decode_all, encode_all
from tokharness.diagnosis.probes.running_text import page, snippets
from tokharness.outcome import Raised
from tokharness.unicode.languages import parallel_texts
from tokharness.unicode.properties import main_script, script_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.targets.subject import Subject

__all__ = ["ALL_LANGUAGES", "ALL_TEXTS", "PROSE", "SOURCE_CODE", "groups", "measure"]

ALL_TEXTS, PROSE, SOURCE_CODE = "all texts", "English prose", "source code"
ALL_LANGUAGES = "all languages"

WORD = regex.compile(r"\s*\S+|\s+")


@cache
def groups() -> Mapping[str, tuple[str, ...]]:
    """Return the texts of each group; scripts of most languages come first."""
    languages = tuple(text for text, _ in parallel_texts().values())
    scripts: dict[str, list[str]] = {}
    for text in languages:
        scripts.setdefault(script_name(main_script(text)), []).append(text)
    by_size = sorted(scripts.items(), key=lambda item: (-len(item[1]), item[0]))
    code = tuple(snippets().values())
    return {
        ALL_TEXTS: (page(), *code, *languages),
        PROSE: (page(),),
        SOURCE_CODE: code,
        ALL_LANGUAGES: languages,
        **{script.replace("_", " "): tuple(texts) for script, texts in by_size},
    }


def measure(subject: Subject) -> dict[str, Any]:
    """Count the tokens of each group, and its characters, bytes and words."""
    texts = groups()[ALL_TEXTS]
    costs = dict(zip(texts, _costs(texts, subject), strict=True))
    return {
        "algorithm": subject.target.algorithm,
        "n_vocab": subject.target.n_vocab,
        "special_tokens": len(subject.target.special_tokens),
        "groups": [
            {"group": name, **_units(group), **_distinct(group), **_sum(group, costs)}
            for name, group in groups().items()
        ],
    }


@cache
def _units(texts: tuple[str, ...]) -> dict[str, int]:
    return {
        "texts": len(texts),
        "characters": sum(map(len, texts)),
        "bytes": sum(len(text.encode()) for text in texts),
        "words": sum(len(WORD.findall(text)) for text in texts),
    }


@cache
def _distinct(texts: tuple[str, ...]) -> dict[str, int]:
    return {
        "distinct_characters": len(set("".join(texts))),
        "distinct_words": len({word for text in texts for word in WORD.findall(text)}),
    }


def _costs(texts: Sequence[str], subject: Subject) -> Iterator[tuple[int, int, bool] | None]:
    """Yield tokens, unknown tokens and whether it is lossy, for each text; None if it raised."""
    rows, unknown = encode_all(texts, subject), subject.target.unknown_id
    encoded = [ids for ids in rows if not isinstance(ids, Raised)]
    decoded = iter(decode_all(encoded, subject))
    for text, ids in zip(texts, rows, strict=True):
        if isinstance(ids, Raised):
            yield None
        else:
            lost = 0 if unknown is None else sum(number == unknown for number in ids)
            yield len(ids), lost, next(decoded) != text


def _sum(texts: Sequence[str], costs: Mapping[str, tuple[int, int, bool] | None]) -> dict[str, Any]:
    found = {text: cost for text in texts if (cost := costs[text]) is not None}
    return {
        "encoded": _units(tuple(found)),
        "tokens": sum(tokens for tokens, _, _ in found.values()),
        "unknown": sum(unknown for _, unknown, _ in found.values()),
        "lossy": sum(lossy for _, _, lossy in found.values()),
    }
