"""Edits of the tables of a model: its tokens with their ids, its merges, scores and kinds."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from tokharness.edits.folding import MAX_SINGLE, fold, in_words, shown_by
from tokharness.edits.model import Edit, Writing
from tokharness.edits.sequences import steps
from tokharness.edits.token_steps import TokenStep, token_steps, without_cycles
from tokharness.edits.values import value_edits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokharness.edits.sequences import Step
    from tokharness.model import Description, TokenEntry

OTHERS, LEAST_OTHERS = 0.1, 500
"""Share of the tokens of each file, and number, from which on another vocabulary is one edit."""

VOCABULARY, MODEL = "vocabulary", "model"
"""The stage of edits of tokens and ids, and the stage of merges, scores and settings."""


def table_edits(old: Description, new: Description, writing: Writing) -> Iterator[Edit]:
    """Yield the edits of tokens, scores and kinds of tokens, and merges, in this order.

    Merges that are gone are first: no file has a merge whose tokens are gone, but a file may have a
    token without merges. So each edit can be tried on its own.
    """
    if (another := _another_vocabulary(old, new)) is not None:
        yield another
        return
    before, after = list(old.merges or ()), list(new.merges or ())
    merge_groups = list(_kinds(list(steps(before, after))))
    merge_edit = partial(_merge_edit, writing=writing, after=after)
    for group in merge_groups:
        if group[0].kind == "gone":
            yield from fold(group, merge_edit)
    if old.tokens != new.tokens:
        found, cycles = without_cycles(token_steps(old, new))
        token_edit = partial(_token_edit, writing=writing, new=new)
        yield from map(token_edit, cycles)
        for group in _kinds(found):
            yield from fold(group, token_edit)
        renamed = {step.other: step.token for step in found if step.kind == "renamed"}
        yield from value_edits(old, new, renamed, writing)
    for group in merge_groups:
        if group[0].kind != "gone":
            yield from fold(group, merge_edit)


def _another_vocabulary(old: Description, new: Description) -> Edit | None:
    """Return one edit of all tables if most tokens are others: no list of steps explains them."""
    before, after = ({entry.token: entry.id for entry in one.tokens} for one in (old, new))
    shared = before.keys() & after.keys()
    gone, added = len(before) - len(shared), len(after) - len(shared)
    if gone < max(LEAST_OTHERS, OTHERS * len(before)) or added < OTHERS * len(after):
        return None
    same = sum(before[token] == after[token] for token in shared)
    differing = (entry.token for one in (old, new) for entry in one.tokens)
    return Edit(
        VOCABULARY,
        f"another one, which has {len(shared):,} of the {len(before):,} tokens, {same:,} of them "
        "with the same id",
        partial(_with_tables, new=new),
        tuple(islice((token for token in differing if token not in shared), 8 * MAX_SINGLE)),
        gone + added,
        hashlib.sha256(repr((new.tokens, new.merges)).encode("utf-8", "replace")).hexdigest(),
    )


def _with_tables(current: Description, new: Description) -> Description:
    return replace(current, tokens=new.tokens, merges=new.merges)


def _kinds(found: Sequence[Any]) -> Iterator[list[Any]]:
    """Yield the steps of each kind."""
    kinds = dict.fromkeys(step.kind for step in found)
    for kind in kinds:
        yield [step for step in found if step.kind == kind]


def _token_edit(group: Sequence[TokenStep], writing: Writing, new: Description) -> Edit:
    first = group[0]
    token, other = writing.show(first.token), writing.show(first.other)
    singular = {
        "gone": f"token {token} (id {first.old}) is gone",
        "copy gone": f"token {token} stands in fewer rows, and no longer as id {first.old}",
        "new": f"token {token} is new, as id {first.new}{_type_of(first, new)}",
        "without text": f"id {first.old} decodes to no text, and decoded to {token}",
        "with text": f"id {first.new} decodes to {token}, and decoded to no text",
        "doubled": f"token {token} stands twice, also as id {first.new}",
        "renamed": f"id {first.old} is {other}, was {token}",
        "moved": f"token {token} has id {first.new}, was {first.old}",
        "in a cycle": f"token {token} has id {first.new}, was {first.old}",
        "another id": f"token {token} has id {first.new}, was {first.old}",
        "swapped": f"ids {first.old} and {first.home} have changed places: {token}, {other}",
    }[first.kind]
    plural = {
        "gone": "{:,} tokens are gone",
        "copy gone": "{:,} tokens stand in fewer rows",
        "new": "{:,} tokens are new",
        "without text": "{:,} ids decode to no text now",
        "with text": "{:,} ids decode to text now",
        "doubled": "{:,} tokens stand twice",
        "renamed": "{:,} ids stand for other tokens",
        "moved": "{:,} tokens have different ids",
        "in a cycle": "{:,} tokens have taken each other's ids",
        "another id": "{:,} tokens have different ids",
        "swapped": "{:,} pairs of ids have changed places",
    }[first.kind]
    return Edit(
        VOCABULARY,
        in_words(group, singular, plural),
        partial(_with_tokens, group=tuple(group), new=new),
        shown_by((step.token, step.other) for step in group),
        len(group),
        repr((group, _entries_of(group, new))),
    )


def _type_of(step: TokenStep, new: Description) -> str:
    """Return the type of a new token behind a comma, "" for a normal token, or one without type."""
    rows = (entry.type for entry in new.tokens if (entry.token, entry.id) == (step.token, step.new))
    kind = next(rows, None)
    return f", {kind}" if step.kind == "new" and kind not in (None, "normal") else ""


def _entries_of(group: Sequence[TokenStep], new: Description) -> list[TokenEntry]:
    """Return the rows of new tokens, since their scores and kinds are part of the edit."""
    tokens = {step.token if step.other is None else step.other for step in group}
    kinds = {step.kind for step in group} & {"new", "with text"}
    return [entry for entry in new.tokens if entry.token in tokens] if kinds else []


def _with_tokens(current: Description, group: Sequence[TokenStep], new: Description) -> Description:
    """Make the steps: contiguous ids stay contiguous, since a loader counts lines or ranks."""
    contiguous = _are_contiguous(current.tokens) and _are_contiguous(new.tokens)
    about = {token for step in group for token in (step.token, step.other)}
    rows = _rows_by_token(current.tokens)
    after = _rows_by_token(entry for entry in new.tokens if entry.token in about)
    cycle = [step for step in group if step.kind == "in a cycle"]
    taken = [(row, step) for step in cycle for row in rows[step.token] if row.place == step.old]
    for row, step in taken:
        row.place = row.place if step.new is None else step.new
    for step in group if not cycle else ():
        own, others = rows.setdefault(step.token, []), rows.setdefault(step.other, [])
        if step.kind == "swapped":
            if own and others:
                own[0].place, others[0].place = others[0].place, own[0].place
            continue
        before = None
        if step.old is not None and own:
            at = next((at for at, row in enumerate(own) if row.place == step.old), 0)
            before = own.pop(at)
        if step.new is None:
            _take_types(own, after.get(step.token, ()))
            continue
        token, of_token = (step.token, own) if step.other is None else (step.other, others)
        entry = next((row.entry for row in after[token] if row.place == step.new), None)
        if before is not None:
            entry = before.entry._replace(token=token)
        shifts = contiguous and step.kind != "renamed"
        place = _place_behind(rows, new.tokens, step.new) if shifts else step.new
        of_token.append(_Row(place, entry or after[token][0].entry))
        _take_types(of_token, after[token] if step.kind == "doubled" else ())
    ordered = sorted((row for of_token in rows.values() for row in of_token), key=_place)
    start = current.tokens[0].id if contiguous else 0
    tokens = (
        row.entry._replace(id=start + at if contiguous else int(row.place))
        for at, row in enumerate(ordered)
    )
    return replace(current, tokens=tuple(tokens))


@dataclass(slots=True)
class _Row:
    """A row of a vocabulary at the place of its id, or between two ids."""

    place: float
    entry: TokenEntry


def _place(row: _Row) -> float:
    return row.place


def _place_behind(rows: Mapping[Any, list[_Row]], tokens: Sequence[TokenEntry], id_: int) -> float:
    """Return the place behind the nearest token that ``tokens``, the new rows, have before an id.

    The id alone is not the place: tokens that are gone or moved shift the ids between. Steps are
    made in the order of their new ids, so that several new rows stand in order behind one token.
    """
    for at in range(id_ - tokens[0].id - 1, -1, -1):
        if of_token := rows.get(tokens[at].token):
            _, place = min((abs(row.place - tokens[at].id), row.place) for row in of_token)
            return place + 1 / (len(tokens) + 1)
    return -1.0


def _rows_by_token(tokens: Iterable[TokenEntry]) -> dict[Any, list[_Row]]:
    rows: dict[Any, list[_Row]] = {}
    for entry in tokens:
        rows.setdefault(entry.token, []).append(_Row(entry.id, entry))
    return rows


def _take_types(rows: Sequence[_Row], after: Sequence[_Row]) -> None:
    """Give the rows of a token the types that they have when another row of it counts."""
    if len(rows) == len(after):
        for row, other in zip(sorted(rows, key=_place), after, strict=True):
            row.entry = row.entry._replace(type=other.entry.type)


def _are_contiguous(tokens: Sequence[TokenEntry]) -> bool:
    return bool(tokens) and tokens[-1].id - tokens[0].id == len(tokens) - 1


def _merge_edit(
    group: Sequence[Step[tuple[Any, Any]]], writing: Writing, after: Sequence[tuple[Any, Any]]
) -> Edit:
    first = group[0]
    pair = writing.show_pair(first.item)
    singular = {
        "gone": f"merge {first.old} {pair} is gone",
        "new": f"merge {first.new} {pair} is new",
        "doubled": f"merge {pair} stands twice, also at {first.new}",
        "moved": f"merge {pair} has moved from {first.old} to {first.new}",
        "swapped": f"merges {first.old} and {first.home} have changed places: {pair}, "
        f"{writing.show_pair(first.other)}",
    }[first.kind]
    plural = {
        "gone": "{:,} merges are gone",
        "new": "{:,} merges are new",
        "doubled": "{:,} merges stand twice",
        "moved": "{:,} merges have moved",
        "swapped": "{:,} pairs of merges have changed places",
    }[first.kind]
    return Edit(
        MODEL,
        in_words(group, singular, plural),
        partial(_with_merges, group=tuple(group), after=after),
        tuple(left + right for left, right in shown_by((one.item, one.other) for one in group)),
        len(group),
        repr(group),
    )


def _with_merges(
    current: Description, group: Sequence[Step[Any]], after: Sequence[Any]
) -> Description:
    merges = list(current.merges or ())
    if len(group) > MAX_SINGLE:
        merges = _with_many(merges, group, after)
    else:
        for step in group:
            merges = step.apply(merges, after)
    return replace(current, merges=tuple(merges))


def _with_many(
    merges: Sequence[Any], group: Sequence[Step[Any]], after: Sequence[Any]
) -> list[Any]:
    """Make many steps of one kind in one pass."""
    items = {step.item for step in group}
    if group[0].kind == "gone":
        return [merge for merge in merges if merge not in items]
    if group[0].kind == "swapped":
        exchanged = {step.item: step.other for step in group}
        exchanged |= {step.other: step.item for step in group}
        return [exchanged.get(merge, merge) for merge in merges]
    present = set(merges)
    if group[0].kind == "moved":
        merges = [merge for merge in merges if merge not in items]
    added = {step.new: step.item for step in group}
    kept = iter(merges)
    ordered = [
        added[place] if place in added else None if merge not in present else next(kept, None)
        for place, merge in enumerate(after)
    ]
    return [merge for merge in ordered if merge is not None] + list(kept)
