"""A text of the conversation is not in the prompt, or more than once, or in another order.

Why it matters: the model does not see what the user, a tool or the system said, or sees it twice.
No error shows it.

Oracle: invariant of the template: each text of a message stands in the rendering whole, once, and
in the order of the messages.

How it works: the texts of all shapes are marks, short words that occur once. In each rendering the
check looks for each mark. Then the content of a user, a system, an assistant and a tool has white
space around it, characters that templates escape, texts of some ten families (invisible,
bidirectional, line ends, controls, lone surrogates and others), and 4,000 characters, to see what
is changed of it.

Verdicts: *bug* if the content of a user or of a tool is lost that other shapes show, if no content
of a user is ever shown, if any content is repeated, or if a content of a user is cut. *Risk*
if the content of a system or an assistant or the arguments of a call are lost, if another role, a
call or a definition of a tool is never shown, if the order differs, or if characters of a user or a
tool are dropped. *By design*: reasoning, names, ids, documents and parts of definitions that a
template does not show, white space that it strips, and characters that it escapes.

Example: a template that takes only the first of two texts::

    TOK504 bug  lost: user content

What to do: render each message of each role, or refuse it with ``raise_exception``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from tokharness.conversations.chat import Conversation, Problem
from tokharness.conversations.shapes import Marks, fields_of, filled
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

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
    causes = _Causes(chat)
    for shape, one, text in chat.rendered_shapes:
        fields = _fields(one)
        for field in fields:
            number = text.count(field.mark)
            if not number and field.mark in text.lower():
                cause = _cause_of_change(field.what, _CASE, f"{_CASE.subject} is changed")
                yield Problem(cause, one, {}, (shape.name,))
            elif number != 1:
                cause = causes.of(shape, one, field, text)
                yield Problem(cause, one, {}, (shape.name,), causes.shows(shape, cause))
        if swapped := _out_of_order(text, fields):
            message = f"the {swapped[1]} comes before the {swapped[0]}, which was sent first"
            order = f"{swapped[1]} before what was sent first"
            cause = Cause("another order", (("of", order),), Verdict.RISK, message)
            yield Problem(cause, one, {}, (shape.name,), _shows_order(chat, swapped))
    yield from _changes(chat)


class _Causes:
    """Why the prompts of a template do not have a text, or more than once."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        shown, asked = set(), set()
        for _, one, text in chat.standard:
            asked |= {field.what for field in _fields(one)}
            shown |= {field.what for field in _fields(one) if field.mark in text}
        self._shown = shown
        never = [what for what in (*CALLED, "tool result") if what in asked - shown]
        self._without_calls = tuple(never) if len(never) > 1 else ()
        self._always = {
            field.what
            for _, one, text in chat.standard
            for field in _fields(one)
            if field.mark not in text and not self._circumstance(one, field, text)
        }

    def of(self, shape: Shape, one: Conversation, field: Field, text: str) -> Cause:
        """Return the cause of a field that does not stand in a text once."""
        what = field.what
        if field.mark in text:
            verdict = Verdict.BUG if what in SPOKEN and shape.is_permitted else Verdict.FACT
            message = f"the prompt has the same {what} more than once"
            return Cause("repeated", (("what", what),), verdict, message)
        if what not in self._shown and what in (*SPOKEN, *CALLED):
            names = self._without_calls if what in self._without_calls else (what,)
            words = " or ".join(f"the {name}" for name in names)
            message = f"no prompt has {words}, and the template does not refuse it"
            verdict = Verdict.BUG if what == "user content" else Verdict.RISK
            return Cause("never shown", (("what", ", ".join(names)),), verdict, message)
        where = "" if what in self._always else self._circumstance(one, field, text)
        words = f" {where}" if where else ""
        message = f"the prompt does not have the {what}{words}"
        is_sent = shape.is_permitted and not shape.is_converted
        if what not in SPOKEN:
            verdict = Verdict.RISK if what == CALLED[0] and is_sent else Verdict.FACT
            return Cause("lost", (("what", f"{what}{words}"),), verdict, message)
        is_bug = what in SAID and is_sent
        verdict = Verdict.BUG if is_bug else Verdict.RISK if shape.is_permitted else Verdict.FACT
        message = f"{message}, and the template does not refuse it"
        return Cause("lost", (("what", f"{what}{words}"),), verdict, message)

    def shows(self, shape: Shape, cause: Cause) -> Callable[[Conversation], bool]:
        """Return whether a conversation has a field that is faulty for a cause."""
        return lambda one: (
            (text := self._chat.text(one)) is not None
            and any(
                self.of(shape, one, field, text) == cause
                for field in _fields(one)
                if text.count(field.mark) != 1
            )
        )

    def _circumstance(self, one: Conversation, field: Field, text: str) -> str:
        """Return what is special about the message of a text that is lost."""
        number, key = field.path[:2]
        if not isinstance(number, int):
            return ""
        message = one.messages[number]
        before = (other for other in _fields(one) if other.path[:2] == (number, key))
        is_behind = any(other.path < field.path and other.mark in text for other in before)
        if key == "tool_calls":
            return "behind the first one" if is_behind and field.path[2] else ""
        if isinstance(message.get("content"), list) and not self._is_lost_as_text(one, field):
            return "in parts behind the first one" if is_behind else "in parts"
        if message.get("tool_calls"):
            return "next to a call"
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

    def _is_lost_as_text(self, one: Conversation, field: Field) -> bool:
        """Whether a text of a part is lost, too, if it is the whole content."""
        number = field.path[0]
        whole = {**one.messages[number], "content": field.mark}
        messages = (*one.messages[:number], whole, *one.messages[number + 1 :])
        return field.mark not in (self._chat.text(replace(one, messages=messages)) or field.mark)


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
    """A text around a mark, and what is said of it if it is not in the rendering as it is.

    ``dropped`` is said if ``sign`` is gone and nothing else stands in its place; if ``sign`` is "",
    whatever was changed.
    """

    before: str
    after: str
    subject: str
    dropped: str = "is dropped"
    sign: str = ""
    is_text: bool = True

    def of(self, mark: str) -> str:
        return f"{self.before}{mark}{self.after}"

    def change(self, given: str, mark: str) -> str:
        """Return what became of the text around the mark."""
        wanted = self.of(mark)
        if mark not in given.lower():
            return f"{_CUT} {self.subject}"
        if Counter(_ESCAPE.findall(given)) - Counter(_ESCAPE.findall(wanted)):
            return f"{self.subject} is escaped"
        is_gone = self.sign not in given and (self is _LONG or _is_left_of(given, wanted))
        return f"{self.subject} {self.dropped if is_gone or not self.sign else 'is changed'}"


