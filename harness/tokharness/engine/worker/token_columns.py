"""Columns of data about each token, and encodings and costs of single texts for a report."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.checks import unreachable_token
from tokharness.diagnosis.costs.language_bands import lost_characters
from tokharness.diagnosis.costs.lost_text import what_is_lost
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.ids.token_texts import FIRST_WORD
from tokharness.diagnosis.probes.calls import decode_all, encode_all, reportable_ids, was_skipped
from tokharness.diagnosis.reachability import ALONE, reach_of_tokens
from tokharness.diagnosis.reachability.tokens import own_texts
from tokharness.diagnosis.token_content.texts import written_texts
from tokharness.diagnosis.vocabulary.byte_table import byte_table
from tokharness.engine.worker.findings import failures
from tokharness.errors import TargetDeath
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokharness.diagnosis.reachability import Reach
    from tokharness.model import Failure, Target
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

    Column: TypeAlias = Mapping[int, Any]

# Number of tokens that a target needs for a text.


def text_cost(text: str, subject: Subject) -> dict[str, Any]:
    """Return ``characters``, ``bytes`` and ``tokens`` of a text, and what it loses (``lost``).

    ``tokens`` is None if the target raised. ``lossless`` is whether the text round-trips; ``lost``
    has kinds of :mod:`tokharness.diagnosis.costs.lost_text`.
    """
    cost, decoded = _cost_and_decoded(text, subject)
    return {**cost, "lost": what_is_lost(text, decoded) if isinstance(decoded, str) else []}


def lossy_cost(text: str, subject: Subject) -> dict[str, Any]:
    """Return the cost of a text, with ``lost_characters`` of it that the decoded text lacks.

    Case, white space, compatible forms and the order of characters do not count.
    """
    cost, decoded = _cost_and_decoded(text, subject)
    back = decoded if isinstance(decoded, str) else ""
    lost = 0 if cost["lossless"] else lost_characters(text, back)
    return {**cost, "lost_characters": lost}


def _cost_and_decoded(text: str, subject: Subject) -> tuple[dict[str, Any], Any]:
    (ids,) = encode_all([text], subject)
    raised = isinstance(ids, Raised)
    decoded = None if raised else decode_all([ids], subject)[0]
    cost = {
        "characters": len(text),
        "bytes": len(text.encode()),
        "tokens": None if raised else len(ids),
        "lossless": decoded == text,
    }
    return cost, decoded


def count_single_token_words(words: Sequence[str], subject: Subject) -> int:
    """Count the words that are a single token after another word and a space.

    SentencePiece adds a space at the start of a text to the space before the word. The unknown
    token is not counted.
    """
    rows = encode_all([FIRST_WORD, *(f"{FIRST_WORD} {word}" for word in words)], subject)
    first, *others = ([] if isinstance(ids, Raised) else _own(ids, subject) for ids in rows)
    unknown = subject.target.unknown_id
    return sum(ids[:-1] == first != [] and ids[-1] != unknown for ids in others)


def _own(ids: Sequence[Any], subject: Subject) -> list[Any]:
    return without_affixes(list(ids), subject)


# Encodings of single texts, as a report shows them.

Encoding = dict[str, Any]

NOT_RUN = "not run: close to a text that crashes the process"


def encodings(texts: Sequence[str], subject: Subject) -> list[Encoding]:
    """Return the ids of each text, their bytes and the decoded text.

    Keys: ``text``; ``ids``; ``bytes``, hex for each id, or null if they are unknown;
    ``decoded_if_different``, the decoded text, or null if it is equal to ``text``; ``error``, the
    name of the exception or how the process ended, else null. If encoding fails ``ids`` is null,
    if decoding fails ``decoded_if_different`` is.
    """
    rows = encode_all(texts, subject)
    decoded = iter(decode_all([row for row in rows if not isinstance(row, Raised)], subject))
    return [
        _raised(text, row) if isinstance(row, Raised) else _encoding(text, row, decoded, subject)
        for text, row in zip(texts, rows, strict=True)
    ]


def _bytes(text: str, ids: list[Any], subject: Subject) -> list[bytes] | None:
    """Return the bytes of each token, or else its decoded text, if these texts join to the text."""
    token_bytes = subject.token_bytes(ids)
    if token_bytes is not None:
        return token_bytes
    known: dict[Any, Any] = subject.cache.get_or_compute("text of each id", dict)
    new = [number for number in dict.fromkeys(ids) if number not in known]
    known.update(zip(new, decode_all([[number] for number in new], subject), strict=True))
    pieces = [known[number] for number in ids]
    if any(isinstance(piece, Raised) for piece in pieces) or "".join(pieces) != text:
        return None
    return [piece.encode("utf-8", "surrogatepass") for piece in pieces]


def _raised(text: str, raised: Raised) -> Encoding:
    return {
        "text": text,
        "ids": None,
        "bytes": None,
        "decoded_if_different": None,
        "error": _error(raised),
    }


def _error(raised: Raised) -> str:
    if was_skipped(raised):
        return NOT_RUN
    error = raised.error
    return error.reason if isinstance(error, TargetDeath) else type(error).__name__


def _encoding(text: str, ids: list[Any], decoded: Any, subject: Subject) -> Encoding:
    back, data = next(decoded), _bytes(text, ids, subject)
    failed = isinstance(back, Raised)
    return {
        "text": text,
        "ids": reportable_ids(ids),
        "bytes": None if data is None else [token.hex() for token in data],
        "decoded_if_different": None if failed or back == text else back,
        "error": _error(back) if failed else None,
    }


def plain_columns(subject: Subject, *, inside: bool = False) -> Mapping[str, Column]:
    """Return the bytes, the text and the kind of each token; the kind ``ordinary`` is left out.

    With ``inside``, tokens without bytes of their own have those inside a text.
    """
    name = "rows of bytes inside" if inside else "rows of tokens"
    return subject.cache.get_or_compute(name, lambda: _plain_columns(subject, inside=inside))


def _plain_columns(subject: Subject, *, inside: bool) -> dict[str, Column]:
    target = subject.target
    named = {number: text for text, number in target.added_tokens.items()}
    special = {number: text for text, number in target.special_tokens.items()}
    kinds = {**dict.fromkeys(named, "added"), **dict.fromkeys(special, "special")}
    named |= special
    numbers = [number for number in range(target.n_vocab or 0) if number not in named]
    tokens, deaths = _bytes_of_tokens(numbers, target)
    if inside and not tokens:
        tokens = {n: data for n, data in byte_table(subject).items() if n not in named}
    texts = {} if tokens or deaths else _texts_of_tokens(numbers, subject)
    shown = tokens.keys() | texts.keys() | deaths.keys()
    holes = dict.fromkeys((n for n in numbers if n not in shown), "hole")
    return {
        "bytes": {number: data.hex() for number, data in tokens.items()},
        "text": {**texts, **named},
        "kind": {**holes, **kinds},
        "reason": deaths,
    }


def _texts_of_tokens(numbers: Sequence[int], subject: Subject) -> dict[int, str]:
    """Return the texts as the vocabulary writes them, or else the decoded text of each id."""
    if subject.target.can("token_text"):
        return written_texts(numbers, subject.target)
    own: Mapping[int, str | bytes] = _or_nothing(partial(own_texts, subject), {})
    return {n: text for n in numbers if isinstance(text := own.get(n), str) and text}


def _bytes_of_tokens(
    numbers: Sequence[int], target: Target
) -> tuple[dict[int, bytes], dict[int, str]]:
    """Return the bytes of each id, and the ids for which the process ended, with the reason."""
    if not target.can("decode_single_token_bytes"):
        return {}, {}
    rows = dict(zip(numbers, target.call_each("decode_single_token_bytes", numbers), strict=True))
    deaths = {
        number: f"the process ended with {data.error}"
        for number, data in rows.items()
        if isinstance(data, Raised) and isinstance(data.error, TargetDeath)
    }
    return {
        number: data for number, data in rows.items() if isinstance(data, bytes) and data
    }, deaths


def audited_columns(checks: Sequence[Check], subject: Subject) -> Mapping[str, Column]:
    """Return the checks' results for each token: its reach, its classes, and numbers."""
    return subject.cache.get_or_compute(
        "audited rows of tokens", lambda: _audited_columns(checks, subject)
    )


