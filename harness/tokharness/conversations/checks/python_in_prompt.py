"""A value of Python stands in the prompt in Python's spelling.

Why it matters: a client sends JSON. ``None``, ``True`` and ``{'key': 1}`` are what Python makes of
it where a template forgets ``tojson``. The model was trained on one spelling, and copies the other
one into arguments that no parser of JSON reads.

Oracle: metamorphic: a conversation against its twin with a text in the place of each null and each
boolean: the twin has neither ``None`` nor ``True`` more.

How it works: of all shapes with a null, a boolean or data, the words ``None``, ``True``, ``False``
and ``Undefined`` are counted in both renderings, so that words of the template do not count. Keys
in Python's quotes are those of the conversation, followed by a colon.

Verdicts: *bug* for ``None`` in the place of the content of a message that calls tools, for a whole
message as Python's data, for an object, and for an undefined value. *Risk* for ``None`` in the
place of another content, and for data, a boolean or a null of arguments and definitions: formats
that look like calls of Python write them so by design, and a model may be trained on it. *By
design* outside of the OpenAI schema.

Example::

    TOK505 bug  None in the prompt: assistant content

What to do: ``tojson`` for values, and ``message.content or ""``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness.conversations.chat import Conversation, Problem, asked
from tokharness.conversations.excerpts import excerpt
from tokharness.conversations.shapes import calls_of, with_arguments
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import UnionType

    from tokharness.conversations.chat import Chat
    from tokharness.conversations.shapes import Shape

CODE = "TOK505"
NAME = "python-in-prompt"

SPELLINGS = {
    "None": re.compile(r"\bNone\b"),
    "a boolean": re.compile(r"\b(?:True|False)\b"),
    "an undefined value": re.compile(r"\bUndefined\b"),
}

PROMPTED = ("user", "system and user", "result to answer")
"""Shapes that are also looked at with the prompt for an answer."""

CONTENTS = "contents"
"""Where data stands if it stands in contents of each role."""

WORDS = ("None", "True", "False", "Undefined")
"""Words of the spellings, which are looked for first, as that is fast in a long text."""

OBJECT = re.compile(r"<bound method |<(?:built-in|function|generator|[\w.]+ object)\b[^<>]* at 0x")


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each spelling of Python in each shape."""
    chat.fetch(_twin(one) for _, one, text in chat.rendered_shapes if _is_spelled(text))
    prompts = [
        (shape, asked(one, prompt=True))
        for shape, one, _ in chat.rendered_shapes
        if shape.name in PROMPTED or chat.is_given
    ]
    rows = [(shape, one, chat.text(one) or "") for shape, one in prompts]
    for shape, one, text in (*chat.rendered_shapes, *rows):
        for what, place in leaks(chat, one, text):
            cause = _cause(chat, shape, one, what)
            shows = _shows(chat, shape, cause, what)
            yield Problem(cause, one, _at(text, place), (shape.name,), shows, _evidence(chat, what))


def leaks(chat: Chat, one: Conversation, text: str) -> list[tuple[str, int]]:
    """Return the spellings of Python in a text that are not of the template, with a place."""
    twin = chat.text(_twin(one)) if _is_spelled(text) else None
    found = []
    if twin is not None:
        for what, pattern in SPELLINGS.items():
            places = [match.start() for match in pattern.finditer(text)]
            if len(places) > len(pattern.findall(twin)):
                found.append((what, _first_new(places, twin, text)))
    if match := OBJECT.search(text):
        found.append(("an object", match.start()))
    if "': " in text and (match := _data(one).search(text)):
        found.append(("data", match.start()))
    if (place := _whole_message(chat, one, text)) is not None:
        found.append(("a whole message", place))
    return found


def _is_spelled(text: str) -> bool:
    """Whether a text has a word of Python, perhaps the template's own."""
    return any(word in text for word in WORDS)


