"""The smallest conversation that shows the same as another one."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Protocol

from tokharness.conversations.chat import Conversation
from tokharness.conversations.shapes import fields_of, filled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

MOST_SHORT = 9
"""Most marks that become short; a longer number has a shorter one in it."""

AT_ONCE = 6
"""Smaller conversations that are rendered in one request; mostly one of the first six shows it."""

NEEDED = ("type", "function", "name")
"""Keys that the definition of a tool needs."""

SAYS = {"content", "tool_calls", "function_call"}
"""Keys that make a message say something: each message has at least one of them."""


class Fetches(Protocol):
    """What renders conversations in one request, before they are asked for."""

    def fetch(self, conversations: Iterable[Conversation]) -> None:
        """Render conversations."""


def smallest(
    one: Conversation, shows: Callable[[Conversation], bool], chat: Fetches
) -> Conversation:
    """Return a conversation that still shows it, from which nothing can be left out.

    Messages, variables and keys of messages are left out while it shows, and marks become short.
    """
    found: Conversation | None = one
    while found is not None:
        one = found
        found = _first(_smaller(one), shows, chat)
    return _short(one, shows)


def _first(
    rows: Iterable[Conversation], shows: Callable[[Conversation], bool], chat: Fetches
) -> Conversation | None:
    """Return the first conversation that shows it; some are rendered in one request."""
    rest = iter(rows)
    while some := list(islice(rest, AT_ONCE)):
        chat.fetch(some)
        for one in some:
            if shows(one):
                return one
    return None


def _smaller(one: Conversation) -> Iterator[Conversation]:
    messages, first = one.messages, _first_role(one.messages)
    for size in (len(messages) // 2, 2, 1):
        for start in range(len(messages) - size + 1) if size else ():
            kept = messages[:start] + messages[start + size :]
            if kept and _is_sound(kept, first):
                yield replace(one, messages=kept)
    yield from (replace(one, options=less) for less in _with_less_inside(dict(one.options)))
    for number, message in enumerate(messages):
        for key in message:
            if key not in ("role", "content", "tool_call_id"):
                less = {k: v for k, v in message.items() if k != key}
                changed = (*messages[:number], less, *messages[number + 1 :])
                if _is_sound(changed, first):
                    yield replace(one, messages=changed)
        for shorter in _with_less(message):
            yield replace(one, messages=(*messages[:number], shorter, *messages[number + 1 :]))


def _with_less_inside(value: Any) -> Iterator[Any]:
    """Yield plain data less one key or one item anywhere, but not what each tool needs."""
    if isinstance(value, dict):
        kept = {key: item for key, item in value.items() if key not in NEEDED}
        yield from ({k: v for k, v in value.items() if k != key} for key in kept)
        for key, item in value.items():
            yield from ({**value, key: less} for less in _with_less_inside(item))
    elif isinstance(value, list):
        if len(value) > 1:
            yield from (value[:place] + value[place + 1 :] for place in range(len(value)))
        for place, item in enumerate(value):
            for less in _with_less_inside(item):
                yield [*value[:place], less, *value[place + 1 :]]


def _with_less(message: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a message with one call, one part, and no arguments of a call, if it has more."""
    for key in ("tool_calls", "content"):
        if isinstance(rows := message.get(key), list):
            yield from ({**message, key: rows[:size]} for size in range(1, len(rows)))
    calls = message.get("tool_calls")
    if isinstance(calls, list) and len(calls) == 1 and isinstance(calls[0], dict):
        function = calls[0].get("function")
        if isinstance(function, dict) and function.get("arguments") not in ({}, "{}"):
            empty = {} if isinstance(function.get("arguments"), dict) else "{}"
            less = {**calls[0], "function": {**function, "arguments": empty}}
            yield {**message, "tool_calls": [less]}


def _is_sound(messages: Sequence[Mapping[str, Any]], first: str | None) -> bool:
    """Whether a client may send the messages: the same role speaks first, and calls have results.

    A result follows a call or another result, and nothing else follows a call. A message without
    a content calls something.
    """
    if _first_role(messages) != first:
        return False
    for before, message in pairwise((None, *messages)):
        is_result = message is not None and message.get("role") == "tool"
        calls = before is not None and bool(before.get("tool_calls"))
        if calls and not is_result:
            return False
        if message is not None and not SAYS & message.keys():
            return False
        if is_result and not calls and (before is None or before.get("role") != "tool"):
            return False
    return True


def _first_role(messages: Sequence[Mapping[str, Any]]) -> str | None:
    roles = (message.get("role") for message in messages)
    return next((role for role in roles if role not in ("system", "developer")), None)


def _short(one: Conversation, shows: Callable[[Conversation], bool]) -> Conversation:
    """Return the conversation with short texts for its marks, if it still shows it."""
    marks = dict.fromkeys(field.mark for field in fields_of(one.messages, one.options))
    if len(marks) > MOST_SHORT:
        return one
    names = {mark: f"text{number}" for number, mark in enumerate(marks, 1)}
    messages = tuple(filled(list(one.messages), names))
    shorter = Conversation(messages, filled(dict(one.options), names))
    return shorter if shows(shorter) else one
