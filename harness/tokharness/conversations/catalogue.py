"""The conversations that templates are tried on: what clients send, enumerated and random."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from tokharness.conversations.shapes import CONVERTED, Marks, Message, Shape, renumbered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

NAMES = ("qzann", "qzbot", "qzben")
"""Names of speakers, which occur nowhere else."""

OF_OPTIONS = 501
"""Number of the first mark in the options of a shape, whatever marks its messages have."""


@cache
def shapes() -> tuple[Shape, ...]:
    """Return all shapes, simple ones first; names are unique.

    The marks of each are numbered from 1: shapes that begin alike share what is rendered of it.
    """
    return tuple(
        replace(
            one,
            messages=tuple(renumbered(list(one.messages), 1)),
            options=renumbered(dict(one.options), OF_OPTIONS),
        )
        for one in _all()
    )


def _all() -> Iterator[Shape]:
    yield from _plain()
    yield from _orders()
    yield from _contents()
    yield from _reasoning()
    yield from _calls()
    yield from _results()
    yield from _tools()
    yield from _others()


def _rounds(m: Marks, number: int) -> list[Message]:
    return [message for _ in range(number) for message in (m.user(), m.assistant())]


def _plain() -> Iterator[Shape]:
    m = Marks()
    yield Shape("user", (m.user(),))
    yield Shape("system and user", (m.system(), m.user()))
    yield Shape("one round", (m.user(), m.assistant()))
    yield Shape("one round, and a user", (m.user(), m.assistant(), m.user()))
    yield Shape("two rounds", tuple(_rounds(m, 2)))
    yield Shape("system and two rounds", (m.system(), *_rounds(m, 2)))
    yield Shape("system, two rounds and a user", (m.system(), *_rounds(m, 2), m.user()))
    yield Shape("ten rounds, and a user", (*_rounds(m, 10), m.user()))
    yield Shape("developer", ({**m.system(), "role": "developer"}, m.user(), m.assistant()))


def _orders() -> Iterator[Shape]:
    m = Marks()
    yield Shape("system alone", (m.system(),))
    yield Shape("two systems", (m.system(), m.system(), m.user()))
    yield Shape("system in between", (m.user(), m.assistant(), m.system(), m.user()))
    yield Shape("system after system and round", (m.system(), *_rounds(m, 1), m.system(), m.user()))
    yield Shape("system at the end", (m.user(), m.system()))
    yield Shape("two users", (m.user(), m.user()))
    yield Shape("two users after a round", (*_rounds(m, 1), m.user(), m.user()))
    yield Shape("two assistants", (m.user(), m.assistant(), m.assistant()))
    yield Shape("assistant first", (m.assistant(), m.user()))
    yield Shape("assistant alone", (m.assistant(),))
    yield Shape("system and assistant", (m.system(), m.assistant(), m.user()))
    said = (m.user(name=NAMES[0]), m.assistant(name=NAMES[1]), m.user(name=NAMES[2]))
    yield Shape("names", said)


def _contents() -> Iterator[Shape]:
    m = Marks()
    yield Shape("empty user", ({"role": "user", "content": ""}, m.assistant(), m.user()))
    yield Shape("empty system", ({"role": "system", "content": ""}, m.user()))
    yield Shape("empty assistant", (m.user(), {"role": "assistant", "content": ""}, m.user()))
    yield Shape("white user", ({"role": "user", "content": " \n "}, m.assistant(), m.user()))
    lines = f"{m.new('usr')}\n\n    {m.new('mid')}\n"
    yield Shape("lines", ({"role": "user", "content": lines}, m.assistant(), m.user()))
    note = f"{CONVERTED} parts into one text for templates that read texts only"

    def parts(role: str, number: int) -> Message:
        return {"role": role, "content": [m.part(role[:3]) for _ in range(number)]}

    yield Shape("user part", (parts("user", 1), m.assistant(), m.user()), note=note)
    yield Shape("user parts", (parts("user", 3), m.assistant(), m.user()), note=note)
    yield Shape("system parts", (parts("system", 2), m.user()), note=note)
    yield Shape("assistant parts", (m.user(), parts("assistant", 2), m.user()), note=note)
    yield Shape("no parts", (m.user(), {"role": "assistant", "content": []}, m.user()), note=note)
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    content = [image, m.part("usr")]
    yield Shape("image address", ({"role": "user", "content": content}, m.assistant()), note=note)
    content = [{"type": "image"}, m.part("usr")]
    note = f"{CONVERTED} images into this part, which the OpenAI schema has not"
    message = {"role": "user", "content": content}
    yield Shape("image part", (message, m.assistant()), note=note, is_permitted=False)
    null = f"{CONVERTED} null: transformers 5 leaves out keys without a value, release 4 does not"
    nothing = {"role": "assistant", "content": None, "refusal": m.new("rfs")}
    yield Shape("refusal", (m.user(), nothing, m.user()), note=null)


def _reasoning() -> Iterator[Shape]:
    m = Marks()
    note = "the OpenAI schema has no reasoning; servers return it under this key"

    def shape(name: str, *messages: Message, **options: Any) -> Shape:
        return Shape(name, messages, options, note, is_permitted=False)

    def thought(**more: Any) -> Message:
        return m.assistant(reasoning_content=m.new("rsn"), **more)

    tools = [m.tool()]
    yield shape("reasoning", m.user(), thought())
    yield shape("reasoning, and a user", m.user(), thought(), m.user())
    yield shape("system and reasoning", m.system(), m.user(), thought())
    yield shape("reasoning twice", m.user(), thought(), m.user(), thought(), m.user())
    yield shape("reasoning without content", m.user(), thought(content=""), m.user())
    yield shape("reasoning with null", m.user(), thought(content=None), m.user())
    empty = m.assistant(reasoning_content="")
    yield shape("empty reasoning", m.user(), empty, m.user())
    yield shape("key reasoning", m.user(), m.assistant(reasoning=m.new("rsn")), m.user())
    yield shape("key thinking", m.user(), m.assistant(thinking=m.new("rsn")), m.user())
    inline = m.assistant(content=f"<think>\n{m.new('rsn')}\n</think>\n\n{m.new('ast')}")
    yield shape("thoughts in the content", m.user(), inline, m.user())
    call = m.calls(m.call(), reasoning_content=m.new("rsn"))
    yield shape("reasoning and a call", m.user(), call, m.result(), m.assistant(), tools=tools)
    call = m.calls(m.call(), reasoning_content=m.new("rsn"))
    messages = (m.user(), call, m.result(), thought(), m.user())
    yield shape("reasoning, a call and reasoning", *messages, tools=tools)
    yield shape("thinking off", m.user(), m.assistant(), m.user(), enable_thinking=False)
    yield shape("thinking on", m.user(), thought(), m.user(), enable_thinking=True)


def _calls() -> Iterator[Shape]:
    m = Marks()

    def shape(name: str, *messages: Message, note: str = "") -> Shape:
        return Shape(name, messages, {"tools": [m.tool()]}, note)

    def ends(number: int = 1) -> tuple[Message, ...]:
        return (*(m.result(i + 1) for i in range(number)), m.assistant())

    text = f"{CONVERTED} arguments from text to an object, as transformers documents them"
    null = f"{CONVERTED} null: transformers 5 leaves out keys without a value, release 4 does not"
    yield shape("call", m.user(), m.calls(m.call()), *ends())
    yield shape("call, and a user", m.user(), m.calls(m.call()), *ends(), m.user())
    yield shape("call to answer", m.user(), m.calls(m.call()))
    yield shape("call with null", m.user(), m.calls(m.call(), content=None), *ends(), note=null)
    bare = {"role": "assistant", "tool_calls": [m.call()]}
    yield shape("call without content", m.user(), bare, *ends())
    said = m.calls(m.call(), content=m.new("ast"))
    yield shape("call with content", m.user(), said, *ends(), m.user())
    yield shape("system and call", m.system(), m.user(), m.calls(m.call()), *ends(), m.user())
    string = json.dumps(m.arguments())
    wired = m.calls(m.call(arguments=string))
    yield shape("arguments as text", m.user(), wired, *ends(), note=text)
    yield shape("no arguments", m.user(), m.calls(m.call(arguments={})), *ends())
    nested = {
        "zone": {"new": m.new("arg"), "all": [m.new("arg"), 2]},
        "area": [[1], [m.new("arg")]],
    }
    yield shape("nested arguments", m.user(), m.calls(m.call(arguments=nested)), *ends())
    values = {"zone": True, "area": False, "none": None, "key": m.new("arg")}
    yield shape("booleans and null", m.user(), m.calls(m.call(arguments=values)), *ends())
    numbers = {"zone": 1, "area": -2.5, "far": 10000000, "key": m.new("arg")}
    yield shape("numbers", m.user(), m.calls(m.call(arguments=numbers)), *ends())
    without = {key: value for key, value in m.call().items() if key != "id"}
    answer = {"role": "tool", "name": "look_up", "content": m.new("res")}
    note = "the OpenAI schema asks for ids; clients of transformers send none"
    whole = (m.user(), m.calls(without), answer, m.assistant())
    yield Shape("no ids", whole, {"tools": [m.tool()]}, note, is_permitted=False)
    two = m.calls(m.call(1), m.call(2), content=m.new("ast"))
    yield shape("two calls", m.user(), two, *ends(2), m.user())
    apart = m.calls(m.call(1, "zoom_in"), m.call(2, "find_it"))
    yield Shape("calls of two tools, not sent again", (m.user(), apart, *ends(2)))
    five = m.calls(*(m.call(i) for i in (1, 2, 3, 4, 5)))
    answers = [m.result(i) for i in (3, 1, 2, 5, 4)]
    yield shape("five calls, results in another order", m.user(), five, *answers, m.assistant())
    first, second = m.calls(m.call(1)), m.calls(m.call(2))
    before = (m.user(), first, m.result(1))
    yield shape("one call after another", *before, second, m.result(2))
    first, second = m.calls(m.call(1)), m.calls(m.call(2))
    messages = (m.user(), first, m.result(1), second, m.result(2), m.assistant(), m.user())
    yield shape("call, result, call, result", *messages)
    first, second = m.calls(m.call(1), m.call(2)), m.calls(m.call(3), m.call(4))
    results = [m.result(i) for i in (1, 2, 3, 4)]
    yield shape("two calls twice", m.user(), first, *results[:2], second, *results[2:], *ends(0))
    rounds = [m.user(), m.calls(m.call(1)), m.result(1), m.assistant()]
    again = [m.user(), m.calls(m.call(2)), m.result(2), m.assistant(), m.user()]
    yield shape("calls in two rounds", *rounds, *again)


def _results() -> Iterator[Shape]:
    m = Marks()

    def shape(name: str, result: Message, *after: Message, note: str = "") -> Shape:
        messages = (m.user(), m.calls(m.call()), result, *(after or (m.assistant(),)))
        return Shape(name, messages, {"tools": [m.tool()]}, note)

    parts = f"{CONVERTED} parts into one text for templates that read texts only"
    yield shape("result, and a user", m.result(), m.user())
    messages = (m.user(), m.calls(m.call()), m.result())
    yield Shape("result to answer", messages, {"tools": [m.tool()]})
    yield shape("empty result", m.result(content=""))
    yield shape(
        "result of JSON", m.result(content=json.dumps({"zone": m.new("res"), "area": None}))
    )
    yield shape("result of lines", m.result(content=f"{m.new('res')}\n\n  {m.new('mid')}\n"))
    yield shape("result of parts", m.result(content=[m.part("res"), m.part("res")]), note=parts)
    yield shape("result of an error", m.result(content=f"Error: {m.new('res')}"))
    unnamed = {key: value for key, value in m.result().items() if key != "name"}
    yield shape("unnamed result", unnamed)
    data = m.result(content={"zone": m.new("res"), "area": None})
    note = "the OpenAI schema has results as text; some clients send data"
    whole = (m.user(), m.calls(m.call()), data, m.assistant())
    yield Shape("result as data", whole, {"tools": [m.tool()]}, note, is_permitted=False)


def _tools() -> Iterator[Shape]:
    m = Marks()
    yield Shape("tools", (m.user(), m.assistant()), {"tools": [m.tool()]})
    yield Shape("tools, and a system", (m.system(), m.user()), {"tools": [m.tool()]})
    yield Shape(
        "eight tools", (m.user(),), {"tools": [m.tool(f"tool_{i * 3 % 8}") for i in range(8)]}
    )
    messages = (m.user(), m.calls(m.call()), m.result(), m.assistant(), m.user())
    yield Shape("tools not sent again", messages)
    yield Shape("an empty list of tools", (m.user(), m.assistant()), {"tools": []})
    deep = {
        "type": "object",
        "properties": {
            "zone": {
                "type": "object",
                "properties": {"inner": {"type": "array", "items": {"type": "string"}}},
            },
            "area": {"type": "string", "enum": [m.new("enm"), "none"], "default": None},
            "flag": {"type": ["boolean", "null"], "default": True, "description": m.new("prp")},
            "any": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        },
        "required": ["zone"],
        "additionalProperties": False,
    }
    yield Shape("a deep schema", (m.user(),), {"tools": [m.tool(parameters=deep, strict=True)]})
    bare = {"type": "function", "function": {"name": "look_up", "description": m.new("dsc")}}
    yield Shape("a tool without parameters", (m.user(),), {"tools": [bare]})
    tool = m.tool()
    del tool["function"]["description"]
    yield Shape("a tool without a description", (m.user(),), {"tools": [tool]})
    none = m.tool(parameters={"type": "object", "properties": {}})
    yield Shape("a tool with no properties", (m.user(),), {"tools": [none]})


def _others() -> Iterator[Shape]:
    m = Marks()
    documents = [m.document()]
    note = "transformers passes documents; the OpenAI schema has none"
    options = {"documents": documents}
    yield Shape("documents", (m.user(), m.assistant()), options, note, is_permitted=False)
    name = {"role": "function", "name": "look_up", "content": m.new("res")}
    call = {"name": "look_up", "arguments": json.dumps(m.arguments())}
    legacy = {"role": "assistant", "content": None, "function_call": call}
    note = "the OpenAI schema has it as deprecated"
    messages = (m.user(), legacy, name, m.assistant())
    yield Shape("function call", messages, {}, note, is_permitted=False)


# Random conversations.


def conversations() -> SearchStrategy[Shape]:
    """Return a Hypothesis strategy: conversations of up to eight messages, with marks for texts.

    Each begins with a system or not, and users, assistants, calls and results follow in any order
    that the OpenAI schema permits.
    """
    from hypothesis import strategies as st

    kinds = st.lists(
        st.sampled_from(["user", "assistant", "reasoning", "call", "two calls", "said call"]),
        min_size=1,
        max_size=6,
    )
    return st.builds(_composed, st.booleans(), kinds, st.booleans())


def _composed(with_system: bool, kinds: list[str], ends_with_user: bool) -> Shape:
    m = Marks()
    messages: list[Message] = [m.system()] if with_system else []
    for kind in kinds:
        if kind == "user":
            messages.append(m.user())
        elif kind == "assistant":
            messages.append(m.assistant())
        elif kind == "reasoning":
            messages.append(m.assistant(reasoning_content=m.new("rsn")))
        else:
            numbers = (1, 2) if kind == "two calls" else (1,)
            content = m.new("ast") if kind == "said call" else ""
            messages.append(m.calls(*(m.call(one) for one in numbers), content=content))
            messages += [m.result(one) for one in numbers]
    if ends_with_user:
        messages.append(m.user())
    options = {"tools": [m.tool()]} if any("call" in kind for kind in kinds) else {}
    return Shape("random", tuple(messages), options)
