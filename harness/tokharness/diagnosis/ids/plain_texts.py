"""Texts that refute an alteration which explains another text by accident.

They are plain ones, in which most alterations of a stage show, and those of the tokens of the
vocabulary, in which others show: two classes of characters meet in few of its tokens.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tokharness.diagnosis.ids.alterable import alterable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tokharness.diagnosis.ids.alterable import Key
    from tokharness.model import Target
    from tokharness.targets.subject import Subject

PLAIN_TEXTS: Final = (
    *(" a b ", "a ", " A", "\tb\n", "  a  b", "It's", "IT'S", "a1 22", "12345", "a, b!!"),
    *("caf\u00e9", "e\u0301", "\uff21", "\u00c5ngstr\u00f6m", "\u4f60\u597d", "a\u200bb", "the"),
    *("\x1ca", "a\x1c\x1cb\x1c"),  # white space in Python only
    # Where many classes of characters meet, to refute what is said of too wide ones.
    *("a \n b\t\tc\n\td", "Ab1\u0663\u00bd\u4e2d_!'$-x 2", "1a \u4e2dB_c'd", "\u0967000"),
)

MOST_NAMES: Final = 8
"""Added tokens in whose texts alterations are tried."""

TOKENS, LONGEST_TOKENS, MOST_TOKENS = 40, 24, 30_000
"""Texts of tokens that are neighbours: an even sample and the longest, of so many tokens."""

Alterations: TypeAlias = "Callable[[str, Target], dict[Key, Any]]"


def support(alterations: Alterations, subject: Subject, texts: Iterable[str]) -> Counter[Key]:
    """Return of how many more texts that it changes each alteration explains than not.

    ``alterations`` returns the ids of a text with each of them.
    """
    explained: Counter[Key] = Counter()
    model = alterable(subject)
    for text in texts:
        ids, wanted = subject.encode(text), subject.reference_ids(text)
        if model is None or ids is None:
            continue
        for key, altered in alterations(text, model).items():
            if altered != wanted:
                explained[key] += 1 if altered == ids else -1
    return explained


def texts_of_added_tokens(subject: Subject) -> Iterator[str]:
    """Yield texts in which an alteration of all added tokens changes more than one of one token."""
    model = alterable(subject)
    names = {} if model is None else {**model.added_tokens, **model.special_tokens}
    for name in islice(names, MOST_NAMES):
        yield from (f"a{name}b", f" a {name} b")


def texts_of_tokens(subject: Subject) -> list[str]:
    """Return texts of tokens: in them, a limit or a missing token shows."""
    return subject.cache.get_or_compute("texts that refute", lambda: _texts_of_tokens(subject))


def _texts_of_tokens(subject: Subject) -> list[str]:
    reference = subject.reference
    if reference is None or not reference.n_vocab:
        return []
    numbers = range(0, reference.n_vocab, -(-reference.n_vocab // MOST_TOKENS))
    decoded = reference.call_each("decode", [[number] for number in numbers])
    texts = [text for text in decoded if isinstance(text, str) and text]
    longest = sorted(texts, key=len, reverse=True)[:LONGEST_TOKENS]
    return list(dict.fromkeys((*longest, *texts[:: -(-len(texts) // TOKENS) or 1])))
