"""A text of the conversation is not in the prompt, or more than once, or in another order.

Why it matters: the model does not see what the user, a tool or the system said, or sees it twice.
No error shows it.

Oracle: invariant of the template: each text of a message stands in the rendering whole, once, and
in the order of the messages.

How it works: the texts of all shapes are marks, short words that occur once. In each rendering the
check looks for each mark. Then the content of a user, a system, an assistant and a tool has white
space and punctuation around it, characters that templates escape, texts of some ten families
(invisible, bidirectional, line ends, controls, lone surrogates and others), and 4,000 characters,
to see what is changed of it. A conversation of two equal rounds has to be rendered as a
conversation of two different rounds is, with the texts of the first round in the second one.

Verdicts: *bug* if the content of a user or of a tool is lost that other shapes show, if no content
of a user is ever shown, if any content is repeated, if a content of a user is cut, or if one of a
user or a tool makes the template fail; also where only the prompt for an answer is the cause.
*Risk* if the content of a system or an assistant, or the arguments or the name of a call are lost,
if another role, a call or a definition of a tool is never shown, if reasoning is lost because there
is a system message, or definitions of tools because there is one or none, or several tools, if the
order of messages or calls differs, or the order of reasoning, content and calls in a message, if a
call is repeated, if a message that is equal to an earlier one has other words, if characters of a
user or a tool are dropped, if an empty result is left out, or if a word of a content changes what
the template writes. *By design*: control words that a content loses, an empty message of a user,
reasoning, names of speakers, images, ids, documents and parts of definitions that a template does
not show, the order of definitions, parts that become one word, white space that it strips or adds,
quotes that it adds, and characters that it escapes.

Example: a template that takes only the first of two texts::

    TOK504 bug  lost: user content

What to do: render each message of each role, or refuse it with ``raise_exception``.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness.conversations.catalogue import NAMES
from tokharness.conversations.chat import Conversation, Problem, asked
from tokharness.conversations.content_changes import (
    CASE,
    SAID,
    SPOKEN,
    cause_of_change,
    content_changes,
)
from tokharness.conversations.shapes import (
    MARKS,
    Marks,
    calls_of,
    fields_of,
    function_of,
    tools_of,
)
from tokharness.conversations.text_order import (
    ARGUMENTS,
    DEFINITION,
    REASONING,
    of_empty_messages,
    of_equal_messages,
    out_of_order,
    shows_order,
)
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokharness.conversations.chat import Chat
    from tokharness.conversations.shapes import Field, Shape

CODE = "TOK504"
NAME = "text-lost"

CALLED = (ARGUMENTS, "description of a tool")
"""Texts that a template without calls does not show."""

OF_PARTS = ("user parts", "image address", "image part")
"""Shapes with parts in the first message."""


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each text that is lost, repeated or out of order."""
    causes = _Causes(chat)
    for shape, one, text in chat.rendered_shapes:
        fields = _fields(one)
        for field in fields:
            number = text.count(field.mark)
            if not number and field.mark in text.lower():
                cause = cause_of_change(field.what, CASE, f"{CASE.subject} is changed")
                yield Problem(cause, one, {}, (shape.name,))
            elif number != 1:
                cause = causes.of(shape, one, field, text)
                yield Problem(cause, one, {}, (shape.name,), causes.shows(shape, cause))
        if _lacks_name(one, text):
            message = "the prompt has the arguments of a call, and not the name of its function"
            cause = Cause("lost", (("what", "name of a call"),), Verdict.RISK, message)
            yield Problem(cause, one, {}, (shape.name,), partial(_shows_no_name, chat))
        if swapped := out_of_order(text, fields):
            message = f"the {swapped[1]} comes before the {swapped[0]}, which was sent first"
            order = f"{swapped[1]} before what was sent first"
            verdict = Verdict.FACT if swapped[0] == DEFINITION else Verdict.RISK
            cause = Cause("another order", (("of", order),), verdict, message)
            yield Problem(cause, one, {}, (shape.name,), shows_order(chat, swapped))
    yield from _names_of_speakers(chat)
    yield from _of_parts(chat)
    yield from _of_prompts(chat)
    yield from of_equal_messages(chat)
    yield from of_empty_messages(chat)
    yield from content_changes(chat)