def _is_left_of(given: str, wanted: str) -> bool:
    """Whether a text is what is left of another one if characters are deleted."""
    rest = iter(wanted)
    return all(char in rest for char in given)


_ESCAPE = re.compile(r"\\[\\\"'nrxu]|&(?:\w+|#\w+);|%[0-9A-F]{2}")

_SPACES = (
    _Probe("  ", "", "white space before it", "is stripped", is_text=False),
    _Probe("", "  ", "white space after it", "is stripped", is_text=False),
)
_LINES = (
    _Probe("\n", "", "a line feed before it", "is stripped", is_text=False),
    _Probe("", "\n", "a line feed after it", "is stripped", is_text=False),
)
"""What stands at the ends of a content; each is tried alone, as one hides the other."""

_CASE = _Probe("ABC\u0130", "", "the case of letters", sign="bc")
_INSIDE = (
    _Probe("x\r\n", "\ry", "a line end of Windows", sign="\r"),
    _Probe("x\n\n\n   \t", "  y", "white space inside", sign="   ", is_text=False),
    _CASE,
    _Probe("<b>&amp;'", "'</b>", "a character of HTML", sign="b"),
    _Probe('"\\"', '"\\n', "a quote or a backslash", sign='"'),
    _Probe("\u00e9\u4e2d\U0001f600", "x", "a character beyond ASCII", sign="x"),
    _Probe("e\u0301\u212b\ufb01", "x", "a character with another normal form", sign="x"),
    _Probe("x\u200b\u200d\ufeff\u00ad", "y", "an invisible character", sign="\u200b"),
    _Probe("x\u202e\u2066", "\u2069\u202cy", "a bidirectional control", sign="\u202e"),
    _Probe("x\U000e0041\ufe0f", "y", "a tag or a variation selector", sign="\U000e0041"),
    _Probe("x\u2028\u0085\x0c", "y", "a line end of Unicode", sign="\u2028"),
    _Probe("x\x00\x1b", "y", "a control character", sign="\x00"),
    _Probe("x\ud800", "y", "a lone surrogate", sign="\ud800"),
    _Probe("before</think>", "", "</think>", "drops the text before it", "before"),
    _Probe("", "<think>after", "<think>", "drops the text behind it", "after"),
    _Probe("{{ 1 }}{% if 1 %}", "{# a #}", "the syntax of Jinja", sign="{{ 1 }}"),
)
"""What stands inside of a content, from the kinds of text that the families have."""

_LONG = _Probe("", " word" * 800 + " end", "a text of 4,000 characters", "is cut", sign=" end")

_GENERAL = {
    "a line feed before it": "white space before it",
    "a line feed after it": "white space after it",
    "</think>": "a character of HTML",
    "<think>": "a character of HTML",
}
"""A change that another one explains: it is of the same characters."""

