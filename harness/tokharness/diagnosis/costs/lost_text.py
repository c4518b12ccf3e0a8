"""What a decoded text lacks of the text that was encoded, in kinds that a reader can judge."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

CHARACTERS = "characters"
"""Start of each kind of loss that is not in ``FORMS``: the tokens stand for less text."""

LINES, PLACES, NFKC = "line breaks and runs of white space", "places of spaces", "forms under NFKC"
CASE, ACCENTS = "case", "accents"
FORMS: Mapping[str, Callable[[str], str]] = {
    LINES: lambda text: re.sub(r"\s+", " ", text).strip(),
    PLACES: lambda text: re.sub(r"\s+", "", text),
    NFKC: lambda text: normalize("NFKC", text),
    CASE: str.casefold,
    ACCENTS: lambda text: re.sub("[\u0300-\u036f]", "", normalize("NFD", text)),
}
"""Functions that remove what a kind of loss affects, by kind, in the order of their application."""

MOST_NAMED = 4


def is_form(kind: str) -> bool:
    """Whether a kind of loss leaves the characters of a text, so that its cost has a meaning."""
    return kind in FORMS


def what_is_lost(text: str, decoded: str) -> list[str]:
    """Return the fewest kinds of loss that explain the decoded text; none if nothing is lost."""
    for number in range(len(FORMS) + 1):
        for kinds in itertools.combinations(FORMS, number):
            if _without(kinds, text) == _without(kinds, decoded):
                return list(kinds)
    gone = {LINES: "\n" in text and "\n" not in decoded}
    gone[CASE] = text.casefold() != text and decoded.casefold() == decoded
    kept = set(_without(FORMS, decoded))
    lost = sorted(set(_without(FORMS, text)) - kept)
    return [*(kind for kind, is_gone in gone.items() if is_gone), _characters(lost)]


def _without(kinds: Iterable[str], text: str) -> str:
    for kind in kinds:
        text = FORMS[kind](text)
    return text


def _characters(lost: list[str]) -> str:
    """Name characters of the text that are nowhere in the decoded text; without any, say so."""
    if not lost:
        return f"{CHARACTERS} in some places"
    more = f" and {len(lost) - MOST_NAMED} more" if len(lost) > MOST_NAMED else ""
    named = (f'"{one}"' if one.isascii() and one.isprintable() else label(one) for one in lost)
    return f"{CHARACTERS} {', '.join(itertools.islice(named, MOST_NAMED))}{more}"
