"""A conversation that a client may send makes the template fail.

Why it matters: a template that raises in the middle of a conversation is an error 500 of the
server. It happens late: after a tool call without content, or when a client sends its arguments as
text. A template that loops or allocates without end takes the server with it.

Oracle: invariant of the template: it renders each conversation that the OpenAI schema permits, or
calls ``raise_exception`` with a message that says what it does not support.

How it works: each of some eighty shapes of conversations is rendered as ``transformers`` does, in a
worker process with limits of time and memory. Where it fails, the check looks for the one change
with which it renders: a null that is left out, parts that are joined, arguments that are parsed.
That change is the cause. The line of the template is in the evidence.

Verdicts: *bug* for a conversation that the schema permits and that no loader changes, for what the
sandbox forbids, and for an exceeded limit. *Risk* where many loaders change the conversation
before: null, parts, arguments as text or as an object; if a plain conversation of a user and an
assistant is refused with a message; and if all conversations are: then nothing else is checked, and
the exit code is 2. *By design*: what else the template refuses with a message, and what fails but
is not of the schema. A template that shows no calls of
tools has no bug in messages that only call tools.

Example::

    TOK501 bug  crash: no content   a message of the assistant that only calls a tool

What to do: test ``message.content is string`` before you use it as a text; refuse what you do not
support with ``raise_exception`` and a message that names it.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness.conversations.chat import Problem
from tokharness.conversations.serve import NOT_COMPILED, NOT_TRIED
from tokharness.conversations.shapes import Marks, function_of, tools_of, with_arguments
from tokharness.conversations.templates import DEFAULT
from tokharness.json_content import parse_json_text
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tokharness.conversations.chat import Chat, Conversation
    from tokharness.conversations.rendering import Rendered
    from tokharness.conversations.shapes import Shape

CODE = "TOK501"
NAME = "conversation-fails"

LINE = "line of the template"
"""Key of the evidence."""

_WITH_CALLS = (("with", "no content"),)
_WITHOUT_CALLS = (("with", "neither content nor call"),)

LIMITS = {
    "time limit": "takes more than a second of the processor",
    "memory limit": "takes more memory than a template may have",
    "death": "ends the process that renders it",
    "not tried": "was not tried, as others exceed a limit",
    "forbidden": "does what the sandbox of transformers forbids",
}


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each conversation that fails, or one if all do."""
    rows = [(shape, one, chat.rendered(one)) for shape, one in chat.all]
    if not chat.rendered_shapes and not chat.is_given:
        rendered = rows[0][2]
        verb = "refuses:" if rendered.failure == "refusal" else "raises"
        kind = LIMITS.get(rendered.failure, f"{verb} {_without_marks(rendered.message)}")
        if rendered.message.startswith(NOT_COMPILED):
            kind = _without_marks(rendered.message)
        said = kind if kind.startswith("it ") else f"it {kind}"
        if rendered.failure in LIMITS and rendered.message:
            said = f"{said}, {_without_marks(rendered.message)}"
        message = f"no conversation renders, not even one message of a user: {said}"
        one = replace(rows[0][1], messages=({"role": "user", "content": "text1"},))
        name = rendered.failure if rendered.failure in LIMITS else "no conversation renders"
        verdict = Verdict.RISK if rendered.failure == "refusal" else Verdict.BUG
        cause = Cause(name, (("with", kind),), verdict, message)
        yield Problem(cause, one, _evidence(rendered), tuple(shape.name for shape, _, _ in rows))
        return
    if chat.needs_parts:
        message = (
            "it shows contents in parts only, as loaders of models with images pass them; all "
            "texts were tried as parts"
        )
        yield Problem(Cause("contents in parts only", (), Verdict.FACT, message), rows[0][1])
    conversation = replace(rows[0][1], options={})
    if chat.needed and chat.rendered(conversation).failure:
        verdict = Verdict.RISK if chat.template.name == DEFAULT else Verdict.FACT
        what = " and ".join(chat.needed)
        message = (
            f"it renders conversations with {what} only, as a template that loaders take for such "
            "conversations may; all shapes were tried with some"
        )
        cause = Cause("crash", (("with", f"no {what}"),), verdict, message)
        yield Problem(cause, conversation, _evidence(chat.rendered(conversation)))
    failing = [one for _, one, rendered in rows if rendered.failure]
    chat.fetch(repair(one) for one in failing for _, _, _, repair in _REPAIRS)
    yield from _of_one_place(
        _problem(chat, shape, each)
        for shape, one, rendered in rows
        if rendered.failure
        for each in _with_one_reason(chat, one)
    )


