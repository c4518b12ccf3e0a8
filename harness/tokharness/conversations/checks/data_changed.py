"""The arguments of a call come back without keys, in another order or encoded twice, or in no JSON.

Why it matters: the arguments were written by the model. If they come back otherwise, the model
reads a call that it never made, and a cached prefix ends there. Arguments that are encoded twice
teach it to write quotes within quotes.

Oracle: invariant of the template: what a client sends as data stands in the prompt with its keys in
their order, and what it sends as text is not put in quotes.

How it works: arguments and definitions of tools have keys that are in no alphabetical order. Where
all of them are in the rendering, in another order, the check reports it. Arguments that are sent as
text are looked for with escaped quotes, and so are the keys of arguments and definitions that are
data, by their texts. Both also get a letter beyond ASCII and a character of HTML, which may come
back as escapes, and arguments get a key and a value with capital letters, a text with spaces around
it, and one of 4,000 characters. What stands around them, between two words in brackets, has to be
JSON if one bracket or comma more or less, or one quote more, makes JSON of it. Where no tools are
sent, each value of arguments has its key in the rendering. Arguments with values that are false,
zero and empty have to have all keys, each before its value, and a number its digits; false and zero
must not be as an empty text is. A call without arguments, and one whose text has a quote, a
backslash or a line feed, has to be JSON if others are, and a definition, too; a result that is the
value of a key of JSON needs quotes.

Verdicts: *risk* for arguments, and for what is encoded twice or broken. *By design* for the order,
the escapes and a cut of definitions of tools.

Example: ``tojson(sort_keys=true)``::

    TOK506 risk  keys in another order: arguments of a call

What to do: iterate over ``items()``, not ``dictsort``; parse arguments that are a text, or write
them as they are.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness.conversations.broken_json import bare_value, no_json
from tokharness.conversations.chat import Conversation, Problem
from tokharness.conversations.excerpts import excerpt
from tokharness.conversations.json_of_calls import breaking_arguments
from tokharness.conversations.shapes import (
    MARKS,
    Marks,
    calls_of,
    function_of,
    tools_of,
    with_arguments,
)
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokharness.conversations.chat import Chat

CODE = "TOK506"
NAME = "data-changed"

ARGUMENTS, DEFINITIONS = "arguments of a call", "definition of a tool"

LONG = " word" * 800 + " end"
"""What stands behind the beginning of a text that a template may cut."""

CUT = 32
"""Characters with which a text begins that is cut, and not changed otherwise."""

MOST_ESCAPED = 24
"""Characters of two escapes, also if each is encoded twice."""


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each shape whose data is changed."""
    for shape, one, text in chat.rendered_shapes:
        for what, find, kind, message, verdict in _TESTS:
            place = find(one, text)
            if place is not None:
                cause = Cause(kind, (("of", what),), verdict, message.format(what))
                evidence_of = partial(_evidence, chat, find)
                yield Problem(
                    cause, one, evidence_of(one), (shape.name,), _shows(chat, find), evidence_of
                )
    yield from _escaped(chat)
    yield from _normalized(chat)
    yield from _keys(chat)
    yield from _cut(chat)
    yield from breaking_arguments(chat)


ESCAPES = (
    ("letters beyond ASCII", "\u00e9", ("\\u00e9", "&#233;", "&eacute;")),
    ("characters of HTML", "<", ("\\u003c", "&lt;")),
)
"""What is escaped, one such character, and what stands in its place."""


