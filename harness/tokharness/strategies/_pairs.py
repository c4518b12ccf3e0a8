"""Strategies of pairs: a hostile text and its twin, or two spellings of one text."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tokharness.strategies._families import deferred, facts_of, families_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hypothesis.strategies import SearchStrategy

    Pairs = tuple[tuple[str, str], ...]


def twins(family: str, *, special_tokens: Sequence[str] = ()) -> SearchStrategy[tuple[str, str]]:
    r"""Pairs of a hostile text of a family and the plain text that it was made from.

    The page of the family says what its plain texts are: the visible text, the word in ASCII, the
    text without marks. The pairs come from the family's enumerated cases, short pairs first.

    Example: ``twins("zero-width")`` draws ``("a\u200bb", "ab")``.

    Source: the pages of the families; ``tokharness list families``.

    Raises:
        hypothesis.errors.InvalidArgument: the family is unknown (the nearest name is suggested),
            or none of its texts has a twin.

    """
    (source,) = families_named([family], surrogates=True)
    facts = facts_of(special_tokens)

    def pairs() -> Pairs:
        cases = source.cases(facts)
        return _shortest_first((case.text, case.twin) for case in cases if case.twin is not None)

    return _sampled_from(pairs, f"no text of the family {family!r} has a twin")


def confusable_twins() -> SearchStrategy[tuple[str, str]]:
    r"""Pairs of words that look the same: in letters of other scripts, and in ASCII.

    Both words have the same skeleton, the definition of confusable in UTS #39.

    Example: ``("p\u0430ypal", "paypal")``.

    Source: UTS #39, section 4; confusables.txt.
    """
    return _sampled_from(_confusable_pairs)


def composed_and_decomposed() -> SearchStrategy[tuple[str, str]]:
    r"""Pairs of one text in two different spellings, NFC and NFD.

    Example: ``("\u00e9", "e\u0301")``.

    Source: UAX #15 and its NormalizationTest.txt.
    """

    def pairs() -> SearchStrategy[tuple[str, str]]:
        from hypothesis import strategies as st

        # Three of four pairs are Hangul syllables, so each group is drawn equally often.
        return st.one_of([st.sampled_from(group) for group in _spelling_pairs()])

    return deferred(pairs)


def _sampled_from(
    pairs: Callable[[], Pairs], if_empty: str = ""
) -> SearchStrategy[tuple[str, str]]:
    def define() -> SearchStrategy[tuple[str, str]]:
        from hypothesis import strategies as st
        from hypothesis.errors import InvalidArgument

        sample = pairs()
        if not sample:
            raise InvalidArgument(if_empty)
        return st.sampled_from(sample)

    return deferred(define)


def _shortest_first(pairs: Iterable[tuple[str, str]]) -> Pairs:
    """Sort pairs in the order in which they shrink: towards a short pair of ASCII letters."""

    def key(pair: tuple[str, str]) -> tuple[int, bool, bool, str]:
        text, twin = pair
        first = twin[:1]
        return len(text + twin), not first.isascii(), not first.isalpha(), twin.swapcase()

    return tuple(sorted(dict.fromkeys(pairs), key=key))


@cache
def _confusable_pairs() -> Pairs:
    from tokharness import plugins
    from tokharness.unicode.confusables import skeleton

    cases = plugins.family("homoglyphs").cases(facts_of(()))
    pairs = ((case.text, case.twin) for case in cases if case.twin is not None)
    return _shortest_first(pair for pair in pairs if skeleton(pair[0]) == skeleton(pair[1]))


@cache
def _spelling_pairs() -> tuple[Pairs, Pairs]:
    """Return the pairs from a table, and the pairs of Hangul, which come from arithmetic."""
    from tokharness import plugins
    from tokharness.unicode.normalization import normalize

    texts = [case.text for case in plugins.family("normal-forms").cases(facts_of(()))]
    spellings = ((normalize("NFC", text), normalize("NFD", text)) for text in texts)
    pairs = _shortest_first((nfc, nfd) for nfc, nfd in spellings if nfc != nfd)
    syllables = tuple(pair for pair in pairs if _is_syllable(pair[0]))
    return tuple(pair for pair in pairs if not _is_syllable(pair[0])), syllables


def _is_syllable(text: str) -> bool:
    return len(text) == 1 and "\uac00" <= text <= "\ud7a3"
