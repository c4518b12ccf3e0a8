"""A shape of a conversation: messages whose texts are marks, and the messages of its kinds.

Each shape is a growing list of messages, of which a template gets the first ones, and more. The
texts are *marks*: short words of ASCII letters and digits, each of which occurs once, so that a
rendering shows what became of each text. :func:`filled` puts other texts in their place.
"""

from __future__ import annotations

import json
import marshal
import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any

from tokharness.results.untrusted import refuse_deep

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


Message = dict[str, Any]

MARK = "qz{:03d}{}xk"
"""A mark: a number, and what it marks."""

MARKS = re.compile(r"qz\d{3}[a-z]{3}xk|\btext[1-9]\b")
"""Marks, and the short ones of a conversation that was shrunk."""

LOOK_UP = "look_up"
"""The name of a tool."""

MOST_MESSAGES = 1_000
"""Messages of a conversation that a user gives."""

MOST_RENDERED = 1 << 26
"""Messages times bytes of such a conversation, whose beginnings are all rendered and kept."""

CONVERTED = "loaders convert"
"""Begins the note of a shape that many loaders change before the template sees it."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A conversation with marks for texts.

    Attributes:
        name: Its name.
        messages: The messages.
        options: Further variables of the template, such as ``tools``.
        note: What the OpenAI schema says of it, or "" if it simply permits it.
        is_permitted: Whether the OpenAI schema permits it.

    """

    name: str
    messages: tuple[Message, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    is_permitted: bool = True

    @property
    def is_converted(self) -> bool:
        """Whether many loaders change it before the template sees it."""
        return self.note.startswith(CONVERTED)


def _role(message: Mapping[str, Any]) -> Any:
    return message.get("role")


@dataclass(frozen=True, slots=True)
class Field:
    """A mark in a conversation, and where it stands.

    ``path`` has the index of the message and the keys below it; ``what`` is the kind of the text,
    such as ``user content``.
    """

    mark: str
    path: tuple[Any, ...]
    what: str


def fields_of(messages: Sequence[Any], options: Mapping[str, Any]) -> list[Field]:
    """Return the fields of a conversation that have a mark, in the order of the messages."""
    return list(_known_fields(marshal.dumps([list(messages), dict(options)], 2)))


@lru_cache(1 << 10)
def _known_fields(data: bytes) -> tuple[Field, ...]:
    """Return the fields of messages and options, as checks ask for the same ones often."""
    messages, options = marshal.loads(data)  # noqa: S302 - of this process
    found = [Field(mark, path, _what(mark, path, messages)) for path, mark in _marks(messages, ())]
    for key, value in options.items():
        found += [
            Field(mark, (key, *path), _of_option(key, path)) for path, mark in _marks(value, ())
        ]
    return tuple(found)


def _marks(value: Any, path: tuple[Any, ...]) -> list[tuple[tuple[Any, ...], str]]:
    """Return the marks in plain data, each with its path."""
    if isinstance(value, str):
        may_have = "qz" in value or "text" in value  # most texts are none, and this is fast
        return [(path, mark) for mark in MARKS.findall(value)] if may_have else []
    found: list[tuple[tuple[Any, ...], str]] = []
    if isinstance(value, dict):
        for key, item in value.items():
            found += _marks(item, (*path, key))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            found += _marks(item, (*path, index))
    return found


def _is_thought(mark: str, content: Any) -> bool:
    """Whether a content has the mark between the tags of thoughts."""
    return isinstance(content, str) and content.find("<think>") < content.find(mark) < (
        content.find("</think>")
    )


def _what(mark: str, path: tuple[Any, ...], messages: Sequence[Mapping[str, Any]]) -> str:
    role, key = _role(messages[path[0]]), path[1]
    if key == "tool_calls":
        return f"{path[-1] if path[-1] in ('id', 'name') else 'arguments'} of a call"
    if key == "tool_call_id":
        return "id of a tool result"
    if key in ("reasoning_content", "reasoning", "thinking"):
        return "reasoning"
    if role == "tool" and key == "content":
        return "tool result"
    if role == "assistant" and key == "content" and _is_thought(mark, messages[path[0]]["content"]):
        return "reasoning in tags"
    return f"{role} {key}"


def _of_option(key: str, path: tuple[Any, ...]) -> str:
    if key != "tools":
        return key
    return "description of a tool" if path[-1] == "description" else "definition of a tool"


def filled(value: Any, texts: Mapping[str, str]) -> Any:
    """Return plain data with other texts for marks."""
    if isinstance(value, str):
        for mark, text in texts.items():
            if mark in value:
                value = value.replace(mark, text)
        return value
    if isinstance(value, dict):
        return {key: filled(item, texts) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [filled(item, texts) for item in value]
    return value


def renumbered(value: Any, first: int) -> Any:
    """Return plain data whose marks have the numbers from ``first`` on, in their order."""
    names: dict[str, str] = {}

    def name(found: re.Match[str]) -> str:
        mark = found.group()
        return names.setdefault(mark, MARK.format(first + len(names), mark[5:8]))

    return json.loads(MARKS.sub(name, json.dumps(value)))


class Marks:
    """Makes the messages of a shape, with a new mark for each text."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self.last = ""

    def new(self, what: str) -> str:
        """Return a new mark, which is then the :attr:`last` one."""
        self.last = MARK.format(next(self._numbers), what)
        return self.last

    def user(self, **more: Any) -> Message:
        """Return a message of the user."""
        return {"role": "user", "content": self.new("usr"), **more}

    def system(self, **more: Any) -> Message:
        """Return a message of the system."""
        return {"role": "system", "content": self.new("sys"), **more}

    def assistant(self, **more: Any) -> Message:
        """Return a message of the assistant."""
        return {"role": "assistant", "content": self.new("ast"), **more}

    def part(self, what: str) -> dict[str, Any]:
        """Return a part of a content."""
        return {"type": "text", "text": self.new(what)}

    def arguments(self) -> dict[str, Any]:
        """Return arguments whose keys are in no alphabetical order."""
        return {"zone": self.new("arg"), "area": self.new("arg")}

    def call(self, number: int = 1, name: str = LOOK_UP, arguments: Any = None) -> dict[str, Any]:
        """Return a call of a tool."""
        given = self.arguments() if arguments is None else arguments
        function = {"name": name, "arguments": given}
        return {"id": f"call00{number:03d}", "type": "function", "function": function}

    def calls(self, *calls: dict[str, Any], **more: Any) -> Message:
        """Return a message of the assistant that calls tools, with an empty content."""
        return {"role": "assistant", "content": "", "tool_calls": list(calls), **more}

    def result(self, number: int = 1, **more: Any) -> Message:
        """Return a result of a tool."""
        message = {"role": "tool", "tool_call_id": f"call00{number:03d}", "name": LOOK_UP}
        return {**message, "content": self.new("res"), **more}

    def document(self) -> dict[str, Any]:
        """Return a document, as transformers passes them."""
        return {"title": self.new("ttl"), "text": self.new("doc")}

    def tool(self, name: str = LOOK_UP, **more: Any) -> dict[str, Any]:
        """Return the definition of a tool."""
        properties = {
            "zone": {"type": "string", "description": self.new("prp")},
            "area": {"type": "string", "description": self.new("prp")},
        }
        function = {
            "name": name,
            "description": self.new("dsc"),
            "parameters": {"type": "object", "properties": properties, "required": ["zone"]},
        }
        return {"type": "function", "function": {**function, **more}}


def calls_of(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the calls of a message that are objects."""
    calls = message.get("tool_calls")
    return [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []


def tools_of(options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the definitions of tools that are objects."""
    tools = options.get("tools")
    return [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []


def function_of(one: Mapping[str, Any]) -> dict[str, Any]:
    """Return the function of a call or a definition; its own keys if it has none, as some do."""
    function = one.get("function", one)
    return function if isinstance(function, dict) else {}


def with_arguments(message: Message, change: Callable[[Any], Any]) -> Message:
    """Return a message with other arguments in each of its calls that has some."""
    if not calls_of(message):
        return message
    calls = list(message["tool_calls"])
    for place, call in enumerate(calls):
        function = function_of(call) if isinstance(call, dict) else {}
        if "arguments" in function:
            new = {**function, "arguments": change(function["arguments"])}
            calls[place] = {**call, "function": new} if "function" in call else new
    return {**message, "tool_calls": calls}


def shape_of(value: Any) -> Shape:
    """Return the shape of a conversation that a user gives, as plain data.

    Raises:
        ValueError: it is neither a list of messages nor an object that has one, or it exceeds a
            bound.

    """
    value, size = _as_json(value)
    options: dict[str, Any] = {}
    if isinstance(value, dict):
        options = {key: item for key, item in value.items() if key != "messages"}
        value = value.get("messages")
    is_list = isinstance(value, list) and value
    if not is_list or not all(isinstance(one, dict) and "role" in one for one in value):
        raise ValueError('it is no list of messages such as [{"role": "user", "content": "hi"}]')
    if len(value) > MOST_MESSAGES or len(value) * size > MOST_RENDERED:
        raise ValueError(
            f"it has {len(value):,} messages and {size:,} bytes, which would be rendered message "
            f"by message: at most {MOST_MESSAGES:,}, and messages times bytes {MOST_RENDERED:,}"
        )
    return Shape("given", tuple(value), options, *_permission(value, options))


def _as_json(value: Any) -> tuple[Any, int]:
    """Return plain data as JSON has it, and the size of its JSON in bytes."""
    try:
        text = json.dumps(value, allow_nan=False)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
    except TypeError as error:
        raise ValueError(f"it is not JSON: {error}") from error
    if len(text) > MOST_RENDERED:
        raise ValueError(f"it has {len(text):,} bytes, more than {MOST_RENDERED:,}")
    plain = json.loads(text)
    refuse_deep(plain)
    return plain, len(text)


def _permission(messages: list[Message], options: Mapping[str, Any]) -> tuple[str, bool]:
    """Return the note of a conversation, and whether the OpenAI schema permits it."""
    calls = [call for one in messages for call in calls_of(one)]
    contents = [one.get("content", "") for one in messages]
    beyond = {"reasoning_content", "reasoning", "thinking", "function_call"}
    if (
        any(beyond & one.keys() or one["role"] == "function" for one in messages)
        or any(isinstance(content, dict) for content in contents)
        or any("id" not in call for call in calls)
        or any(not isinstance(one.get("tool_calls") or [], list) for one in messages)
        or any("function" not in one for one in (*calls, *tools_of(options)))
        or options.keys() - {"tools"}
    ):
        return "the OpenAI schema has no such conversation", False
    if any(content is None or isinstance(content, list) for content in contents):
        return f"{CONVERTED} null and parts for templates that read texts only", True
    if any(isinstance(function_of(call).get("arguments"), str) for call in calls):
        return f"{CONVERTED} arguments from text to an object", True
    return "", True
