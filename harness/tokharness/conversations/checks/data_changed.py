"""The arguments of a call come back in another order, or are encoded twice.

Why it matters: the arguments were written by the model. If they come back otherwise, the model
reads a call that it never made, and a cached prefix ends there. Arguments that are encoded twice
teach it to write quotes within quotes.

Oracle: invariant of the template: what a client sends as data stands in the prompt with its keys in
their order, and what it sends as text is not put in quotes.

How it works: arguments and definitions of tools have keys that are in no alphabetical order. Where
all of them are in the rendering, in another order, the check reports it. Arguments that are sent as
text are looked for with escaped quotes.

Verdicts: *risk* for arguments, *by design* for definitions of tools.

Example: ``tojson(sort_keys=true)``::

    TOK506 risk  keys in another order: arguments of a call

What to do: iterate over ``items()``, not ``dictsort``; parse arguments that are a text, or write
them as they are.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness.conversations.chat import Problem
from tokharness.conversations.excerpts import excerpt
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness.conversations.chat import Chat, Conversation

CODE = "TOK506"
NAME = "data-changed"

ARGUMENTS, DEFINITIONS = "arguments of a call", "definition of a tool"


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each shape whose data is changed."""
    for shape, one, text in chat.rendered_shapes:
        for what, find, kind, message, verdict in _TESTS:
            place = find(one, text)
            if place is not None:
                cause = Cause(kind, (("of", what),), verdict, message.format(what))
                evidence_of = partial(_evidence, chat, find)
                yield Problem(
                    cause, one, evidence_of(one), (shape.name,), _shows(chat, find), evidence_of
                )


def _evidence(
    chat: Chat, find: Callable[[Conversation, str], int | None], one: Conversation
) -> dict[str, Any]:
    text = chat.text(one) or ""
    return {"at": excerpt(text, find(one, text) or 0)}


def _shows(
    chat: Chat, find: Callable[[Conversation, str], int | None]
) -> Callable[[Conversation], bool]:
    def shows(one: Conversation) -> bool:
        text = chat.text(one)
        return text is not None and find(one, text) is not None

    return shows


def _sorted_arguments(one: Conversation, text: str) -> int | None:
    """Return where the arguments of a call stand in another order; None if they do not."""
    for arguments in _arguments(one):
        if isinstance(arguments, dict) and (place := _is_sorted(arguments, text)) is not None:
            return place
    return None


def _is_sorted(data: dict[str, Any], text: str) -> int | None:
    """Return where the texts of an object's values stand in the order of its sorted keys."""
    rows = [(key, value) for key, value in data.items() if isinstance(value, str)]
    places = [text.find(value) for _, value in rows]
    if len(rows) < 2 or -1 in places or any(text.count(value) != 1 for _, value in rows):
        return None
    return min(places) if places != sorted(places) else None


def _sorted_definitions(one: Conversation, text: str) -> int | None:
    for tool in one.options.get("tools") or ():
        properties = tool["function"].get("parameters", {}).get("properties", {})
        described = {
            key: value["description"]
            for key, value in properties.items()
            if isinstance(value, dict) and isinstance(value.get("description"), str)
        }
        if (place := _is_sorted(described, text)) is not None:
            return place
    return None


def _encoded_twice(one: Conversation, text: str) -> int | None:
    for arguments in _arguments(one):
        if isinstance(arguments, str):
            quoted = arguments.replace('"', '\\"')
            if quoted != arguments and quoted in text:
                return text.index(quoted)
    return None


def _arguments(one: Conversation) -> Iterator[Any]:
    for message in one.messages:
        for call in message.get("tool_calls") or ():
            yield call["function"]["arguments"]


_TESTS = (
    (
        ARGUMENTS,
        _sorted_arguments,
        "keys in another order",
        "the keys of the {} stand in another order than they were sent in",
        Verdict.RISK,
    ),
    (
        DEFINITIONS,
        _sorted_definitions,
        "keys in another order",
        "the keys of the {} stand in another order than they were sent in",
        Verdict.FACT,
    ),
    (
        ARGUMENTS,
        _encoded_twice,
        "encoded twice",
        "the {}, which clients send as a text of JSON, stand in the prompt as a text in quotes",
        Verdict.RISK,
    ),
)
