"""Ordinary tokens that resemble a special token of the target."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import regex

from tokharness.diagnosis.token_content.classes import TokenClass
from tokharness.diagnosis.token_content.texts import changed_texts
from tokharness.unicode.confusables import skeleton
from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from tokharness.diagnosis.token_content.texts import JoinedTexts

NEAR_SPECIAL, SAME_NAME = "near-special tokens", "ordinary tokens with a special token's text"

SHORTEST_EDITED = 8
"""Smallest length of a special token that stays recognizable after an edit of one character."""
HALF = SHORTEST_EDITED // 2

MANY = 50
"""Number of halves from which it is faster to look at each token than to search for each half."""

FEWEST_CASED = 3
"""Smallest number of letters at which case is ignored: ``<S>`` is a type in code."""

SYMBOLS = regex.compile(r"[^\p{L}\p{N}\s]")


def near_special_classes(
    texts: Mapping[int, str], joined: JoinedTexts, special: Collection[str]
) -> Iterator[TokenClass]:
    """Yield the tokens that differ from a special token in look, case or one edit, if any.

    Tokens with the exact text of a special token, except for white space around it, are a class of
    their own. Special tokens without a letter, or without a symbol, are left out: any text has such
    marks and words.
    """
    named = [text for text in special if SYMBOLS.search(text) and any(map(str.isalpha, text))]
    if not named:
        return
    alike = _look_alikes(texts, named)
    edited = _edited(joined, [text for text in named if len(text) >= SHORTEST_EDITED])
    found = {number: texts[number] for number in alike | edited}
    same = {number: text for number, text in found.items() if text.strip() in special}
    for name, tokens in ((SAME_NAME, same), (NEAR_SPECIAL, found.keys() - same.keys())):
        if tokens:
            yield TokenClass(name, {number: texts[number] for number in sorted(tokens)})


def _look_alikes(texts: Mapping[int, str], special: Collection[str]) -> set[int]:
    """Return the tokens that look like a special token, or are equal to it in another case."""
    exact = set(map(_look, special))
    cased = [text for text in special if sum(map(str.isalpha, text)) >= FEWEST_CASED]
    folded = {_look(text.casefold()) for text in cased}
    similar = _similar_characters(texts, set("".join(exact | folded)))
    suspects = ((n, text.strip()) for n, text in texts.items() if similar.issuperset(text))
    return {
        number
        for number, text in suspects
        if not text.isalnum()
        if _look(text) in exact or _look(text.casefold()) in folded
    }


def _similar_characters(texts: Mapping[int, str], letters: set[str]) -> set[str]:
    """Return white space, and characters that look like some of these letters in either case."""
    characters = sorted(set("".join(texts.values())))
    looks = changed_texts(_visible, characters)
    folded = changed_texts(lambda text: _visible(text.casefold()), characters)
    return {
        char
        for char, look, other in zip(characters, looks, folded, strict=True)
        if char.isspace() or letters.issuperset(look.strip()) or letters.issuperset(other.strip())
    }


def _look(text: str) -> str:
    """Return what a text looks like: its skeleton after NFKC, without invisible characters."""
    return text.translate(_in_ascii()) if text.isascii() else _visible(text).strip()


@cache
def _in_ascii() -> dict[int, str]:
    """Return a table for the skeletons of ASCII texts, which take long to compute text by text."""
    return {ord(char): skeleton(char) for char in map(chr, range(0x20, 0x7F))}


def _visible(text: str) -> str:
    return skeleton(normalize("NFKC", text))


def _edited(joined: JoinedTexts, special: Collection[str]) -> set[int]:
    """Return tokens that become a special token if one character is added, removed or replaced.

    One edit leaves the first half or the last half of a special token as it is.
    """
    by_half: dict[str, list[str]] = {}
    for text in special:
        for half in (text[:HALF], text[-HALF:]):
            by_half.setdefault(half, []).append(text)
    suspects = joined.matching(*map(regex.escape, by_half)) if len(by_half) < MANY else joined.texts
    stripped = (
        (n, text.strip()) for n, text in suspects.items() if len(text) >= SHORTEST_EDITED - 1
    )
    return {
        number
        for number, text in stripped
        for half in (text[:HALF], text[-HALF:])
        if half in by_half and any(_is_one_edit(text, one) for one in by_half[half])
        if not text.isalnum()
    }


def _is_one_edit(text: str, other: str) -> bool:
    """Whether inserting, deleting or replacing one character turns one text into the other."""
    if text == other or abs(len(text) - len(other)) > 1:
        return False
    most = min(len(text), len(other))
    before = next((at for at in range(most) if text[at] != other[at]), most)
    after = next(
        (at for at in range(most - before) if text[-1 - at] != other[-1 - at]), most - before
    )
    return max(len(text), len(other)) - before - after == 1
