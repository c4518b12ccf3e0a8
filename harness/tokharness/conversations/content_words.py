"""Words of a content on which a template branches, found in the template and tried.

A template that looks for a word in what somebody says writes another prompt for it: a hidden
instruction may be read off nothing else.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness.conversations.hostile import with_texts
from tokharness.conversations.shapes import LOOK_UP

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.conversations.chat import Chat, Conversation
    from tokharness.conversations.shapes import Field

COMPARED = re.compile(
    r"""(['"])(?P<first>[^'"\\\n]{2,48})\1\s+(?:not\s+)?in\b"""
    r"""|(?:==|!=|\b(?:starts|ends)with\(|\b(?:split|find|count|replace)\()\s*"""
    r"""(['"])(?P<second>[^'"\\\n]{2,48})\3"""
)
"""A text that a template looks for, or compares with something."""

MOST_COMPARED = 12
"""Words that are tried; most templates have none but roles, types and tags."""

NAMES_OF_DATA = frozenset(
    (
        *("system", "developer", "user", "assistant", "model", "tool", "tools", "function"),
        *("ipython", "text", "image", "image_url", "video", "audio", "content", "name", "role"),
        *("string", "number", "integer", "boolean", "array", "object", "null", "type", "json"),
        *("thinking", "reasoning", "reasoning_content", "tool_calls", "tool_call", "arguments"),
        *("parameters", "description", "properties", "required", "enum"),
    )
)
"""Roles, types and keys, which are no words of a content."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A word of a content that changes a prompt: the field, the word, and a conversation with it.

    ``given`` is its text, and ``wanted`` what it would be if nothing but the word were added.
    """

    what: str
    word: str
    conversation: Conversation
    given: str
    wanted: str


def branches(
    chat: Chat, one: Conversation, fields: Sequence[Field], plain: str
) -> Iterator[Branch]:
    """Yield the words for which a template writes something else than ``plain`` with the word."""
    words = compared_words(chat.template.source)
    rows = [(field, word, f"{word} {field.mark} {word}") for field in fields for word in words]
    tries = [with_texts(one, {field.mark: content}) for field, _, content in rows]
    texts = chat.texts(tries)
    for (field, word, content), conversation, text in zip(rows, tries, texts, strict=True):
        wanted = [plain.replace(field.mark, form) for form in forms(content)]
        if text is not None and text not in wanted:
            yield Branch(field.what, word, conversation, text, wanted[0])


def branches_of_name(chat: Chat, one: Conversation, plain: str) -> Iterator[Branch]:
    """Yield the names of a tool for which a template writes something else than the name."""
    if LOOK_UP not in plain:
        return
    words = [word for word in compared_words(chat.template.source) if word.isidentifier()]
    tries = [with_texts(one, {LOOK_UP: word}) for word in words]
    for word, conversation, text in zip(words, tries, chat.texts(tries), strict=True):
        wanted = plain.replace(LOOK_UP, word)
        if text is not None and text != wanted:
            yield Branch("name of a tool", word, conversation, text, wanted)


def compared_words(source: str) -> list[str]:
    """Return the words that a template compares with something, but for tags, roles and types."""
    found = dict.fromkeys(
        (one["first"] or one["second"]).strip() for one in COMPARED.finditer(source)
    )
    words = (
        word for word in found if not re.search(r"[<>\[\]|{}]", word) and re.search(r"\w", word)
    )
    return [word for word in words if word not in NAMES_OF_DATA][:MOST_COMPARED]


def forms(text: str) -> tuple[str, ...]:
    """Return a text as it is, and as JSON that means it."""
    return text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]
