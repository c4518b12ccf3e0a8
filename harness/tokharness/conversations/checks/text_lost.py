"""A text of the conversation is not in the prompt, or more than once, or in another order.

Why it matters: the model does not see what the user, a tool or the system said, or sees it twice.
No error shows it.

Oracle: invariant of the template: each text of a message stands in the rendering whole, once, and
in the order of the messages.

How it works: the texts of all shapes are marks, short words that occur once. In each rendering the
check looks for each mark. Then the content of a user, a system, an assistant and a tool has white
space around it, and characters that templates escape, to see what is changed of it.

Verdicts: *bug* if the content of a user or of a tool is lost that other shapes show, if no content
of a user is ever shown, or if any content is repeated. *Risk* if the content of a system or an
assistant is lost, if another role, a call or a definition of a tool is never shown, or if the order
differs. *By design*: reasoning, names, ids, documents and parts of definitions that a template does
not show, and white space that it strips.

Example: a template that takes only the first of two texts::

    TOK504 bug  lost: user content

What to do: render each message of each role, or refuse it with ``raise_exception``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tokharness.conversations.chat import Conversation, Problem
from tokharness.conversations.shapes import Marks, fields_of, filled
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness.conversations.chat import Chat
    from tokharness.conversations.shapes import Field, Shape

CODE = "TOK504"
NAME = "text-lost"

SAID = ("user content", "tool result")
"""Texts that the model has to see, as no other message repeats them."""

CALLED = ("arguments of a call", "description of a tool")
"""Texts that a template without calls does not show."""

SPOKEN = (*SAID, "system content", "developer content", "assistant content")


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each text that is lost, repeated or out of order."""
    rows = [(shape, one, text, _fields(one)) for shape, one, text in chat.rendered_shapes]
    shown = {
        field.what for _, one, text in chat.standard for field in _fields(one) if field.mark in text
    }
    for shape, one, text, fields in rows:
        for field in fields:
            if (number := text.count(field.mark)) != 1:
                yield _problem(chat, shape, one, field, number, field.what in shown)
        if swapped := _out_of_order(text, fields):
            message = f"the {swapped[1]} comes before the {swapped[0]}, which was sent first"
            order = f"{swapped[1]} before {swapped[0]}"
            cause = Cause("another order", (("of", order),), Verdict.RISK, message)
            yield Problem(cause, one, {}, (shape.name,), _shows_order(chat, swapped))
    yield from _changes(chat)


def _problem(
    chat: Chat, shape: Shape, one: Conversation, field: Field, number: int, is_shown: bool
) -> Problem:
    kind = "lost" if not number else "repeated"
    cause = _cause(kind, field.what, shape, one, field, is_shown)
    return Problem(cause, one, {}, (shape.name,), _shows(chat, shape, cause, is_shown=is_shown))


def _cause(
    kind: str, what: str, shape: Shape, one: Conversation, field: Field, is_shown: bool
) -> Cause:
    if kind == "repeated":
        verdict = Verdict.BUG if what in SPOKEN and shape.is_permitted else Verdict.FACT
        message = f"the prompt has the same {what} more than once"
        return Cause("repeated", (("what", what),), verdict, message)
    if not is_shown and what in (*SPOKEN, *CALLED):
        message = f"no prompt has the {what}, and the template does not refuse it"
        verdict = Verdict.BUG if what == "user content" else Verdict.RISK
        return Cause("never shown", (("what", what),), verdict, message)
    if what not in SPOKEN:
        message = f"the prompt does not have the {what}"
        return Cause("lost", (("what", what),), Verdict.FACT, message)
    where = _circumstance(one, field)
    is_bug = what in SAID and shape.is_permitted and not shape.is_converted
    verdict = Verdict.BUG if is_bug else Verdict.RISK if shape.is_permitted else Verdict.FACT
    words = f" {where}" if where else ""
    message = f"the prompt does not have the {what}{words}, and the template does not refuse it"
    return Cause("lost", (("what", f"{what}{words}"),), verdict, message)


def _circumstance(one: Conversation, field: Field) -> str:
    """Return what is special about the message of a text that is lost."""
    number = field.path[0]
    message = one.messages[number]
    if message.get("tool_calls"):
        return "next to a call"
    if isinstance(message.get("content"), list):
        return "in parts"
    if isinstance(message.get("content"), dict):
        return "as data"
    roles = [other.get("role") for other in one.messages]
    if message.get("role") == "system" and number:
        return "after other messages"
    if number and roles[number - 1] == roles[number] != "tool":
        return "after another one"
    if number + 1 < len(roles) and roles[number + 1] == roles[number] != "tool":
        return "before another one"
    return ""