_CUT = "a text is cut that has"
_READ = "the syntax of Jinja is dropped"


def _changes(chat: Chat) -> Iterator[Problem]:
    """Yield what is changed of the content of each role, in a conversation of all of them."""
    m = Marks()
    tools = {"tools": [m.tool()]}
    plain = (m.system(), m.user(), m.assistant(), m.user(), m.assistant())
    calling = (m.user(), m.calls(m.call()), m.result(), m.assistant())
    for messages, options in (
        (plain, chat.needed),
        (plain[1:], chat.needed),
        (calling, chat.needed if chat.gets_no_tools else {**chat.needed, **tools}),
    ):
        one = Conversation(messages, options)
        text = chat.text(one)
        if text is None:
            continue
        fields = [row for row in _fields(one) if row.what in SPOKEN and row.mark in text]
        yield from _changes_of(chat, one, fields, text)


_Try = tuple["Field", _Probe, Conversation]


def _changes_of(
    chat: Chat, one: Conversation, fields: Sequence[Field], plain: str
) -> Iterator[Problem]:
    """Yield the changes of contents; the texts of a group are first tried together."""
    groups = (_SPACES, _LINES, _INSIDE, (_LONG,))
    together = _tries(one, [(field, _joined(group)) for field in fields for group in groups])
    order = [(field, group) for field in fields for group in groups]
    texts = chat.texts([conversation for _, _, conversation in together])
    apart = _tries(
        one,
        [
            (field, probe)
            for (field, group), (_, joined, _), text in zip(order, together, texts, strict=True)
            if text is None or _given(text, field.mark, plain, joined) != joined.of(field.mark)
            for probe in group
        ],
    )
    texts = chat.texts([conversation for _, _, conversation in apart])
    for field in fields:
        changed = [
            (probe, conversation, given)
            for (of, probe, conversation), text in zip(apart, texts, strict=True)
            if of is field and text is not None
            if (given := _given(text, field.mark, plain, probe)) != probe.of(field.mark)
        ]
        yield from _named_changes(field, changed)


def _tries(one: Conversation, rows: Iterable[tuple[Field, _Probe]]) -> list[_Try]:
    return [(field, probe, _with(one, {field.mark: probe.of(field.mark)})) for field, probe in rows]


def _named_changes(
    field: Field, changed: Sequence[tuple[_Probe, Conversation, str]]
) -> Iterator[Problem]:
    """Yield what became of the texts of one content, less what another change explains."""
    subjects = {probe.subject for probe, _, _ in changed}
    for probe, conversation, text in changed:
        change = probe.change(text, field.mark)
        is_dropped = change.endswith(probe.dropped)
        if _GENERAL.get(probe.subject) in subjects and (not is_dropped or not probe.sign):
            continue
        cause = _cause_of_change(field.what, probe, change)
        evidence = {"given": text[:80], "expected": probe.of(field.mark)[:80]}
        yield Problem(cause, conversation, evidence, ("changes",))


def _cause_of_change(what: str, probe: _Probe, change: str) -> Cause:
    is_cut = change.startswith(_CUT) or (probe is _LONG and change.endswith(probe.dropped))
    is_lost = is_cut or (probe.is_text and change.endswith(probe.dropped))
    verdict = Verdict.RISK if is_lost and what in SAID else Verdict.FACT
    if change == _READ or (is_cut and what == "user content" and "think>" not in probe.subject):
        verdict = Verdict.BUG
    message = f"of the {what}, {change}"
    return Cause("changed", (("what", message),), verdict, message)


def _joined(probes: Sequence[_Probe]) -> _Probe:
    """Return one text with those of all probes around the mark."""
    before = "".join(probe.before for probe in probes)
    return _Probe(before, "".join(probe.after for probe in reversed(probes)), "all")


def _with(one: Conversation, texts: Mapping[str, str]) -> Conversation:
    return Conversation(tuple(filled(list(one.messages), texts)), one.options)


def _given(text: str, mark: str, plain: str, probe: _Probe) -> str:
    """Return what a rendering has in the place of a text, by that of the mark alone."""
    wanted = probe.of(mark)
    place = plain.index(mark)
    before, after = plain[:place], plain[place + len(mark) :]
    is_same = text.startswith(before) and text.endswith(after)
    if is_same and len(text) >= len(before) + len(after):
        given = text[len(before) : len(text) - len(after)]
        return wanted if given in _forms(wanted) else given
    if any(form in text for form in _forms(wanted)):
        return wanted
    found = text.find(mark)
    start = max(found - len(probe.before), 0)
    return text[start : found + len(mark) + len(probe.after)] if found >= 0 else ""


def _forms(text: str) -> tuple[str, ...]:
    """Return a text as it is, and as JSON that means it."""
    return text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]
