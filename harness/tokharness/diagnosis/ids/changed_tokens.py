"""Compare two sequences of ids of one text: where their tokens differ, and where their texts do.

The same target decodes both sequences. If the vocabulary has not changed, the decoded text of the
earlier ids shows what the earlier tokenizer made of the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TYPE_CHECKING

from tokharness.diagnosis.probes.calls import decode_all
from tokharness.outcome import Raised
from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import category

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.targets.subject import Subject

NEAR = 5
"""Tokens looked at around a place: one of them begins a character, which has four bytes at most."""

LONGEST = 4000
"""Most characters of a text whose tokens are compared: the comparison takes quadratic time."""

LONGEST_REPLACEMENT = 2
"""Characters that one character may become."""

PLACES = {
    "L": "a letter",
    "M": "a mark",
    "N": "a digit",
    "P": "punctuation",
    "S": "a symbol",
    "Z": "white space",
    "C": "a control or unassigned character",
}
"""Where ids first differ, by the first letter of the general category."""


_SAME_TEXT, _OTHER_IDS, _OTHER_TEXT = range(3)
"""Parts of two texts: the same with the same ids, the same with different ids, and other text."""


@dataclass(frozen=True, slots=True)
class TokenText:
    """The decoded text of ids, and the characters of this text at which a token begins.

    ``starts`` maps a place in ``text`` to a place in ``ids``. A token that begins inside a
    character has no entry; of several tokens at the same place, only the first has an entry.
    """

    ids: tuple[int, ...]
    text: str
    starts: Mapping[int, int]

    def start(self, place: int) -> int:
        """Return the place in the text of the last token start at or before a token."""
        return max((at for at, token in self.starts.items() if token <= place), default=0)

    def piece(self, start: int) -> str:
        """Return the text from a place to the next token start."""
        end = min((at for at in self.starts if at > start), default=len(self.text))
        return self.text[start:end]


def token_text_of(
    ids: Sequence[int], subject: Subject, near: int | None = None
) -> TokenText | None:
    """Decode ids and each prefix of them; None if the target raises.

    With ``near``, a place in the ids, only prefixes that end close to it are decoded.
    """
    ends: Sequence[int] = range(len(ids) + 1)
    if near is not None:
        around = range(max(near - NEAR, 0), min(near + NEAR, len(ids)) + 1)
        ends = sorted({0, *around, len(ids)})
    texts = decode_all([list(ids[:end]) for end in ends], subject)
    if any(isinstance(text, Raised) for text in texts):
        return None
    whole = texts[-1]
    starts: dict[int, int] = {}
    for token, text in zip(ends, texts, strict=True):
        if whole.startswith(text):
            starts.setdefault(len(text), token)
    starts[len(whole)] = min(starts.get(len(whole), len(ids)), len(ids))
    return TokenText(tuple(ids), whole, starts)


def are_equal_where_the_text_is(old: TokenText, new: TokenText) -> bool:
    """Whether the ids differ only where their decoded texts differ, or directly next to it.

    A pattern may cut a character from its neighbours, and not what replaces it.
    """
    if max(len(old.text), len(new.text)) > LONGEST:
        return False
    kinds = [_SAME_TEXT]
    for (a, b), (end_a, end_b) in pairwise(_aligned(old, new)):
        ids, others = (
            one.ids[one.starts[start] : one.starts[end]]
            for one, start, end in ((old, a, end_a), (new, b, end_b))
        )
        if old.text[a:end_a] != new.text[b:end_b]:
            kinds.append(_OTHER_TEXT)
        else:
            kinds.append(_SAME_TEXT if ids == others else _OTHER_IDS)
    kinds.append(_SAME_TEXT)
    return not any(
        kind == _OTHER_IDS and _OTHER_TEXT not in (before, behind)
        for before, kind, behind in zip(kinds, kinds[1:], kinds[2:], strict=False)
    )


def different_runs(old: TokenText, new: TokenText) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return the ids on both sides of each part that differs, of two sequences with one text."""
    if len(old.text) > LONGEST:
        return []
    runs = [
        (
            old.ids[old.starts[a] : old.starts[end_a]],
            new.ids[new.starts[b] : new.starts[end_b]],
        )
        for (a, b), (end_a, end_b) in pairwise(_aligned(old, new))
    ]
    return [(before, now) for before, now in runs if before != now]


def _aligned(old: TokenText, new: TokenText) -> Iterator[tuple[int, int]]:
    """Yield the places in both texts where the texts are equal and a token of each begins."""
    matcher = SequenceMatcher(None, old.text, new.text, autojunk=False)
    last = (0, 0)
    yield last
    for block in matcher.get_matching_blocks():
        for offset in range(block.size + 1):
            a, b = block.a + offset, block.b + offset
            if a in old.starts and b in new.starts and a >= last[0] and b >= last[1]:
                if (a, b) != last:
                    yield a, b
                last = a, b
    if last != (len(old.text), len(new.text)):
        yield len(old.text), len(new.text)


def replacements(old: str, new: str) -> dict[str, str] | None:
    """Return the replacement of each character that changed; None if it is ambiguous.

    A replacement has few characters: a longer text belongs to an unknown token.
    """
    if max(len(old), len(new)) > LONGEST:
        return None
    found: dict[str, str] = {}
    for _, a, end_a, b, end_b in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        before, now = old[a:end_a], new[b:end_b]
        if before == now:
            continue
        if len(before) == len(now) or not now:
            parts = list(now) or [""] * len(before)
        elif len(before) == 1 and len(now) <= LONGEST_REPLACEMENT:
            parts = [now]
        else:
            return None
        for character, part in zip(before, parts, strict=True):
            if found.setdefault(character, part) != part:
                return None
    return found


def common(ids: Sequence[object], others: Sequence[object]) -> int:
    """Return the length of the common prefix."""
    pairs = zip(ids, others, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(ids), len(others)))


def first_difference(text: str, old: TokenText, new: TokenText) -> str:
    """Return the kind of character at which the tokens of a text first differ.

    White space counts only if the token has no other characters.
    """
    same = common(old.ids, new.ids)
    starts = old.start(same), new.start(same)
    if same == len(old.ids) or same == len(new.ids):
        longer = max(old, new, key=lambda one: len(one.ids))
        if not longer.text[longer.start(same) :].strip() or starts[1] == len(new.text):
            return "the end"
    rest = _behind(text, new.text[: starts[1]])
    if rest is None:
        return "an unknown place"
    pieces = old.piece(starts[0]), new.piece(starts[1])
    if all(piece.isspace() or not piece for piece in pieces) and rest[:1].isspace():
        return PLACES["Z"]
    character = (rest.lstrip() or rest)[:1]
    return PLACES[category(character)[0]] if character else "the end"


def _behind(text: str, start: str) -> str | None:
    """Return the rest of a text after ``start``, ignoring case, marks and spaces; or None."""
    if text.startswith(start):
        return text[len(start) :]
    wanted, found = _folded(start), ""
    for place, character in enumerate(text):
        if found == wanted:
            return text[place:]
        found += _folded(character)
        if not wanted.startswith(found):
            return None
    return "" if found == wanted else None


def _folded(text: str) -> str:
    decomposed = normalize("NFKD", text.casefold())
    return "".join(one for one in decomposed if category(one)[0] not in "MZC")