RETURNED = (*SPOKEN, CALLED[0])
"""Texts that are repeated by no format."""


class _Causes:
    """Why the prompts of a template do not have a text, or more than once."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        shown, asked = set(), set()
        for _, one, text in chat.standard:
            asked |= {field.what for field in _fields(one)}
            shown |= {field.what for field in _fields(one) if field.mark in text}
        self._shown = shown
        self._keys = _keys_of_reasoning(chat)
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
        if what == DEFINITION and CALLED[1] not in self._shown:
            what = CALLED[1]
        if field.mark in text:
            verdict = Verdict.BUG if what in SPOKEN else Verdict.RISK
            verdict = verdict if what in RETURNED and shape.is_permitted else Verdict.FACT
            message = f"the prompt has the same {what} more than once"
            return Cause("repeated", (("what", what),), verdict, message)
        if what not in self._shown and what in (*SPOKEN, *CALLED):
            names = self._without_calls if what in self._without_calls else (what,)
            words = " or ".join(f"the {name}" for name in names)
            message = f"no prompt has {words}, and the template does not refuse it"
            verdict = Verdict.BUG if what == "user content" else Verdict.RISK
            return Cause("never shown", (("what", ", ".join(names)),), verdict, message)
        if what == REASONING and not self._keys.get(field.path[1], False):
            return self._of_key()
        where = "" if what in self._always else self._circumstance(one, field, text)
        words = f" {where}" if where else ""
        message = f"the prompt does not have the {what}{words}"
        is_sent = shape.is_permitted and not shape.is_converted
        if what in (CALLED[1], DEFINITION) and (words := self._of_tools(one, field, text)):
            message = f"the prompt does not have the {DEFINITION} {words}, and has it elsewhere"
            return Cause("lost", (("what", f"{DEFINITION} {words}"),), Verdict.RISK, message)
        if what == REASONING and (words := self._next_to_system(one, field)):
            message = f"the prompt has the {what} only without a system message"
            return Cause("lost", (("what", f"{what} {words}"),), Verdict.RISK, message)
        if what not in SPOKEN:
            verdict = Verdict.RISK if what == CALLED[0] and is_sent else Verdict.FACT
            return Cause("lost", (("what", f"{what}{words}"),), verdict, message)
        is_bug = what in SAID and is_sent
        verdict = Verdict.BUG if is_bug else Verdict.RISK if shape.is_permitted else Verdict.FACT
        message = f"{message}, and the template does not refuse it"
        return Cause("lost", (("what", f"{what}{words}"),), verdict, message)

    def _of_key(self) -> Cause:
        """Return the cause of reasoning under a key that is never shown."""
        read = [key for key, is_shown in self._keys.items() if is_shown]
        others = " or ".join(key for key, is_shown in self._keys.items() if not is_shown)
        if not read:
            message = f"no prompt has the reasoning, under whatever key: {others}"
            return Cause("never shown", (("what", REASONING),), Verdict.FACT, message)
        message = f"the prompt has reasoning of the key {' or '.join(read)}, and not of {others}"
        what = f"reasoning of the key {others}"
        return Cause("lost", (("what", what),), Verdict.FACT, message)

    def _of_tools(self, one: Conversation, field: Field, text: str) -> str:
        """Return where a prompt has nothing of a definition of a tool; "" if it has some of it."""
        names = [str(function_of(tool).get("name")) for tool in tools_of(one.options)]
        number = field.path[1]
        if number and names[0] in text and names[number] not in text:
            return "behind the first one"
        if number + 1 < len(names) and names[-1] in text and names[number] not in text:
            return "before the last one"
        own = (other for other in _fields(one) if other.path[:2] == field.path[:2])
        if any(other.mark in text for other in own):
            return ""
        if words := self._next_to_system(one, field):
            return words
        if len(names) > 1:
            tool = one.options["tools"][number]
            alone = replace(one, options={**one.options, "tools": [tool]})
            if field.mark in (self._chat.text(alone) or ""):
                return f"where {len(names)} are sent"
        if one.messages[0].get("role") != "system":
            said = replace(one, messages=({"role": "system", "content": "text1"}, *one.messages))
            if field.mark in (self._chat.text(said) or ""):
                return "without a system message"
        return ""

    def _next_to_system(self, one: Conversation, field: Field) -> str:
        """Return that a system message is why a text is lost; "" if it is not.

        It is if the text is shown without it, and next to a message of a user in its place.
        """
        first, *rest = one.messages
        if first.get("role") != "system" or not rest or not field.path[0]:
            return ""
        others = [tuple(rest), ({**first, "role": "user"}, *rest)]
        texts = [self._chat.text(replace(one, messages=messages)) for messages in others]
        is_it = field.mark in (texts[0] or "") and field.mark in (texts[1] or field.mark)
        return "next to a system message" if is_it else ""

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
        roles = [other.get("role") for other in one.messages]
        is_called = key == "tool_calls" or message.get("role") == "tool"
        if is_called and not one.options.get("tools") and self._shows_with_tools(one, field):
            return "where no tools are sent"
        before = (other for other in _fields(one) if other.path[:2] == (number, key))
        is_behind = any(other.path < field.path and other.mark in text for other in before)
        if key == "tool_calls":
            return _behind_calls(one, field, text) if is_behind and field.path[2] else ""
        if isinstance(message.get("content"), list) and not self._is_lost_as_text(one, field):
            after = (other for other in _fields(one) if other.path[:2] == (number, key))
            is_before = any(other.path > field.path and other.mark in text for other in after)
            where = "behind the first one" if is_behind else "before the last one"
            return f"in parts {where}" if is_behind or is_before else "in parts"
        if message.get("tool_calls"):
            return "next to a call"
        if isinstance(message.get("content"), dict):
            return "as data"
        if message.get("role") == "system":
            return self._circumstance_of_system(one, field, roles)
        if number and roles[number - 1] == roles[number] != "tool":
            return "after another one"
        if number + 1 < len(roles) and roles[number + 1] == roles[number] != "tool":
            return "before another one"
        return ""

    def _circumstance_of_system(
        self, one: Conversation, field: Field, roles: Sequence[str | None]
    ) -> str:
        number = field.path[0]
        if "user" not in roles:
            return "where no user speaks"
        if "system" in roles[number + 1 :]:
            return "before another one"
        if number:
            return "after other messages"
        last = len(roles) - roles[::-1].index("user")
        is_shown = field.mark in (self._chat.text(one.first(last)) or "")
        return "where the last message is not of a user" if is_shown else ""

    def _shows_with_tools(self, one: Conversation, field: Field) -> bool:
        """Whether a text of a call or a result is shown if tools are sent."""
        if self._chat.gets_no_tools:
            return False
        other = replace(one, options={**one.options, "tools": [Marks().tool()]})
        return field.mark in (self._chat.text(other) or "")

    def _is_lost_as_text(self, one: Conversation, field: Field) -> bool:
        """Whether a text of a part is lost, too, if it is the whole content."""
        number = field.path[0]
        whole = {**one.messages[number], "content": field.mark}
        messages = (*one.messages[:number], whole, *one.messages[number + 1 :])
        return field.mark not in (self._chat.text(replace(one, messages=messages)) or field.mark)


def _behind_calls(one: Conversation, field: Field, text: str) -> str:
    """Return behind how many calls of a message, which are shown, a text of a later one is lost."""
    before = (other for other in _fields(one) if other.path[:2] == field.path[:2])
    shown = {other.path[2] for other in before if other.mark in text}
    return "behind the first one" if len(shown) == 1 else f"behind the first {len(shown)}"


def _keys_of_reasoning(chat: Chat) -> dict[str, bool]:
    """Return the keys under which reasoning is sent, and whether any prompt shows it."""
    keys: dict[str, bool] = {}
    for _, one, text in chat.standard:
        for field in _fields(one):
            if field.what == REASONING:
                key = field.path[1]
                keys[key] = keys.get(key, False) or field.mark in text
    return keys


def _fields(one: Conversation) -> list[Field]:
    return fields_of(one.messages, one.options)


def _lacks_name(one: Conversation, text: str) -> bool:
    """Whether a rendering has the arguments of a call without the name, which nothing else has."""
    calls = [call for message in one.messages for call in calls_of(message)]
    names = [str(function_of(call).get("name")) for call in calls]
    marks = [MARKS.findall(str(function_of(call).get("arguments"))) for call in calls]
    rows = zip(names, marks, strict=True)
    return any(name not in text and any(one in text for one in own) for name, own in rows)


def _shows_no_name(chat: Chat, one: Conversation) -> bool:
    return _lacks_name(one, chat.text(one) or "")


def _names_of_speakers(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if no prompt says which of two users speaks."""
    rows = [row for row in chat.rendered_shapes if row[0].name == "names"]
    for shape, one, text in rows:
        if not any(name in text for name in NAMES):
            message = "no prompt has the name of who speaks, so that two users are one to the model"
            cause = Cause("never shown", (("what", "name of a speaker"),), Verdict.FACT, message)
            yield Problem(cause, one, {}, (shape.name,))


