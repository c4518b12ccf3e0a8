"""Arguments with which a call, or a definition of a tool, is no longer JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.conversations.broken_json import is_json, part_around
from tokharness.conversations.chat import Conversation, Problem
from tokharness.conversations.excerpts import excerpt
from tokharness.conversations.shapes import Marks
from tokharness.conversations.turns import WORD
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.conversations.chat import Chat

NAME, DESCRIBED = "kq_call", "kq_text"
"""The name of a function, and the beginning of its description, which occur nowhere else."""

BREAKING = {"a quote": '"', "a backslash": "\\", "a line feed": "\n"}
"""Characters that JSON has to escape."""


def breaking_arguments(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for arguments, or a description, with which JSON is none any more."""
    yield from _without_arguments(chat)
    yield from _unescaped(chat, "the arguments of a call", NAME)
    if not chat.gets_no_tools:
        yield from _unescaped(chat, "the description of a tool", DESCRIBED)


def _without_arguments(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if a call without arguments is not JSON, and one with some is."""
    filled, empty = (_called(chat, arguments) for arguments in ({"zone": "text2"}, {}))
    parts = [_part(chat, one, NAME) for one in (filled, empty)]
    if _is_json(parts[0]) and parts[1] and not is_json(parts[1]):
        message = f"a call without arguments stands in a text that is not JSON: {parts[1][:80]}"
        cause = Cause("no JSON", (("of", "a call without arguments"),), Verdict.RISK, message)
        yield Problem(cause, empty)


def _unescaped(chat: Chat, what: str, word: str) -> Iterator[Problem]:
    """Yield a problem if a text with a character that JSON escapes makes JSON of another text."""

    def asked(text: str) -> Conversation:
        if word == NAME:
            return _called(chat, {"zone": text})
        one = _called(chat, {}, f"{DESCRIBED} {text}")
        return one.first(1)

    if not _is_json(_part(chat, asked("text2"), word)):
        return
    parts = {name: _part(chat, asked(f"text2{char}q"), word) for name, char in BREAKING.items()}
    if broken := [name for name, part in parts.items() if part and not is_json(part)]:
        chars = ", ".join(broken)
        message = f"the text around {what} is not JSON, as the template does not escape {chars}"
        parameters = (("of", f"{chars} in {what}"),)
        one = asked(f"text2{BREAKING[broken[0]]}q")
        text = chat.text(one) or ""
        evidence = {"at": excerpt(text, max(text.find("text2"), 0))}
        yield Problem(Cause("no JSON", parameters, Verdict.RISK, message), one, evidence)


def _called(chat: Chat, arguments: dict[str, Any], description: str = "text3") -> Conversation:
    m = Marks()
    parameters = {"type": "object", "properties": {}}
    tool = m.tool(description=description, parameters=parameters)
    options = chat.needed if chat.gets_no_tools else {**chat.needed, "tools": [tool]}
    called = m.calls(m.call(name=NAME, arguments=arguments))
    return Conversation(({"role": "user", "content": "text1"}, called), options)


def _part(chat: Chat, one: Conversation, word: str) -> str:
    """Return what stands around a word, between two words in brackets; "" without it."""
    text = chat.text(one) or ""
    words = [found.span() for found in WORD.finditer(text)]
    return part_around(text, text.find(word), words) if word in text else ""


def _is_json(part: str) -> bool:
    return part[:1] in ("{", "[") and is_json(part)
