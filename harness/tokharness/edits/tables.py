"""Edits of the tables of a model: its tokens with their ids, its merges, scores and kinds."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any

from tokharness.edits.model import Edit, Writing
from tokharness.edits.sequences import steps
from tokharness.edits.token_steps import TokenStep, token_steps, without_cycles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokharness.edits.sequences import Step
    from tokharness.model import Description, TokenEntry

MAX_SINGLE = 6
"""Number of edits of one kind that have a line each; more edits are joined to one."""

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
            yield from _fold(group, merge_edit)
    if old.tokens != new.tokens:
        found, cycles = without_cycles(token_steps(old, new))
        token_edit = partial(_token_edit, writing=writing, new=new)
        yield from map(token_edit, cycles)
        for group in _kinds(found):
            yield from _fold(group, token_edit)
        renamed = {step.other: step.token for step in found if step.kind == "renamed"}
        for name in ("score", "type"):
            values = [_values_of(one, name) for one in (old, new)]
            values[0] |= {token: values[0][was] for token, was in renamed.items()}
            yield from _value_edits(values[0], values[1], writing, name)
    for group in merge_groups:
        if group[0].kind != "gone":
            yield from _fold(group, merge_edit)


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


def _fold(group: Sequence[Any], edit_of: Callable[[Sequence[Any]], Edit]) -> Iterator[Edit]:
    """Yield an edit for each step, or one edit for all if there are many steps."""
    if len(group) > MAX_SINGLE:
        yield edit_of(group)
    else:
        for step in group:
            yield edit_of([step])


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
        _in_words(group, singular, plural),
        partial(_with_tokens, group=tuple(group), new=new),
        _shown_by((step.token, step.other) for step in group),
        len(group),
        repr((group, _entries_of(group, new))),
    )


def _type_of(step: TokenStep, new: Description) -> str:
    """Return the type of a new token behind a comma, "" for a normal token, or one without type."""
    rows = (entry.type for entry in new.tokens if (entry.token, entry.id) == (step.token, step.new))
    kind = next(rows, None)
    return f", {kind}" if step.kind == "new" and kind not in (None, "normal") else ""


def _in_words(group: Sequence[Any], singular: str, plural: str) -> str:
    """Describe the only difference of a group, or the number of differences and the first."""
    if len(group) == 1:
        return singular
    return f"{plural.format(len(group))}, the first: {singular}"


def _shown_by(pairs: Iterable[tuple[Any, Any]]) -> tuple[Any, ...]:
    """Return the first tokens, or merges, of differences that have one or two each."""
    found = (one for pair in pairs for one in pair if one is not None)
    return tuple(islice(found, 8 * MAX_SINGLE))


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


def _value_edits(
    before: Mapping[Any, list[Any]], after: Mapping[Any, list[Any]], writing: Writing, name: str
) -> Iterator[Edit]:
    """Yield the edits of the scores, or of the kinds, of tokens that stand as often in both files.

    A token that stands more or less often is an edit of the vocabulary.
    """
    changed = [
        (token, was, now)
        for token, values in after.items()
        if len(values) == len(before.get(token, ()))
        for was, now in zip(before[token], values, strict=True)
        if was != now
    ]

    def edit(group: Sequence[tuple[Any, Any, Any]]) -> Edit:
        token, was, now = group[0]
        singular = f"{name} of {writing.show(token)}: {', was '.join(_as_numbers(now, was))}"
        return Edit(
            MODEL,
            _in_words(group, singular, f"{name}s of {{:,}} tokens have changed"),
            partial(_with_values, values={row[0]: after[row[0]] for row in group}, name=name),
            _shown_by((token, None) for token, _, _ in group),
            len(group),
            repr(group),
        )

    last = set(_same_at_the_end(changed, after)) if name == "type" else set()
    if len(last) > 1:
        yield edit([row for row in changed if row[0] in last])
        changed = [row for row in changed if row[0] not in last]
    yield from _fold(changed, edit)


def _same_at_the_end(
    changed: Sequence[tuple[Any, Any, Any]], tokens: Iterable[Any]
) -> Iterator[Any]:
    """Yield the last tokens as long as they have the same change: a limit of ids makes it."""
    rows = {token: (was, now) for token, was, now in changed}
    order = list(tokens)[::-1]
    first = rows.get(order[0]) if order else None
    return takewhile(lambda token: first is not None and rows.get(token) == first, order)


def _as_numbers(now: Any, was: Any) -> tuple[str, str]:
    """Return two types, or two scores with enough digits to show the difference, at least six.

    A token without a type is a normal token.
    """
    if not isinstance(now, float) or not isinstance(was, float):
        return str(now or "normal"), str(was or "normal")
    places = (digits for digits in range(6, 17) if f"{now:.{digits}g}" != f"{was:.{digits}g}")
    digits = next(places, 17)
    return f"{now:.{digits}g}", f"{was:.{digits}g}"


def _values_of(description: Description, name: str) -> dict[Any, list[Any]]:
    """Return the scores, or the kinds, of each token, which may stand in several rows."""
    values: dict[Any, list[Any]] = {}
    for entry in description.tokens:
        values.setdefault(entry.token, []).append(getattr(entry, name))
    return values


def _with_values(current: Description, values: dict[Any, list[Any]], name: str) -> Description:
    left = {token: iter(of_token) for token, of_token in values.items()}
    rows = (
        entry._replace(**{name: next(left.get(entry.token, iter(())), getattr(entry, name))})
        for entry in current.tokens
    )
    return replace(current, tokens=tuple(rows))


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
        _in_words(group, singular, plural),
        partial(_with_merges, group=tuple(group), after=after),
        tuple(left + right for left, right in _shown_by((one.item, one.other) for one in group)),
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