def _shows(
    chat: Chat, shape: Shape, cause: Cause, *, is_shown: bool
) -> Callable[[Conversation], bool]:
    kind = "repeated" if cause.kind == "repeated" else "lost"

    def shows(one: Conversation) -> bool:
        text = chat.text(one)
        if text is None:
            return False
        counts = ((field, text.count(field.mark)) for field in _fields(one))
        faulty = (
            field for field, number in counts if (number > 1 if kind == "repeated" else not number)
        )
        return any(
            _cause(kind, field.what, shape, one, field, is_shown) == cause for field in faulty
        )

    return shows


def _fields(one: Conversation) -> list[Field]:
    return fields_of(one.messages, one.options)


def _out_of_order(text: str, fields: list[Field]) -> tuple[str, str] | None:
    """Return the kinds of two contents of which the second stands first, or None."""
    found = [
        (text.find(field.mark), field.what)
        for field in fields
        if field.what in SPOKEN and text.count(field.mark) == 1
    ]
    for (place, what), (following, other) in pairwise(found):
        if following < place:
            return what, other
    return None


def _shows_order(chat: Chat, swapped: tuple[str, str]) -> Callable[[Conversation], bool]:
    def shows(one: Conversation) -> bool:
        text = chat.text(one)
        return text is not None and _out_of_order(text, _fields(one)) == swapped

    return shows


# What is changed of a content.


@dataclass(frozen=True, slots=True)
class _Probe:
    """A text around a mark, and the kind of change if it is not in the rendering as it is."""

    before: str
    after: str
    change: str

    def of(self, mark: str) -> str:
        return f"{self.before}{mark}{self.after}"


_PROBES = (
    _Probe("  ", "", "white space before it is stripped"),
    _Probe("", "  ", "white space after it is stripped"),
    _Probe("\n", "", "line feeds before it are stripped"),
    _Probe("", "\n", "line feeds after it are stripped"),
    _Probe("a\r\n", "", "line ends are changed"),
    _Probe("<b>&amp;'", "'</b>", "characters of HTML are escaped"),
    _Probe('"\\"', '"\\n', "quotes or backslashes are escaped"),
    _Probe("\u00e9\u4e2d\U0001f600", "\u2028", "characters beyond ASCII are escaped"),
    _Probe("a</think>", "", "text before </think> is dropped"),
    _Probe("", "<think>a", "text of <think> is dropped"),
    _Probe("{{ 1 }}{% if 1 %}", "{# a #}", "the syntax of Jinja is read"),
)


def _changes(chat: Chat) -> Iterator[Problem]:
    """Yield what is changed of the content of each role, in a conversation of all of them."""
    m = Marks()
    tools = {"tools": [m.tool()]}
    plain = (m.system(), m.user(), m.assistant(), m.user(), m.assistant())
    calling = (m.user(), m.calls(m.call()), m.result(), m.assistant())
    for messages, options in (
        (plain, tools if chat.needs_tools else {}),
        (plain[1:], tools if chat.needs_tools else {}),
        (calling, tools),
    ):
        one = Conversation(messages, options)
        text = chat.text(one)
        if text is None:
            continue
        for field in _fields(one):
            if field.what in SPOKEN and field.mark in text:
                yield from _changes_of(chat, one, field)


def _changes_of(chat: Chat, one: Conversation, field: Field) -> Iterator[Problem]:
    fills = [{field.mark: probe.of(field.mark)} for probe in _PROBES]
    candidates = [
        Conversation(tuple(filled(list(one.messages), texts)), one.options) for texts in fills
    ]
    texts = chat.texts(candidates)
    for probe, changed, text in zip(_PROBES, candidates, texts, strict=True):
        if text is not None and not _has(text, probe.of(field.mark)):
            is_read = probe.change == "the syntax of Jinja is read"
            drops = "dropped" in probe.change and "user" in field.what
            verdict = Verdict.BUG if is_read else Verdict.RISK if drops else Verdict.FACT
            message = f"of the {field.what}, {probe.change}"
            cause = Cause("changed", (("what", message),), verdict, message)
            yield Problem(cause, changed, _excerpt(text, field.mark, probe), ("changes",))


def _has(text: str, wanted: str) -> bool:
    """Whether a text is there as it is, or as JSON that means it."""
    if wanted in text:
        return True
    import json

    forms = (json.dumps(wanted)[1:-1], json.dumps(wanted, ensure_ascii=False)[1:-1])
    return any(form in text for form in forms)


def _excerpt(text: str, mark: str, probe: _Probe) -> dict[str, Any]:
    found = re.search(re.escape(mark), text)
    if found is None:
        return {"given": "", "expected": probe.of(mark)}
    start, end = found.start() - len(probe.before), found.end() + len(probe.after)
    return {"given": text[max(start, 0) : end], "expected": probe.of(mark)}