def _audited_columns(checks: Sequence[Check], subject: Subject) -> dict[str, Column]:
    audited: dict[str, list[Failure]] = {
        check.code: _or_nothing(partial(failures, check, subject), []) for check in checks
    }
    reach: Mapping[int, Reach] = {}
    if unreachable_token.CODE in audited:
        reach = _or_nothing(partial(reach_of_tokens, subject), {})
    shows_own_text = subject.target.can("decode_single_token_bytes")
    columns: dict[str, dict[int, Any]] = {
        "classes": _classes(audited),
        "state": {number: one.state for number, one in reach.items()},
        "witness": {
            number: one.witness
            for number, one in reach.items()
            if one.witness and not (shows_own_text and one.state == ALONE)
        },
        "reason": {number: one.reason for number, one in reach.items() if one.reason},
    }
    for failure in chain.from_iterable(audited.values()):
        for name, values in failure.columns.items():
            columns[name] = {**values, **columns.get(name, {})}  # of the first failure that has it
    return dict(columns)


def _classes(audited: Mapping[str, Sequence[Failure]]) -> dict[int, list[str]]:
    """Return the code of each check that reports a token, with the name of the class."""
    classes: dict[int, list[str]] = {}
    for code, found in audited.items():
        for failure in found:
            for name, numbers in failure.tokens.items():
                label = f"{code} {name or failure.cause.kind}"
                for number in numbers:
                    if label not in (known := classes.setdefault(number, [])):
                        known.append(label)
    return classes


def _or_nothing(compute: Callable[[], Any], nothing: Any) -> Any:
    """Return what a function computes; nothing if the target dies, which an audit reports."""
    try:
        return compute()
    except TargetDeath:
        return nothing