def _of_one_place(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield problems; a null content fails for one reason where the same line reads it.

    The problem of the message that calls tools is kept, with the shape of the other message.
    """
    rows = list(problems)
    calls = {one.evidence.get(LINE): one for one in rows if one.cause.parameters == _WITH_CALLS}
    for one in rows:
        is_other = one.cause.parameters == _WITHOUT_CALLS
        known = calls.get(one.evidence.get(LINE)) if is_other else None
        yield one if known is None else replace(known, shapes=one.shapes)


def _problem(chat: Chat, shape: Shape, one: Conversation) -> Problem:
    rendered = chat.rendered(one)
    cause = _cause(chat, shape, one, rendered)
    smaller = _shows(chat, cause, shape, rendered)
    return Problem(cause, one, _evidence(rendered), (shape.name,), smaller, _evidence_of(chat))


def _shows(
    chat: Chat, cause: Cause, shape: Shape, first: Rendered
) -> Callable[[Conversation], bool]:
    def shows(one: Conversation) -> bool:
        rendered = chat.rendered(one)
        same = (rendered.failure, rendered.line) == (first.failure, first.line)
        return same and _cause(chat, shape, one, rendered) == cause

    return shows


def _evidence_of(chat: Chat) -> Callable[[Conversation], Mapping[str, Any]]:
    return lambda one: _evidence(chat.rendered(one))


def _evidence(rendered: Rendered) -> dict[str, Any]:
    line = {LINE: rendered.line} if rendered.line else {}
    return {"raised": rendered.message or rendered.failure, **line}


def _cause(chat: Chat, shape: Shape, one: Conversation, rendered: Rendered) -> Cause:
    what = _without_marks(rendered.message)
    if rendered.failure == NOT_TRIED:
        message = "it was not tried, as others exceed a limit"
        return Cause(NOT_TRIED, (), Verdict.FACT, message)
    if rendered.failure == "refusal":
        is_plain = _is_plain(chat, one)
        said = "a plain conversation, which ends with a user" if is_plain else "the conversation"
        verdict = Verdict.RISK if is_plain else Verdict.FACT
        message = f"it refuses {said}: {what}"
        return Cause("refusal", (("message", what),), verdict, message)
    if rendered.failure in LIMITS:
        message = f"it {LIMITS[rendered.failure]}{f': {what}' if what else ''}"
        return Cause(rendered.failure, (("message", what),), message=message)
    line = f" (line {rendered.line} of the template)" if rendered.line else ""
    if changes := _repairs_that_help(chat, one):
        names = " and ".join(name for name, _, _, _ in changes)
        worst = min((verdict for _, verdict, _, _ in changes), key=lambda verdict: verdict.rank)
        if not chat.shows_calls and changes[0][0] != "no system":
            worst = max(worst, Verdict.RISK, key=lambda verdict: verdict.rank)
        words = "; and ".join(words for _, _, words, _ in changes)
        verdict = worst if shape.is_permitted else Verdict.FACT
        message = f"it raises {what}{line}: {words}"
        return Cause("crash", (("with", names),), verdict, message)
    is_refused = _is_refused_when_changed(chat, one)
    verdict = Verdict.BUG if shape.is_permitted and not is_refused else Verdict.FACT
    if shape.is_converted or _is_rare(one):
        verdict = max(verdict, Verdict.RISK, key=lambda v: v.rank)
    note = "" if shape.is_permitted else f"; {shape.note}"
    note = "; it refuses the same conversation with other contents" if is_refused else note
    message = f"it raises {what}{line}, and does not say what it does not support{note}"
    return Cause("crash", (("exception", what),), verdict, message)


def _is_plain(chat: Chat, one: Conversation) -> bool:
    """Whether a user and an assistant take turns with texts, without anything else."""
    texts = [row.get("content") for row in one.messages if len(row) == 2]
    are_texts = all(isinstance(text, str) and text.strip() for text in texts)
    roles = " ".join(str(row.get("role")) for row in one.messages if are_texts)
    is_alone = len(texts) == len(one.messages) and one.options == chat.needed
    return is_alone and re.fullmatch("user( assistant user)*", roles) is not None


def _is_rare(one: Conversation) -> bool:
    """Whether no user has said anything, so that few servers are asked it."""
    return all(message.get("role") != "user" for message in one.messages)


def _without_marks(message: str) -> str:
    """Return a message without the texts of the conversation, addresses of memory, and indices."""
    marks = r"qz\d{3}[a-z]{3}xk|\btext\d+\b|\b0x[0-9a-f]+\b|(?<=no element )\d+"
    return re.sub(marks, "...", message)[:200]


# What a conversation may be changed to, so that it renders.

Repair = tuple[str, Verdict, str, "Callable[[Conversation], Conversation]"]


def _repairs_that_help(chat: Chat, one: Conversation) -> list[Repair]:
    """Return the first change, or the first two together, with which the conversation renders."""
    alone = [(row, changed) for row in _REPAIRS if (changed := row[-1](one)) != one]
    chat.fetch(changed for _, changed in alone)
    for row, changed in alone:
        if chat.text(changed) is not None:
            return [row]
    for row, changed in alone:
        for other in _REPAIRS[_REPAIRS.index(row) + 1 :]:
            both = other[-1](changed)
            if both != changed and chat.text(both) is not None:
                return [row, other]
    return []


def _with_one_reason(chat: Chat, one: Conversation) -> tuple[Conversation, ...]:
    """Return conversations that one change mends each, where this one needs two changes.

    A message without content whose arguments are an object fails for either reason, and the
    exception says only which comes first.
    """
    both = _repairs_that_help(chat, one)
    apart = tuple(repair(one) for _, _, _, repair in both)
    if len(both) == 2 and all(len(_repairs_that_help(chat, other)) == 1 for other in apart):
        return apart
    return (one,)


def _is_refused_when_changed(chat: Chat, one: Conversation) -> bool:
    """Whether a change lets the template refuse the conversation, which it does not support."""
    changed = (repair(one) for _, _, _, repair in _REPAIRS)
    return any(chat.rendered(other).failure == "refusal" for other in changed if other != one)


def _on_messages(
    change: Callable[[dict[str, Any]], Mapping[str, Any]],
) -> Callable[[Conversation], Conversation]:
    def repair(one: Conversation) -> Conversation:
        return replace(one, messages=tuple(change(dict(message)) for message in one.messages))

    return repair


def _without_null(message: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in message.items() if value is not None}


def _with_content(message: dict[str, Any]) -> dict[str, Any]:
    if message.get("content") is not None or not message.get("tool_calls"):
        return message
    return {**message, "content": ""}


def _with_any_content(message: dict[str, Any]) -> dict[str, Any]:
    return message if message.get("content") is not None else {**message, "content": ""}


def _joined(message: dict[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    if not isinstance(content, list):
        return message
    texts = [
        part["text"]
        for part in content
        if isinstance(part, dict) and isinstance(part.get("text"), str)
    ]
    return {**message, "content": "\n".join(texts)}


def _parsed(arguments: Any) -> Any:
    try:
        return parse_json_text(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        return arguments


def _as_text(arguments: Any) -> Any:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _with_tools(one: Conversation, *, for_calls: bool) -> Conversation:
    calls = any(message.get("tool_calls") for message in one.messages)
    if one.options.get("tools") or calls != for_calls:
        return one
    return replace(one, options={**one.options, "tools": [Marks().tool()]})


def _with_system(one: Conversation) -> Conversation:
    if one.messages[0].get("role") == "system":
        return one
    return replace(one, messages=(Marks().system(), *one.messages))


def _as_texts(arguments: Any) -> Any:
    """Return arguments whose values are texts."""
    if not isinstance(arguments, dict):
        return arguments
    rows = arguments.items()
    return {key: one if isinstance(one, str) else json.dumps(one) for key, one in rows}


def _with_key(key: str, value: Any, one: Conversation) -> Conversation:
    """Return a conversation whose definitions of tools have a key."""
    tools = one.options.get("tools")
    if not tools or tools != tools_of(one.options) or all(key in function_of(t) for t in tools):
        return one
    known = [{**tool, "function": {key: value, **function_of(tool)}} for tool in tools]
    return replace(one, options={**one.options, "tools": known})


_EMPTY = 'with the content "" it renders, but neither with null nor without the key'

_REPAIRS: tuple[Repair, ...] = (
    (
        "null",
        Verdict.RISK,
        "without the key whose value is null it renders, as transformers 5 passes it",
        _on_messages(_without_null),
    ),
    (
        "no content",
        Verdict.BUG,
        f"{_EMPTY}, as a client sends a message that only calls tools",
        _on_messages(_with_content),
    ),
    (
        "neither content nor call",
        Verdict.RISK,
        f"{_EMPTY}, as a client sends a message of the assistant that refuses to answer",
        _on_messages(_with_any_content),
    ),
    (
        "parts",
        Verdict.RISK,
        "with one text for the parts of the content it renders, which many loaders make of them",
        _on_messages(_joined),
    ),
    (
        "values that are no texts",
        Verdict.BUG,
        "with texts for the values of the arguments it renders, but numbers and lists are values",
        _on_messages(partial(with_arguments, change=_as_texts)),
    ),
    (
        "arguments as text",
        Verdict.RISK,
        "with the arguments of the call as an object it renders, which many loaders make of them",
        _on_messages(partial(with_arguments, change=_parsed)),
    ),
    (
        "arguments as an object",
        Verdict.RISK,
        "with the arguments of the call as text it renders, but transformers documents an object",
        _on_messages(partial(with_arguments, change=_as_text)),
    ),
    (
        "a tool without a description",
        Verdict.BUG,
        "with a description of the tool it renders, which a client need not send",
        partial(_with_key, "description", "text"),
    ),
    (
        "a tool without parameters",
        Verdict.BUG,
        "with parameters of the tool it renders, which a client need not send",
        partial(_with_key, "parameters", {"type": "object", "properties": {}}),
    ),
    (
        "calls without tools",
        Verdict.BUG,
        "with the definitions of the tools it renders, but clients may send them only once",
        partial(_with_tools, for_calls=True),
    ),
    (
        "no tools",
        Verdict.BUG,
        "with the definition of a tool it renders, which a client need not send",
        partial(_with_tools, for_calls=False),
    ),
    (
        "no system",
        Verdict.BUG,
        "with a message of the system at the beginning it renders, which a client need not send",
        _with_system,
    ),
)
