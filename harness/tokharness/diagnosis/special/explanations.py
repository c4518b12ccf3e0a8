"""How a text has become a special token: by which ways, as far as texts and questions show.

A text that holds the token exactly holds it after every way as well. So where the exact text
alone is harmless, a way must be proved: the target is asked about the token's disguise, which only
this way undoes. Pairs of ways are proved likewise, so that a normalizer that does two things is
told as one fault.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from tokharness.diagnosis.special.transformations import APPLIED_TWICE, TRANSFORMATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokharness.diagnosis.special.transformations import Transformation

__all__ = ["explain_special_id"]


def explain_special_id(
    text: str, special: str, others: Sequence[str], works: Callable[[str], bool]
) -> list[str]:
    """Names of the ways in which ``text`` may have become ``special``, the narrowest first.

    ``others`` are all special tokens; ``works`` says whether a text gives the id of this one.
    """
    exact = special in text
    if exact and works(special):
        return ["exact text"]
    found = []
    if any(special in text.replace(other, "") for other in others if other in text):
        found.append("nested token joined")
    spaced = (f" {special}", f"{special} ")
    if exact and text.strip() == special and any(map(works, spaced)):
        found.append("white space around it stripped")
    # What stands exactly in the text every way leaves there, so a way needs proof.
    proved = [way for way in TRANSFORMATIONS if _is_proved((way,), special, works)]
    found += [
        w.name for w in (proved if exact else TRANSFORMATIONS) if _undone(text, special, (w,))
    ]
    pairs = [pair for pair in combinations(proved, 2) if _is_proved(pair, special, works)]
    found += [_named(pair) for pair in pairs if _undone(text, special, pair)]
    if not found and not exact:
        found = list(_unproved_pairs(text, special))
    if not found:
        found = [*(["exact text"] if exact else []), *_parts(text, special), "other text"]
    return found


def _undone(text: str, special: str, ways: tuple[Transformation, ...]) -> bool:
    """Whether the token stands in the text after these ways, in one order or the other."""
    return any(
        plain in _through(text, order)
        for order in dict.fromkeys((ways, ways[::-1]))
        if (plain := _plain(special, order))
    )


def _through(text: str, ways: tuple[Transformation, ...]) -> str:
    for way in ways:
        text = way.undo(text)
    return text


@lru_cache(maxsize=4096)
def _plain(special: str, ways: tuple[Transformation, ...]) -> str:
    return _through(special, ways)


def _is_proved(
    ways: tuple[Transformation, ...], special: str, works: Callable[[str], bool]
) -> bool:
    """Whether the target takes a text for the token that only these ways turn into it."""
    for order in dict.fromkeys((ways, ways[::-1])):
        probe = special
        for way in order:
            probe = way.disguise(probe)
        needed = all(way.disguise(special) != special for way in ways)
        if needed and special not in probe and works(probe):
            return True
    return False


def _named(ways: tuple[Transformation, ...]) -> str:
    return " and ".join(way.name for way in ways)


def _unproved_pairs(text: str, special: str) -> Iterator[str]:
    for way in TRANSFORMATIONS:
        if way.name in APPLIED_TWICE and _undone(text, special, (way, way)):
            yield f"{way.name} twice"
    for pair in combinations(TRANSFORMATIONS, 2):
        if _undone(text, special, pair):
            yield _named(pair)


def _parts(text: str, special: str) -> Iterator[str]:
    """Half of the token or more."""
    size = max(-(-len(special) // 2), 2)
    if any(special[at : at + size] in text for at in range(len(special) - size + 1)):
        yield "a part of it"
