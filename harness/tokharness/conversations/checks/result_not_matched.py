"""Calls of tools and their results cannot be matched, or are matched wrongly.

Why it matters: a model that calls two tools at once reads two results. It takes one for the other
if both have the same id, or if a result has the name or the id of another call.

Oracle: invariant of the template: what says which result belongs to which call, an id or a name,
is in the prompt for each call and for each result, and differs between two calls.

How it works: an assistant calls two tools, at once or one after another, and both results follow,
in the order of the calls and in the other order. Each id and each name occurs nowhere else, so that
the rendering shows which of them stand next to the calls, and which next to the results. Numbers
that a template gives by itself, such as ``functions.look_up:0``, are read from behind the names. A
template that shows neither ids nor names has results in their order, and has no finding, nor has
one whose results have the names of their calls.

Verdicts: *risk*.

Example: a template that writes the same id for each call::

    TOK510 risk  same id: of calls

What to do: write ``tool_call.id`` next to each call, and ``message.tool_call_id`` next to its
result.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from tokharness.conversations.chat import Conversation, Problem
from tokharness.conversations.excerpts import common
from tokharness.conversations.shapes import Marks
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.conversations.chat import Chat

CODE = "TOK510"
NAME = "result-not-matched"

IDS, OWN_IDS, NAMES = ("kq1wz0ab1", "kq2wz0ab2"), ("kq3wz0ab3", "kq4wz0ab4"), ("find_ab", "read_cd")
"""Ids of two calls, ids of results that match no call, and names of two tools.

Some templates refuse ids of another length than nine.
"""

VALUE = re.compile(
    r"""["']?(?<![a-z])(?:id|call_id|tool_call_id)["']?\s*[:=]\s*["']([\w.:-]+)["']"""
)
"""An id that a template writes as a value, such as ``"id": "call_1"``."""

NUMBERED = re.compile(rf"(?:{'|'.join(NAMES)})[:_#-](\d+)")
"""A name with a number that a template gives by itself."""


@dataclass(frozen=True, slots=True)
class _Round:
    """Two calls and their results: the conversation, its rendering, and the last arguments."""

    one: Conversation
    text: str
    last: int
    at_once: bool

    def shown(self, words: Sequence[str]) -> list[int]:
        """Return which of some words stand behind the last arguments, each once in a row."""
        rest = self.text[self.last :]
        found = sorted(
            (at.start(), n) for n, word in enumerate(words) for at in _places(word, rest)
        )
        return [number for number, _ in groupby(number for _, number in found)]


