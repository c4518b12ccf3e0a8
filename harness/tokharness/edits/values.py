"""Edits of the scores and of the kinds of tokens."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from tokharness.edits.folding import fold, in_words, shown_by
from tokharness.edits.model import Edit, Writing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokharness.model import Description

MODEL = "model"

Row = tuple[Any, Any, Any]
"""A token with its earlier and its present score or kind."""


def value_edits(
    old: Description, new: Description, renamed: Mapping[Any, Any], writing: Writing
) -> Iterator[Edit]:
    """Yield the edits of the scores, then of the kinds, of tokens that both files have as often.

    Another number of rows of a token is an edit of the vocabulary. ``renamed`` has the earlier
    names of tokens.
    """
    for name in ("score", "type"):
        before, after = (_values_of(one, name) for one in (old, new))
        before |= {token: before[was] for token, was in renamed.items()}
        changed = [
            (token, was, now)
            for token, values in after.items()
            if len(values) == len(before.get(token, ()))
            for was, now in zip(before[token], values, strict=True)
            if was != now
        ]
        together: set[Any] = set()
        if name == "score":
            pairs = list(_exchanged(row for row in changed if len(after[row[0]]) == 1))
            ids = {entry.token: entry.id for entry in new.tokens} if pairs else {}
            yield from fold(pairs, partial(_exchanged_edit, ids=ids, writing=writing))
            together = {token for pair in pairs for token, _, _ in pair}
        else:
            tokens = {*_same_at_the_end(changed, after)}
            last = [row for row in changed if row[0] in tokens]
            if len(last) > 1:
                yield _value_edit(last, after, writing, name)
                together = tokens
        left = [row for row in changed if row[0] not in together]
        yield from fold(left, partial(_value_edit, after=after, writing=writing, name=name))


def _value_edit(
    group: Sequence[Row], after: Mapping[Any, list[Any]], writing: Writing, name: str
) -> Edit:
    token, was, now = group[0]
    singular = f"{name} of {writing.show(token)}: {', was '.join(_as_numbers(now, was))}"
    return Edit(
        MODEL,
        in_words(group, singular, f"{name}s of {{:,}} tokens have changed"),
        partial(_with_values, values={row[0]: after[row[0]] for row in group}, name=name),
        shown_by((token, None) for token, _, _ in group),
        len(group),
        repr(group),
    )


def _exchanged(changed: Iterable[Row]) -> Iterator[tuple[Row, Row]]:
    """Yield pairs of tokens that have each other's scores, if no third token has one of them."""
    rows: dict[tuple[Any, Any], list[Row]] = {}
    for row in changed:
        rows.setdefault(row[1:], []).append(row)
    for (was, now), ones in list(rows.items()):
        others = rows.pop((now, was), [])
        if len(ones) == len(others) == 1:
            yield ones[0], others[0]
            rows.pop((was, now), None)


def _exchanged_edit(
    group: Sequence[tuple[Row, Row]], ids: Mapping[Any, int], writing: Writing
) -> Edit:
    (first, was, now), (second, _, _) = group[0]
    singular = (
        f"scores of {writing.show(first)} (id {ids[first]}) and {writing.show(second)} "
        f"(id {ids[second]}) have changed places: {', was '.join(_as_numbers(now, was))}"
    )
    return Edit(
        MODEL,
        in_words(group, singular, "{:,} pairs of scores have changed places"),
        partial(
            _with_values,
            values={token: [now] for pair in group for token, _, now in pair},
            name="score",
        ),
        shown_by((one[0], other[0]) for one, other in group),
        len(group),
        repr(group),
    )


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
