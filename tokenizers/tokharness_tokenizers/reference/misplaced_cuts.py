"""Words that are cut at places of another text: one in lower case, or one counted in other units.

A port that finds words in a changed copy of a text, and cuts the text itself at these places, is
right as long as both have as many characters: U+0130 in lower case is two.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final

from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

FORMS: Final[Mapping[str, Callable[[str], str]]] = {
    "the text in lower case": str.lower,
    "the text in upper case": str.upper,
    **{
        f"the text in {form}": lambda text, form=form: normalize(form, text)  # type: ignore[misc]
        for form in ("NFC", "NFD", "NFKC", "NFKD")
    },
}

UNITS: Final[Mapping[str, Callable[[str], int]]] = {
    "units of UTF-16": lambda word: len(word.encode("utf-16-le", "surrogatepass")) // 2,
    "bytes": lambda word: len(word.encode("utf-8", "surrogatepass")),
}


def misplaced_cuts(cut: Callable[[str], list[str]], text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each alteration in a few words, and the words of a text with it, which may lose some.

    ``cut`` returns all parts of a text in their order.
    """
    for what, form in FORMS.items():
        other = form(text)
        if other != text:
            yield f"words are cut where {what} has its words", _at(text, map(len, cut(other)))
    if not text.isascii():
        words = cut(text)
        for what, size in UNITS.items():
            yield f"words are cut at places that are counted in {what}", _at(text, map(size, words))


def _at(text: str, sizes: Iterator[int]) -> list[str]:
    places = accumulate(sizes, initial=0)
    return [word for start, end in pairwise(places) if (word := text[start:end])]