def _places(word: str, text: str) -> Iterator[re.Match[str]]:
    return re.finditer(re.escape(word), text)


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for ids that are the same, or on one side only, and for wrong results."""
    kinds = (True, False)
    at_once = next((kind for kind in kinds if _round(chat, IDS, NAMES, at_once=kind)), None)
    if at_once is None or not chat.shows_calls:
        return
    matched = _round(chat, IDS, NAMES, at_once=at_once)
    apart = _round(chat, OWN_IDS, NAMES, at_once=at_once)
    if matched is None:
        return
    yield from _ids(chat, matched, apart)
    yield from _numbers(chat, at_once=at_once)
    yield from _wrong(matched, (0, 1), "a result")
    if at_once and (swapped := _round(chat, IDS, NAMES, at_once=True, order=(1, 0))) is not None:
        yield from _wrong(swapped, (1, 0), "a result that precedes the result of an earlier call")


def _round(
    chat: Chat,
    ids: Sequence[str],
    names: Sequence[str],
    *,
    at_once: bool,
    order: Sequence[int] = (0, 1),
) -> _Round | None:
    """Return two calls and their results, which have ids; None if the template fails on them."""
    m = Marks()
    asked = m.user()
    calls = [{**m.call(name=name), "id": id_} for name, id_ in zip(names, IDS, strict=True)]
    results = [{"role": "tool", "tool_call_id": id_, "content": m.new("res")} for id_ in ids]
    rows = [results[number] for number in order]
    if at_once:
        messages: list[dict[str, Any]] = [m.calls(*calls), *rows]
    else:
        messages = [
            one for call, row in zip(calls, rows, strict=True) for one in (m.calls(call), row)
        ]
    options = {} if chat.gets_no_tools else {"tools": [m.tool("unused")]}
    one = Conversation((asked, *messages, m.assistant()), {**chat.needed, **options})
    text = chat.text(one)
    called = calls if at_once else calls[:1]
    last = [mark for call in called for mark in call["function"]["arguments"].values()]
    if text is None or any(text.count(mark) != 1 for mark in (*last, results[0]["content"])):
        return None
    return _Round(one, text, max(text.find(mark) + len(mark) for mark in last), at_once)


def _ids(chat: Chat, matched: _Round, apart: _Round | None) -> Iterator[Problem]:
    """Yield a problem for ids of calls or of results that the prompt lacks, or has twice."""
    before = chat.text(matched.one.first(1)) or ""  # it may have examples of calls
    values = VALUE.findall(matched.text[common(before, matched.text) :])
    half = len(values) // 2
    pairs = [tuple(values)] if half == 1 else list(zip(values[::2], values[1::2], strict=False))
    if half == 2 and not matched.at_once:  # call, result, call, result
        pairs = list(zip(values[:half], values[half:], strict=True))
    same = [pair[0] for pair in pairs if len(set(pair)) == 1]
    if len(values) in (2, 4) and same and same[0] not in IDS:
        message = f"two calls, or two results, have the same id in the prompt, {same[0]!r}"
        yield _problem("same id", "of calls or results", message, matched)
        return
    text = matched.text if apart is None else apart.text
    of_calls = [id_ in text for id_ in IDS]
    of_results = [text.count(id_) > 1 for id_ in IDS]
    if apart is not None:
        of_results = [
            own in text and id_ in matched.text for own, id_ in zip(OWN_IDS, IDS, strict=True)
        ]
        if not any(of_results):  # a template may write the ids of the calls
            of_results = [matched.text.count(id_) > 1 for id_ in IDS]
    if matched.at_once and not any(of_results) and matched.shown(NAMES) == [0, 1]:
        return  # each result has the name of its call
    rows = (("calls", of_calls, "results", of_results), ("results", of_results, "calls", of_calls))
    for what, shown, other, others_shown in rows:
        if any(shown) and not all(shown):
            message = f"the prompt has the id of one of two {what} only"
            yield _problem("id of one only", f"of {what}", message, matched)
        elif all(shown) and not any(others_shown):
            message = f"the prompt has the ids of {what}, and no ids of {other} to match them with"
            yield _problem("no id", f"of {other}", message, matched)


def _numbers(chat: Chat, *, at_once: bool) -> Iterator[Problem]:
    """Yield a problem if a template gives two calls of one tool the same number."""
    one = _round(chat, IDS, NAMES[:1] * 2, at_once=at_once)
    if one is None:
        return
    numbers = NUMBERED.findall(one.text[: one.last])
    if len(numbers) > 1 and len(set(numbers)) == 1:
        message = f"two calls of one tool have the same number in the prompt, {numbers[0]}"
        yield _problem("same id", "numbers of calls", message, one)


def _wrong(one: _Round, order: tuple[int, int], whose: str) -> Iterator[Problem]:
    """Yield a problem if results have the name or the id of another call.

    What a template writes behind the arguments of the last call may stand before both.
    """
    for what, words in (("name", NAMES), ("id", IDS)):
        shown = one.shown(words)
        if len(shown) > 1 and shown[-2:] != list(order) and shown[-1] != order[-1]:
            message = f"{whose} has the {what} of another call in the prompt"
            yield _problem("another call", f"{what} of {whose}", message, one)
        elif one.at_once and shown == [0] and order[0] == 0 and words[1] in one.text:
            message = f"both results have the {what} of one call in the prompt"
            yield _problem("another call", f"{what} of both results", message, one)


def _problem(kind: str, of: str, message: str, found: _Round) -> Problem:
    cause = Cause(kind, (("of", of),), Verdict.RISK, message)
    return Problem(cause, found.one, {}, ("two calls and their results",))