def _escaped(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for characters of arguments and definitions that are written as escapes."""
    hostile = "".join(one for _, one, _ in ESCAPES)
    argument, description = "text2", "text3"
    m = Marks()
    call = m.call(arguments={"zone": argument + hostile})
    function = {"name": "look_up", "description": description + hostile, "parameters": {}}
    tools = {"tools": [{"type": "function", "function": function}]}
    options = chat.needed if chat.gets_no_tools else {**chat.needed, **tools}
    one = Conversation(({"role": "user", "content": "text1"}, m.calls(call)), options)
    text = chat.text(one) or ""
    rows = ((ARGUMENTS, argument, Verdict.RISK), (DEFINITIONS, description, Verdict.FACT))
    for what, mark, verdict in rows:
        place = text.find(mark) + len(mark)
        shown = text[place : place + MOST_ESCAPED] if mark in text else ""
        for kind, _, escapes in ESCAPES:
            if found := next((escape for escape in escapes if escape in shown), ""):
                message = f"the {kind} in the {what} are written as escapes such as {found}"
                cause = Cause("escaped", (("of", f"{kind} in the {what}"),), verdict, message)
                yield Problem(cause, one, {"at": excerpt(text, place)})


def _normalized(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for a key of arguments in other letters, and a value without its spaces."""
    key, value, name = "Zone_Name", "text2", "Small And BIG"
    m = Marks()
    call = m.call(arguments={key: f"  {value}  ", "kq_name": name})
    properties = {one: {"type": "string", "description": "text3"} for one in (key, "kq_name")}
    tool = m.tool(description="text4", parameters={"type": "object", "properties": properties})
    options = chat.needed if chat.gets_no_tools else {**chat.needed, "tools": [tool]}
    one = Conversation(({"role": "user", "content": "text1"}, m.calls(call)), options)
    text = chat.text(one) or ""
    place = text.find(value)
    if place < 0:
        return
    called = text[max(text.rfind("text1", 0, place), 0) : place]  # behind definitions of tools
    if key not in called and key.casefold() in called.casefold():
        message = f"the key {key} of the {ARGUMENTS} stands in the prompt in other letters"
        parameters = (("of", f"letters of the keys of {ARGUMENTS}"),)
        yield Problem(Cause("changed", parameters, Verdict.RISK, message), one)
    if name not in text[place:] and name.casefold() in text[place:].casefold():
        message = f"the value {name!r} of the {ARGUMENTS} stands in the prompt in other letters"
        parameters = (("of", f"letters of the values of {ARGUMENTS}"),)
        yield Problem(Cause("changed", parameters, Verdict.RISK, message), one)
    if text[max(place - 2, 0) : place + len(value) + 2] != f"  {value}  ":
        message = f"white space around a text of the {ARGUMENTS} is not in the prompt"
        parameters = (("of", f"white space around a text of {ARGUMENTS}"),)
        evidence = {"at": excerpt(text, place)}
        yield Problem(Cause("changed", parameters, Verdict.RISK, message), one, evidence)


def _cut(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if the end of a long text of arguments or of a definition is not shown."""
    begins = ("text2", "text3")
    called, described = (f"{begin}{LONG}" for begin in begins)
    m = Marks()
    message = m.calls(m.call(arguments={"zone": called}))
    tool = m.tool(description=described)
    options = chat.needed if chat.gets_no_tools else {**chat.needed, "tools": [tool]}
    one = Conversation(({"role": "user", "content": "text1"}, message), options)
    text = chat.text(one) or ""
    rows = ((ARGUMENTS, called, Verdict.RISK), (DEFINITIONS, described, Verdict.FACT))
    for begin, (what, given, verdict) in zip(begins, rows, strict=True):
        shown = text[text.find(begin) :][: len(given)] if begin in text else given
        if not shown.endswith(LONG[-4:]) and given.startswith(shown[:CUT]):
            words = f"of the {what}, a text of 4,000 characters is cut"
            cause = Cause("changed", (("of", f"a long text of the {what}"),), verdict, words)
            yield Problem(cause, one, {"given": shown[-80:], "expected": given[-80:]})


def _keys(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for empty values that are left out, and for values before their keys."""
    values = {"kq_first": "text2", "kq_no": False, "kq_zero": 0, "kq_part": 72.5, "kq_last": ""}
    m = Marks()
    properties = {key: {"description": "text3"} for key in values}
    tool = m.tool(description="text4", parameters={"type": "object", "properties": properties})
    options = chat.needed if chat.gets_no_tools else {**chat.needed, "tools": [tool]}
    one = Conversation(
        ({"role": "user", "content": "text1"}, m.calls(m.call(arguments=values))), options
    )
    text = chat.text(one) or ""
    value = text.find("text2")
    start = max(text.rfind("text1", 0, max(value, 0)), 0)
    first, *rest = (text.find(key, start) for key in values)
    if value < 0 or first < 0:
        return
    lost = [key for key, place in zip([*values][1:], rest, strict=True) if place < 0]
    if not lost and (empty := _are_empty(chat, one, values)):
        message = f"the value {empty} of the {ARGUMENTS} is in the prompt as an empty text is"
        parameters = (("of", f"false and zero of {ARGUMENTS}"),)
        yield Problem(Cause("changed", parameters, Verdict.RISK, message), one)
    if lost:
        shown = values[lost[0]]
        message = f"the prompt does not have the {ARGUMENTS} with the value {json.dumps(shown)}"
        cause = Cause(
            "keys are lost", (("of", f"empty values of {ARGUMENTS}"),), Verdict.RISK, message
        )
        yield Problem(cause, one, {"at": excerpt(text, value)})
    if not lost and "72.5" not in text[start:]:
        message = f"the number 72.5 of the {ARGUMENTS} is another one in the prompt"
        cause = Cause("changed", (("of", f"numbers of {ARGUMENTS}"),), Verdict.RISK, message)
        yield Problem(cause, one, {"at": excerpt(text, text.find("kq_part", start))})
    if value < first:
        message = f"the values of the {ARGUMENTS} stand before their keys"
        cause = Cause("values before keys", (("of", ARGUMENTS),), Verdict.RISK, message)
        yield Problem(cause, one, {"at": excerpt(text, value)})


def _are_empty(chat: Chat, one: Conversation, values: Mapping[str, Any]) -> str:
    """Return ``false`` or ``0`` if arguments with it are rendered as with an empty text; or ""."""
    asked, called = one.messages
    for key in ("kq_no", "kq_zero"):
        message = with_arguments(dict(called), partial(_with_empty, key))
        if chat.text(replace(one, messages=(asked, message))) == chat.text(one):
            return json.dumps(values[key])
    return ""


def _with_empty(key: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {**arguments, key: ""}


def _evidence(
    chat: Chat, find: Callable[[Conversation, str], int | None], one: Conversation
) -> dict[str, Any]:
    text = chat.text(one) or ""
    return {"at": excerpt(text, find(one, text) or 0)}


def _shows(
    chat: Chat, find: Callable[[Conversation, str], int | None]
) -> Callable[[Conversation], bool]:
    def shows(one: Conversation) -> bool:
        text = chat.text(one)
        return text is not None and find(one, text) is not None

    return shows


def _sorted_arguments(one: Conversation, text: str) -> int | None:
    """Return where the arguments of a call stand in another order; None if they do not."""
    for arguments in _arguments(one):
        if isinstance(arguments, dict) and (place := _is_sorted(arguments, text)) is not None:
            return place
    return None


def _is_sorted(data: dict[str, Any], text: str) -> int | None:
    """Return where the texts of an object's values stand in the order of its sorted keys."""
    rows = [(key, value) for key, value in data.items() if isinstance(value, str)]
    places = [text.find(value) for _, value in rows]
    if len(rows) < 2 or -1 in places or any(text.count(value) != 1 for _, value in rows):
        return None
    return min(places) if places != sorted(places) else None


def _sorted_definitions(one: Conversation, text: str) -> int | None:
    for tool in tools_of(one.options):
        parameters = function_of(tool).get("parameters")
        properties = parameters.get("properties") if isinstance(parameters, dict) else None
        described = {
            key: value["description"]
            for key, value in (properties.items() if isinstance(properties, dict) else ())
            if isinstance(value, dict) and isinstance(value.get("description"), str)
        }
        if (place := _is_sorted(described, text)) is not None:
            return place
    return None


def _without_keys(one: Conversation, text: str) -> int | None:
    """Return where the value of an argument stands whose key is nowhere, as no tools have it."""
    if one.options.get("tools"):
        return None
    rows = [row for row in _arguments(one) if isinstance(row, dict)]
    items = [(key, value) for row in rows for key, value in row.items() if isinstance(value, str)]
    lost = (value for key, value in items if value in text and key not in text)
    return next((text.find(value) for value in lost), None)


def _encoded_twice(one: Conversation, text: str) -> int | None:
    for arguments in _arguments(one):
        if isinstance(arguments, str):
            quoted = arguments.replace('"', '\\"')
            if quoted != arguments and quoted in text:
                return text.index(quoted)
    return None


def _data_encoded_twice(one: Conversation, text: str) -> int | None:
    data = [arguments for arguments in _arguments(one) if isinstance(arguments, dict)]
    return _quoted_text(data, text)


def _definitions_encoded_twice(one: Conversation, text: str) -> int | None:
    return _quoted_text([function_of(tool) for tool in tools_of(one.options)], text)


def _quoted_text(data: Sequence[Mapping[str, Any]], text: str) -> int | None:
    """Return where a text of plain data stands in quotes that are escaped."""
    texts = [item for one in data for item in one.values() if isinstance(item, str)]
    places = (text.find(f'\\"{item}\\"') for item in texts if MARKS.search(item))
    return next((place for place in places if place >= 0), None)


def _no_json_of_calls(one: Conversation, text: str) -> int | None:
    """Return where a call stands in a text that would be JSON, but for one character."""
    data = [arguments for arguments in _arguments(one) if isinstance(arguments, dict)]
    return no_json(data, text)


def _no_json_of_definitions(one: Conversation, text: str) -> int | None:
    return no_json([function_of(tool) for tool in tools_of(one.options)], text)


def _no_json_of_results(one: Conversation, text: str) -> int | None:
    """Return where a result stands as the value of a key of JSON without quotes; None if none."""
    for message in one.messages:
        content = message.get("content")
        if message.get("role") != "tool" or not isinstance(content, str):
            continue
        if MARKS.fullmatch(content) and (place := bare_value(content, text)) is not None:
            return place
    return None


def _arguments(one: Conversation) -> Iterator[Any]:
    for message in one.messages:
        yield from (function_of(call).get("arguments") for call in calls_of(message))


_TESTS = (
    (
        ARGUMENTS,
        _sorted_arguments,
        "keys in another order",
        "the keys of the {} stand in another order than they were sent in",
        Verdict.RISK,
    ),
    (
        DEFINITIONS,
        _sorted_definitions,
        "keys in another order",
        "the keys of the {} stand in another order than they were sent in",
        Verdict.FACT,
    ),
    (
        ARGUMENTS,
        _without_keys,
        "keys are lost",
        "the prompt has values of the {}, and not their keys",
        Verdict.RISK,
    ),
    (
        ARGUMENTS,
        _encoded_twice,
        "encoded twice",
        "the {}, which clients send as a text of JSON, stand in the prompt as a text in quotes",
        Verdict.RISK,
    ),
    (
        f"{ARGUMENTS} as an object",
        _data_encoded_twice,
        "encoded twice",
        "the {} stand in the prompt as a text in quotes, in which their own quotes are escaped",
        Verdict.RISK,
    ),
    (
        ARGUMENTS,
        _no_json_of_calls,
        "no JSON",
        "the {} stand in a text that would be JSON, but for a bracket, a comma or a quote",
        Verdict.RISK,
    ),
    (
        "a tool result",
        _no_json_of_results,
        "no JSON",
        "the text of {} is the value of a key of JSON, and has no quotes",
        Verdict.RISK,
    ),
    (
        DEFINITIONS,
        _no_json_of_definitions,
        "no JSON",
        "the {} stands in a text that would be JSON, but for a bracket, a comma or a quote",
        Verdict.RISK,
    ),
    (
        DEFINITIONS,
        _definitions_encoded_twice,
        "encoded twice",
        "the {} stands in the prompt as a text in quotes, in which its own quotes are escaped",
        Verdict.RISK,
    ),
)
