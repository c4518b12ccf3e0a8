"""How the tokens and ids of two vocabularies differ, as steps that lead from one to the other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tokharness.edits.model import TOKENS_ALONE
from tokharness.edits.sequences import steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.model import Description


@dataclass(frozen=True, slots=True)
class TokenStep:
    """A token that is gone, is new, has another id, or has the id of another token."""

    kind: str
    token: Any
    old: int | None = None
    new: int | None = None
    other: Any = None
    home: int | None = None


def token_steps(old: Description, new: Description) -> list[TokenStep]:
    """Return how tokens and ids changed; an id that only follows from other steps is not a step."""
    before = [entry.token for entry in old.tokens]
    after = [entry.token for entry in new.tokens]
    old_ids, new_ids = ([entry.id for entry in one.tokens] for one in (old, new))
    found = _steps_of_ids(before, after, old_ids, new_ids)
    if not found and old_ids != new_ids:
        pairs = zip(before, old_ids, new_ids, strict=True)
        return [TokenStep("another id", token, a, b) for token, a, b in pairs if a != b]
    renamed, others = _without_renamed(found, before, after, (old_ids, new_ids))
    if old.format == TOKENS_ALONE:
        others = [_of_id(step, old_ids, new_ids) for step in others]
    left = {*after}
    return [
        *renamed,
        *(
            replace(step, kind="copy gone") if step.kind == "gone" and step.token in left else step
            for step in others
        ),
    ]


def _without_renamed(
    found: Sequence[TokenStep],
    before: Sequence[Any],
    after: Sequence[Any],
    ids: tuple[Sequence[int], Sequence[int]],
) -> tuple[Sequence[TokenStep], Sequence[TokenStep]]:
    """Return the steps of new tokens that have the ids of tokens that are gone, and the others.

    With other tokens gone or moved, equal ids may be a coincidence: then the new token is not
    between the neighbors of the token whose id it has, and a step moves it there.
    """
    left = {*after}
    gone = {step.old: step for step in found if step.kind == "gone" and step.token not in left}
    pairs = [(gone[step.new], step) for step in found if step.kind == "new" and step.new in gone]
    names = {was.token: now.token for was, now in pairs}
    if not names:
        return (), found
    others = _steps_of_ids([names.get(token, token) for token in before], after, *ids)
    is_in_place = not {token for step in others for token in (step.token, step.other)} & {
        *names.values()
    }
    if not is_in_place or len(others) > len(found) - 2 * len(pairs):
        return (), found
    return [
        TokenStep("renamed", was.token, was.old, now.new, now.token) for was, now in pairs
    ], others


def _steps_of_ids(
    before: Sequence[Any], after: Sequence[Any], old_ids: Sequence[int], new_ids: Sequence[int]
) -> list[TokenStep]:
    return [
        TokenStep(
            step.kind,
            step.item,
            None if step.old is None else old_ids[step.old],
            None if step.new is None else new_ids[step.new],
            step.other,
            None if step.home is None else old_ids[step.home],
        )
        for step in steps(before, after)
    ]


IN_PLACE = ("swapped", "renamed")
"""Kinds of steps after which all other tokens keep their ids."""


def without_cycles(
    found: Sequence[TokenStep],
) -> tuple[list[TokenStep], list[list[TokenStep]]]:
    """Return the other steps, and the steps of tokens that have taken each other's ids.

    Made one after another, such moves would give two tokens one id, or the tokens between others.
    """
    moved = {step.old: step for step in found if step.kind == "moved"}
    cycles: list[list[TokenStep]] = []
    for first in list(moved):
        cycle: list[TokenStep] = []
        number: int | None = first
        while number in moved and all(step.old != number for step in cycle):
            cycle.append(moved[number])
            number = moved[number].new
        if cycle and number == first:
            cycles.append([replace(step, kind="in a cycle") for step in cycle])
            for step in cycle:
                del moved[step.old]
    inside = {step.old for cycle in cycles for step in cycle}
    rest = [step for step in found if step.kind != "moved" or step.old not in inside]
    # With other steps, ids between two places may follow from these, and no cycle stands alone.
    return (rest, cycles) if all(step.kind in IN_PLACE for step in rest) else ([*found], [])


def _of_id(step: TokenStep, old_ids: Sequence[int], new_ids: Sequence[int]) -> TokenStep:
    """Return the step of a gone or new token as a step of its id, if other tokens keep their ids.

    A target that decodes a control token to nothing has an id for it, and no text.
    """
    if step.kind == "gone" and step.old is not None and _is_hole(step.old, new_ids):
        return replace(step, kind="without text")
    if step.kind == "new" and step.new is not None and _is_hole(step.new, old_ids):
        return replace(step, kind="with text")
    return step


def _is_hole(number: int, ids: Sequence[int]) -> bool:
    return bool(ids) and number < ids[-1] and number not in ids
