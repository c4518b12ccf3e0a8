"""Which transformations turn a text into a special token.

A text that contains the token's exact text contains it after every transformation too. So if the
exact text alone is harmless, a transformation must be proved: the target encodes a disguise of the
token that only this transformation undoes. Pairs are proved likewise, so that a normalizer that
does two things is one fault.
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
    text: str, special: str, others: Sequence[str], gives_id: Callable[[str], bool]
) -> list[str]:
    """Names of the transformations that may turn ``text`` into ``special``, the narrowest first.

    ``others`` are all special tokens; ``gives_id`` says whether a text gives the id of this one.
    """
    exact = special in text
    if exact and gives_id(special):
        return ["exact text"]
    names = []
    if any(
        text.replace(other, "").count(special) > text.count(special) * (other != special)
        for other in others
    ):
        names.append("nested token joined")
    spaced = (f" {special}", f"{special} ")
    if exact and text.strip() == special and any(map(gives_id, spaced)):
        names.append("white space around it stripped")
    # A transformation leaves the exact text of the token in place, so it needs proof.
    proved = [
        t
        for t in TRANSFORMATIONS
        if _is_proved((t,), special, gives_id) or (exact and _removes(t, text, special, gives_id))
    ]
    names += [
        t.name for t in (proved if exact else TRANSFORMATIONS) if _turns_into(text, special, (t,))
    ]
    pairs = [pair for pair in combinations(proved, 2) if _is_proved(pair, special, gives_id)]
    names += [_pair_name(pair) for pair in pairs if _turns_into(text, special, pair)]
    if not names and not exact:
        names = list(_pair_names(text, special))
    if not names:
        names = [*(["exact text"] if exact else []), *_part_names(text, special), "other text"]
    return names


def _turns_into(text: str, special: str, transformations: tuple[Transformation, ...]) -> bool:
    """Whether these transformations, in either order, make the text contain the token."""
    return any(
        result in _apply_all(text, order)
        for order in dict.fromkeys((transformations, transformations[::-1]))
        if (result := _transformed(special, order))
    )


def _apply_all(text: str, transformations: tuple[Transformation, ...]) -> str:
    for transformation in transformations:
        text = transformation.apply(text)
    return text


@lru_cache(maxsize=4096)
def _transformed(special: str, transformations: tuple[Transformation, ...]) -> str:
    return _apply_all(special, transformations)


def _is_proved(
    transformations: tuple[Transformation, ...], special: str, gives_id: Callable[[str], bool]
) -> bool:
    """Whether the target gives the token's id for a disguise that only these undo."""
    for order in dict.fromkeys((transformations, transformations[::-1])):
        probe = special
        for transformation in order:
            probe = transformation.disguise(probe)
        needed = all(t.disguise(special) != special for t in transformations)
        if needed and special not in probe and gives_id(probe):
            return True
    return False


def _removes(
    transformation: Transformation, text: str, special: str, gives_id: Callable[[str], bool]
) -> bool:
    """Whether a character that this transformation removes from the text splits no token."""
    removed = sorted({*text} - {*transformation.apply(text)} - {*special})
    return any(
        transformation.apply(probe) == special and gives_id(probe)
        for probe in (special[:2] + character + special[2:] for character in removed)
    )


def _pair_name(transformations: tuple[Transformation, ...]) -> str:
    return " and ".join(t.name for t in transformations)


def _pair_names(text: str, special: str) -> Iterator[str]:
    for transformation in TRANSFORMATIONS:
        twice = (transformation, transformation)
        if transformation.name in APPLIED_TWICE and _turns_into(text, special, twice):
            yield f"{transformation.name} twice"
    for pair in combinations(TRANSFORMATIONS, 2):
        if _turns_into(text, special, pair):
            yield _pair_name(pair)


def _part_names(text: str, special: str) -> Iterator[str]:
    """Name for a text that has half of the token or more."""
    size = max(-(-len(special) // 2), 2)
    if any(special[at : at + size] in text for at in range(len(special) - size + 1)):
        yield "a part of it"