def _of_parts(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if an image is as if it was not sent, and if two texts become one word."""
    rows = [row for row in chat.rendered_shapes if row[0].name in OF_PARTS]
    of_images = [(shape, one, _ignores_image(chat, one, text)) for shape, one, text in rows]
    is_shown = any(is_ignored is False for _, _, is_ignored in of_images)
    for shape, one, is_ignored in of_images:
        if is_ignored and not is_shown:
            message = "no prompt has anything for an image, and the template does not refuse it"
            cause = Cause("never shown", (("what", "image"),), Verdict.FACT, message)
            yield Problem(cause, one, {}, (shape.name,))
    for shape, one, text in rows:
        marks = _said_parts(one)
        if "".join(marks[:2]) in text and len(marks) > 1:
            message = "two parts of a content stand in the prompt with nothing between them"
            cause = Cause("joined", (("of", "parts of a content"),), Verdict.FACT, message)
            yield Problem(cause, one, {}, (shape.name,))


def _said_parts(one: Conversation) -> list[str]:
    """Return the texts of the parts of the first message."""
    content: list[Any] = one.messages[0]["content"]
    return [str(part["text"]) for part in content if part.get("type") == "text"]


def _ignores_image(chat: Chat, one: Conversation, text: str) -> bool | None:
    """Return whether a text is the same without the image; None if none is sent, or all is lost."""
    content = one.messages[0]["content"]
    said = [part for part in content if part.get("type") == "text"]
    if len(said) == len(content) or not all(mark in text for mark in _said_parts(one)):
        return None
    less = {**one.messages[0], "content": said}
    return chat.text(replace(one, messages=(less, *one.messages[1:]))) == text


def _of_prompts(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for a text that is lost or repeated where a prompt for an answer follows."""
    where = "where a prompt for an answer is asked for"
    chat.fetch(asked(one, prompt=True) for _, one, _ in chat.rendered_shapes)
    for shape, one, text in chat.rendered_shapes:
        prompted = chat.text(one, prompt=True)
        is_longer = (prompted or "").startswith(text)
        if prompted is None or (is_longer and not MARKS.search(prompted, len(text))):
            continue
        for field in _fields(one):
            plain, number = text.count(field.mark), prompted.count(field.mark)
            is_repeated = number > max(plain, 1)
            if field.what not in SPOKEN or not (is_repeated or number < plain):
                continue
            kind = "repeated" if is_repeated else "lost"
            verb = "has the same" if is_repeated else "does not have the"
            verdict = Verdict.BUG if is_repeated or field.what in SAID else Verdict.RISK
            message = f"the prompt {verb} {field.what}{' twice' * is_repeated} {where}"
            cause = Cause(kind, (("what", f"{field.what} {where}"),), verdict, message)
            yield Problem(cause, asked(one, prompt=True), {}, (shape.name,))
