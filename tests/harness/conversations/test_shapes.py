"""The shapes of conversations, and random ones."""

import json
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings

from tokharness.conversations.catalogue import conversations, shapes
from tokharness.conversations.chat import Conversation
from tokharness.conversations.shapes import (
    fields_of,
    filled,
    shape_of,
)
from tokharness.conversations.shrinking import smallest

from .conftest import HEALTHY


def test_there_are_many_shapes_with_names_of_their_own():
    names = [shape.name for shape in shapes()]
    assert len(names) >= 60
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("shape", shapes(), ids=lambda shape: shape.name)
def test_each_text_of_a_shape_occurs_once(shape):
    text = json.dumps([shape.messages, dict(shape.options)])
    fields = fields_of(shape.messages, shape.options)
    assert all(text.count(field.mark) == 1 for field in fields)


def test_each_shape_is_different():
    texts = {json.dumps([shape.messages, dict(shape.options)]) for shape in shapes()}
    assert len(texts) == len(shapes())


def test_a_field_says_what_it_is():
    call = next(shape for shape in shapes() if shape.name == "call")
    kinds = {field.what for field in fields_of(call.messages, call.options)}
    assert {"user content", "arguments of a call", "tool result", "assistant content"} < kinds


def test_marks_are_filled_wherever_they_are():
    assert filled({"a": ["x qz001usrxk y"]}, {"qz001usrxk": "b"}) == {"a": ["x b y"]}


@pytest.mark.slow
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(conversations())
def test_a_random_conversation_has_no_bug_and_no_risk(findings, shape):
    for before, after in pairwise(shape.messages):
        assert after["role"] != "tool" or before.get("tool_calls") or before["role"] == "tool"
    found = findings(HEALTHY, "TOK501", "TOK503", "TOK504", "TOK505", "TOK507", given=[shape])
    assert [one for one in found if one.verdict != "fact"] == []


def test_a_conversation_of_a_user_is_a_shape():
    messages = [{"role": "user", "content": "a"}]
    assert shape_of(messages).messages == tuple(messages)
    assert shape_of({"messages": messages, "tools": []}).options == {"tools": []}
    for wrong in ([], {}, [1], "a", [{"content": "a"}]):
        with pytest.raises(ValueError, match="no list of messages"):
            shape_of(wrong)


CALL = {"name": "f", "arguments": {"zone": "text1", "area": "text2"}}
ODD = {
    "calls that are no list": {"role": "assistant", "tool_calls": 1},
    "a call that is no object": {"role": "assistant", "tool_calls": [1]},
    "a call without a function": {"role": "assistant", "tool_calls": [{}, CALL]},
    "arguments that are no JSON": {"role": "assistant", "tool_calls": [{"arguments": "{"}]},
    "arguments in many lists": {"role": "assistant", "tool_calls": [{"arguments": "[" * 10**5}]},
    "parts that are texts": {"role": "user", "content": ["text1", "text2"]},
    "a role that is a list": {"role": ["user"], "content": "text1"},
}
ODD_TOOLS = {
    "tools that are no list": 1,
    "a definition that is no object": [1],
    "a definition without a function": [{"name": "f", "parameters": {"properties": {"a": 1}}}],
    "parameters that are no object": [{"function": {"name": None, "parameters": []}}],
    "properties that are no object": [{"function": {"parameters": {"properties": [1]}}}],
}


@pytest.mark.parametrize("name", [*ODD, *ODD_TOOLS])
def test_every_check_takes_a_conversation_of_an_odd_shape(name, report):
    message = ODD.get(name, {"role": "user", "content": "text1"})
    given = shape_of({"messages": [message], "tools": ODD_TOOLS.get(name, [])})
    ran = report("{{ messages }}{{ tools }}", given=[given]).started.checks
    assert {"TOK501", "TOK503", "TOK505", "TOK506"} <= {*ran}


class Unrendered:
    def fetch(self, conversations):
        """Render nothing."""


def test_the_smallest_conversation_keeps_what_shows_the_fault():
    whole = next(shape for shape in shapes() if shape.name == "two calls twice")

    def shows(one):
        return sum(len(message.get("tool_calls") or ()) for message in one.messages) >= 2

    one = smallest(Conversation(whole.messages, whole.options), shows, Unrendered())
    assert [message["role"] for message in one.messages] == ["user", "assistant"]
    assert one.options == {}
