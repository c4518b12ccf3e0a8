"""The ids of another renderer next to the ids that the tokenizer gives for the same text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.conversations.chat import Problem
from tokharness.conversations.differences import Difference, cause_for, names_of, verdict_of
from tokharness.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.conversations.chat import Chat, Conversation
    from tokharness.conversations.other_renderers import OtherRenderer
    from tokharness.conversations.token_ids import Ids, Tokens

BEFORE, MOST = 8, 64
"""Ids before the first difference, and in all, in the evidence."""

Pair = tuple[Difference, "Ids"]
"""A conversation with the text and the ids of the renderer, and the ids of the tokenizer."""


def of_ids(chat: Chat, other: OtherRenderer, rows: Sequence[Difference]) -> Iterator[Problem]:
    """Yield a problem for each way in which a renderer's ids differ from the tokenizer's."""
    rows = [row for row in rows if row.given.ids is not None and row.given.text is not None]
    tokens = chat.tokens
    if not rows:
        return
    if tokens is None or not tokens.reads_special:
        message = f"the ids of {other.shown} were not compared: no tokenizer reads its text"
        yield Problem(cause_for(other, "ids not compared", "", Verdict.FACT, message))
        return
    read = tokens.read_all([row.given.text or "" for row in rows])
    pairs = [
        (row, ids)
        for row, ids in zip(rows, read, strict=True)
        if ids is not None and list(row.given.ids or ()) != ids
    ]
    groups: dict[str, list[Pair]] = {}
    for pair in sorted(pairs, key=lambda pair: pair[0].distance):
        groups.setdefault(_where(tokens, *pair), []).append(pair)
    for where, group in groups.items():
        yield _problem(chat, other, group, where)


def _where(tokens: Tokens, row: Difference, expected: Ids) -> str:
    """Return where ids differ first; "" at a control token that stands in a text of a message."""
    given = list(row.given.ids or ())
    place, more = _common(given, expected), len(given) - len(expected)
    number = "more" if more > 0 else "fewer"
    if more and given[max(more, 0) :] == expected[max(-more, 0) :]:
        return f"{number} ids at the beginning"
    if place == min(len(given), len(expected)):
        return f"{number} ids at the end"
    name, texts = tokens.name_of(expected[place]), "\n".join(row.texts.values())
    if name in texts and name in (*tokens.special, *tokens.added):
        return ""
    return f"no {name}, whose text gets different ids" if name in tokens.special else "inside"


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _problem(chat: Chat, other: OtherRenderer, pairs: Sequence[Pair], where: str) -> Problem:
    row, ids = pairs[0]
    kind, verdict = "different ids", verdict_of([row])
    message = f"{other.shown} has ids for its text that the tokenizer has not: {where}"
    if not where:
        kind, verdict = "control tokens are text", Verdict.FACT
        message = f"{other.shown} encodes apart a text that has a control token"
    cause = cause_for(other, kind, where, verdict, message)

    def again(one: Conversation) -> Pair | None:
        ((expected, given),) = chat.compared([one], other)
        read = None if chat.tokens is None else chat.tokens.read(given.text or "")
        if given.text is None or given.ids is None or read in (None, list(given.ids)):
            return None
        return Difference(row.shape, one, {}, given, expected), read or []

    def shows(one: Conversation) -> bool:
        pair = again(one)
        return pair is not None and chat.tokens is not None and _where(chat.tokens, *pair) == where

    def evidence_of(one: Conversation) -> dict[str, Any]:
        return _evidence(*(again(one) or (row, ids)))

    shapes = names_of([one for one, _ in pairs])
    smaller = shows if where else None
    return Problem(cause, row.conversation, _evidence(row, ids), shapes, smaller, evidence_of)


def _evidence(row: Difference, expected: Ids) -> dict[str, Any]:
    """Return both sequences of ids, from a little before the first difference on."""
    given = list(row.given.ids or ())
    start = max(_common(given, expected) - BEFORE, 0)
    part = {"given": given[start : start + MOST], "expected": expected[start : start + MOST]}
    return {**part, **({"ids before them": start} if start else {})}