def _data(one: Conversation) -> re.Pattern[str]:
    """Return the pattern of the keys of a conversation, as Python writes them."""
    keys = "|".join(map(re.escape, sorted(_keys(one))))
    return re.compile(f"'(?:{keys})': " if keys else r"(?!)")


def _whole_message(chat: Chat, one: Conversation, text: str) -> int | None:
    """Return where a message stands as Python's data; None if none does.

    Python changes its quotes if the content has one, and words of a template do not.
    """
    place = text.find("'content': '")
    if place < 0:
        return None
    messages = tuple(
        {**message, "content": f"{content}'"}
        if isinstance(content := message.get("content"), str)
        else message
        for message in one.messages
    )
    quoted = chat.text(replace(one, messages=messages))
    return place if quoted is not None and "'content': \"" in quoted else None


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
    return {"at": excerpt(text, place)}


def _cause(chat: Chat, shape: Shape, one: Conversation, what: str) -> Cause:
    where = _where(chat, one, what)
    is_text = (
        what == "None"
        and chat.shows_calls
        and any(
            message.get("tool_calls") and message.get("content", "") is None
            for message in one.messages
        )
    )
    is_bug = is_text or what in ("an object", "an undefined value", "a whole message")
    verdict = Verdict.BUG if is_bug else Verdict.RISK
    if not shape.is_permitted:
        verdict = Verdict.FACT
    note = f"; {shape.note}" if shape.note else ""
    message = f"{what} of the {where} is written as Python writes it{note}"
    return Cause("spelling of Python", (("of", f"{what} of the {where}"),), verdict, message)


def _where(chat: Chat, one: Conversation, what: str) -> str:
    """Return which part of the conversation has such a value."""
    if what in ("an object", "an undefined value", "a whole message"):
        return "conversation"
    if what == "data" and (place := _place_of_data(chat, one)):
        return CONTENTS if place.endswith(("content", "result")) and _is_part(chat) else place
    kinds = {"None": type(None), "a boolean": bool, "data": list | dict}
    for message in one.messages:
        if what in kinds and _has(message.get("content", ""), kinds[what]):
            without = {key: value for key, value in message.items() if key != "tool_calls"}
            return _content(message if chat.shows_calls else without)
    if one.options.get("tools") and not any("tool_calls" in m for m in one.messages):
        return "definitions of tools"
    if any("tool_calls" in message for message in one.messages):
        return "arguments of a call"
    return "conversation"


def _is_part(chat: Chat) -> bool:
    """Whether a part of a content of a user is written as data, so that all contents may be."""
    part = {"type": "text", "text": "text1"}
    one = Conversation(({"role": "user", "content": [part]},), chat.needed)
    return bool(_data(one).search(chat.text(one) or ""))


def _has(value: Any, kind: type | UnionType) -> bool:
    """Whether plain data is a value of a kind, or has one inside."""
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return isinstance(value, kind) or any(_has(item, kind) for item in items)


def _place_of_data(chat: Chat, one: Conversation) -> str:
    """Return the part of a conversation without which less data stands in the prompt."""
    text = chat.text(one) or ""
    pattern = _data(one)
    number = len(pattern.findall(text))
    for name, less in _without_data(one):
        other = None if less == one else chat.text(less)
        if other is not None and len(pattern.findall(other)) < number:
            return name
    return ""


def _without_data(one: Conversation) -> Iterator[tuple[str, Conversation]]:
    """Yield the conversation without the definitions, the contents, and the arguments with data."""
    options = {key: value for key, value in one.options.items() if key != "tools"}
    yield "definitions of tools", replace(one, options=options)
    for number, message in enumerate(one.messages):
        content = message.get("content")
        others = []
        if isinstance(content, list | dict):
            others.append((_content(message), {**message, "content": ""}))
        if calls_of(message):
            less = with_arguments(dict(message), lambda _: {})
            others.append(("arguments of a call", less))
        for name, changed in others:
            messages = (*one.messages[:number], changed, *one.messages[number + 1 :])
            yield name, replace(one, messages=messages)


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
