"""The order of texts, and messages that say what was said before, or nothing."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tokharness.conversations.chat import Conversation, Problem
from tokharness.conversations.content_changes import SPOKEN
from tokharness.conversations.excerpts import differing
from tokharness.conversations.shapes import Marks, fields_of, filled
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness.conversations.chat import Chat
    from tokharness.conversations.shapes import Field

ARGUMENTS, CALL = "arguments of a call", "call of a tool"
DEFINITION, REASONING = "definition of a tool", "reasoning"

_OF_ANSWER = (REASONING, "assistant content", ARGUMENTS)
"""The texts of a message of the assistant, in the order in which a model writes them."""


def out_of_order(text: str, fields: list[Field]) -> tuple[str, str] | None:
    """Return the kinds of two contents, calls or definitions of tools in another order, or None.

    The second of them stands first.
    """
    rows: dict[str, dict[tuple[Any, ...], tuple[int, str]]] = {}
    for field in fields:
        place, path = text.find(field.mark), field.path
        if text.count(field.mark) != 1:
            continue
        if field.what in SPOKEN:
            rows.setdefault("said", {})[path] = place, field.what
        elif path[0] == "tools" or path[1] == "tool_calls":
            what, owner = (DEFINITION, path[:2]) if path[0] == "tools" else (CALL, path[:3])
            first = rows.setdefault(what, {}).setdefault(owner, (place, what))
            rows[what][owner] = min(first, (place, what))
    for found in rows.values():
        for (place, what), (following, other) in pairwise(found.values()):
            if following < place:
                return what, other
    return _answer_out_of_order(text, fields)


def _answer_out_of_order(text: str, fields: list[Field]) -> tuple[str, str] | None:
    """Return two kinds of texts of one message of the assistant in another order, or None."""
    rows: dict[Any, list[tuple[int, int, str]]] = {}
    for field in fields:
        if field.what in _OF_ANSWER and text.count(field.mark) == 1:
            row = (_OF_ANSWER.index(field.what), text.find(field.mark), field.what)
            rows.setdefault(field.path[0], []).append(row)
    for found in rows.values():
        for (_, place, what), (_, following, other) in pairwise(sorted(found)):
            if following < place and what != other:
                return what, other
    return None


def shows_order(chat: Chat, swapped: tuple[str, str]) -> Callable[[Conversation], bool]:
    """Return whether a conversation shows two kinds of texts in another order."""

    def shows(one: Conversation) -> bool:
        text = chat.text(one)
        return (
            text is not None and out_of_order(text, fields_of(one.messages, one.options)) == swapped
        )

    return shows


def of_equal_messages(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if a message that is equal to an earlier one is lost, or begins otherwise."""
    m = Marks()
    apart = Conversation((m.user(), m.assistant(), m.user(), m.assistant()), chat.needed)
    said = [str(message["content"]) for message in apart.messages]
    names = dict(zip(said, ("text1", "text2") * 2, strict=True))
    equal = Conversation(tuple(filled(list(apart.messages), names)), chat.needed)
    wanted, given = filled(chat.text(apart), names), chat.text(equal)
    if wanted is None or given in (None, wanted) or chat.varies:
        return
    lost = [text for text in names.values() if given.count(text) < wanted.count(text)]
    what = ("user content" if lost[0] == "text1" else "assistant content") if lost else ""
    where = "of a message that is equal to an earlier one"
    message = f"the prompt does not have the {what} {where}"
    cause = Cause("lost", (("what", f"{what} {where}"),), Verdict.BUG, message)
    if not lost:
        message = "a message that is equal to an earlier one has other words of the template"
        cause = Cause("equal messages", (("of", "words of the template"),), Verdict.RISK, message)
    yield Problem(cause, equal, differing(given, wanted))


def of_empty_messages(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for a message that is left out if its content is empty."""
    m = Marks()
    tools = {} if chat.gets_no_tools else {"tools": [m.tool()]}
    called = (m.user(), m.calls(m.call()), m.result(), m.assistant())
    said = (m.user(), m.assistant(), m.user(), m.assistant())
    for what, messages, options, verdict in (
        ("tool result", called, tools, Verdict.RISK),
        ("user content", said, {}, Verdict.FACT),
    ):
        whole, empty, without = (
            Conversation((*messages[:2], *third, messages[3]), {**chat.needed, **options})
            for third in ((messages[2],), ({**messages[2], "content": ""},), ())
        )
        shown, text, less = chat.texts((whole, empty, without))
        if str(messages[2]["content"]) in (shown or "") and text is not None and text == less:
            message = f"an empty {what} is left out, as if no message was sent"
            yield Problem(Cause("left out", (("what", f"empty {what}"),), verdict, message), empty)
