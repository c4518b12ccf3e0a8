"""A value of Python stands in the prompt in Python's spelling.

Why it matters: a client sends JSON. ``None``, ``True`` and ``{'key': 1}`` are what Python makes of
it where a template forgets ``tojson``. The model was trained on one spelling, and copies the other
one into arguments that no parser of JSON reads.

Oracle: metamorphic: a conversation against its twin with a text in the place of each null and each
boolean: the twin has neither ``None`` nor ``True`` more.

How it works: of all shapes with a null, a boolean or data, the words ``None``, ``True``, ``False``
and ``Undefined`` are counted in both renderings, so that words of the template do not count. Keys
in Python's quotes are those of the conversation, followed by a colon.

Verdicts: *bug* for ``None`` in the place of the content of a message that calls tools, and for an
undefined value. *Risk* for ``None`` in the place of another content, and for data, a boolean or a
null of arguments and definitions: formats that look like calls of Python write them so by design,
and a model may be trained on it. *By design* outside of the OpenAI schema.

Example::

    TOK505 bug  None in the prompt: assistant content

What to do: ``tojson`` for values, and ``message.content or ""``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness.conversations.chat import Problem
from tokharness.conversations.excerpts import excerpt
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tokharness.conversations.chat import Chat, Conversation
    from tokharness.conversations.shapes import Shape

CODE = "TOK505"
NAME = "python-in-prompt"

SPELLINGS = {
    "None": re.compile(r"\bNone\b"),
    "a boolean": re.compile(r"\b(?:True|False)\b"),
    "an undefined value": re.compile(r"\bUndefined\b"),
    "an object": re.compile(r"<(?:built-in|bound|function|generator) [^>]*>| object at 0x"),
}


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each spelling of Python in each shape."""
    for shape, one, text in chat.rendered_shapes:
        for what, place in leaks(chat, one, text):
            cause = _cause(chat, shape, one, what)
            shows = _shows(chat, shape, cause, what)
            yield Problem(cause, one, _at(text, place), (shape.name,), shows, _evidence(chat, what))


def leaks(chat: Chat, one: Conversation, text: str) -> list[tuple[str, int]]:
    """Return the spellings of Python in a text that are not of the template, with a place."""
    twin = chat.text(_twin(one))
    found = []
    if twin is not None:
        for what, pattern in SPELLINGS.items():
            places = [match.start() for match in pattern.finditer(text)]
            if len(places) > len(pattern.findall(twin)):
                found.append((what, _first_new(places, twin, text)))
    keys = "|".join(map(re.escape, sorted(_keys(one))))
    if keys and (match := re.search(f"'(?:{keys})': ", text)):
        found.append(("data", match.start()))
    return found


def _first_new(places: list[int], twin: str, text: str) -> int:
    """Return the first place at which the twin has something else."""
    return next((p for p in places if not twin.startswith(text[: p + 4])), places[0])


def _shows(chat: Chat, shape: Shape, cause: Cause, what: str) -> Callable[[Conversation], bool]:
    def shows(one: Conversation) -> bool:
        text = chat.text(one)
        if text is None or _cause(chat, shape, one, what) != cause:
            return False
        return any(kind == what for kind, _ in leaks(chat, one, text))

    return shows


def _evidence(chat: Chat, what: str) -> Callable[[Conversation], dict[str, Any]]:
    def evidence(one: Conversation) -> dict[str, Any]:
        text = chat.text(one) or ""
        places = [place for kind, place in leaks(chat, one, text) if kind == what]
        return _at(text, places[0]) if places else {}

    return evidence


def _at(text: str, place: int) -> dict[str, Any]:
    return {"rendered": excerpt(text, place)}


def _cause(chat: Chat, shape: Shape, one: Conversation, what: str) -> Cause:
    where = _where(one, what)
    is_text = (
        what == "None"
        and chat.shows_calls
        and any(
            message.get("tool_calls") and message.get("content", "") is None
            for message in one.messages
        )
    )
    is_bug = is_text or what in ("an object", "an undefined value")
    verdict = Verdict.BUG if is_bug else Verdict.RISK
    if not shape.is_permitted:
        verdict = Verdict.FACT
    note = f"; {shape.note}" if shape.note else ""
    message = f"{what} of the {where} is written as Python writes it{note}"
    return Cause("spelling of Python", (("of", f"{what} of the {where}"),), verdict, message)


def _where(one: Conversation, what: str) -> str:
    """Return which part of the conversation has such a value."""
    wanted = {"None": "null", "a boolean": "boolean", "data": "data"}.get(what, "")
    for message in one.messages:
        content = message.get("content", "")
        if content is None and wanted == "null":
            return _content(message)
        if isinstance(content, list | dict) and wanted == "data":
            return _content(message)
    if one.options.get("tools") and not any("tool_calls" in m for m in one.messages):
        return "definitions of tools"
    if any("tool_calls" in message for message in one.messages):
        return "arguments of a call"
    return "conversation"


def _content(message: Mapping[str, Any]) -> str:
    if message["role"] == "tool":
        return "tool result"
    return f"{message['role']} content{' next to a call' if message.get('tool_calls') else ''}"


def _twin(one: Conversation) -> Conversation:
    """Return the conversation with a text for each null and each boolean."""
    return replace(one, messages=tuple(map(_plain, one.messages)), options=_plain(one.options))


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return "qz"
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _keys(value: Any) -> set[str]:
    """Return the keys of data below the messages, which no template writes in single quotes."""
    conversation = value
    found: set[str] = set()
    pending = [*conversation.messages, *conversation.options.values()]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            found |= item.keys()
            pending.extend(item.values())
        elif isinstance(item, list | tuple):
            pending.extend(item)
    return found - {"role", "content", "name"}
