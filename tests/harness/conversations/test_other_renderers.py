"""Renderers with a planted fault are found with its cause, and a healthy one is not."""

import json
from pathlib import Path

import pytest

from tokharness import plugins
from tokharness.conversations.catalogue import shapes
from tokharness.conversations.chat import Chat
from tokharness.conversations.examination import examine
from tokharness.conversations.other_renderers import OtherRenderer
from tokharness.conversations.rendering import Request
from tokharness.conversations.templates import ChatTemplate
from tokharness.conversations.token_ids import Tokens
from tokharness.errors import TargetError, UnknownNameError
from tokharness.model import target_of

from .conftest import STOP, CharacterTokenizer

PLANTED = Path(__file__).with_name("planted_renderers.py")

TEMPLATE = """\
{%- if tools -%}<|turn|>tools{% for tool in tools %}{{ tool | tojson }}{% endfor %}<|end|>
{%- endif -%}
{%- for message in messages -%}
<|turn|>{{ message.role }}
{% if message.reasoning_content %}<think>{{ message.reasoning_content }}</think>{% endif -%}
{%- if message.content is string and message.role == 'user' -%}{{ message.content | trim }}
{%- elif message.content is string -%}{{ message.content }}
{%- elif message.content -%}{{ message.content | tojson }}{%- endif -%}
{%- for call in message.tool_calls or [] -%}<call>{{ call.function | tojson }}</call>{%- endfor -%}
<|end|>
{%- endfor -%}
{%- if add_generation_prompt -%}<|turn|>assistant
{% endif -%}
"""


SYSTEM, USER = (
    next(one for one in shapes() if one.name == name) for name in ("system and user", "user")
)


def spec(factory):
    return f"python:{PLANTED}:{factory}"


@pytest.fixture
def compared(renderers):
    """Return the findings of TOK518 of a template with a renderer."""
    check = plugins.chat_checks()["TOK518"]

    def run(name, source=TEMPLATE, tokenizer=None, given=()):
        renderers[0].load(source, {})
        with OtherRenderer(name) as other:
            other.load(source, {})
            tokens = None if tokenizer is None else Tokens(target_of("t", tokenizer), STOP)
            template = ChatTemplate("default", source, "template.jinja")
            chat = Chat(template, renderers[0], tokens=tokens, others=[other], given=given)
            return examine(chat, "t", [check], ["t"]).findings

    return run


@pytest.mark.slow
def test_a_healthy_renderer_does_not_differ(compared):
    assert compared(spec("healthy")) == ()


FAULTS = {
    "trims_ascii": ("risk", "white space of ASCII", '[{"role": "user", "content": "\\u001c"}]'),
    "escapes_json": ("risk", "tojson escapes letters", None),
    "drops_null": ("fact", "a text is lost", None),
    "takes_the_wrong_role": (
        "risk",
        "the role system as user",
        '[{"role": "system", "content": "text1"}]',
    ),
    "strips_contents": ("risk", "contents are stripped", None),
    "loses_reasoning": ("fact", "a text is lost", None),
    "ends_with_a_space": (
        "risk",
        'other words: {}, " " in the place of ""',
        '[{"role": "user", "content": "text1"}]',
    ),
    "folds_case": (
        "risk",
        "a text is changed: {}, user content",
        '[{"role": "user", "content": "\\u0130"}]',
    ),
    "refuses_results": ("risk", "fails: {}, no results here", None),
    "counts": ("risk", "not repeatable", None),
    "returns_bytes": (
        "risk",
        "fails: {}, the function returned bytes, and neither a text nor a text and ids",
        '[{"role": "user", "content": "text1"}]',
    ),
}


FAST = ("trims_ascii", "takes_the_wrong_role", "refuses_results")


@pytest.mark.parametrize(
    "factory",
    [pytest.param(one, marks=() if one in FAST else pytest.mark.slow(every=3)) for one in FAULTS],
)
def test_a_planted_fault_is_found_by_its_cause(compared, factory):
    verdict, cause, smallest = FAULTS[factory]
    found = compared(spec(factory))
    wanted = cause.format(spec(factory)) if "{}" in cause else f"{cause}: {spec(factory)}"
    best = [one for one in found if str(one.cause).startswith(wanted)]
    found = [(str(one.cause.kind), one.cause.parameters[1:], one.text) for one in found]
    assert [str(one.verdict) for one in best][:1] == [verdict], found
    if smallest is not None:
        assert best[0].text == smallest
    assert len(json.loads(best[0].text)) <= 3 or "messages" in json.loads(best[0].text)


@pytest.mark.slow
def test_what_a_renderer_fails_on_is_found_also_if_its_texts_are_not_repeatable(compared):
    kinds = [one.cause.kind for one in compared(spec("counts_and_refuses_results"))]
    assert sorted(kinds) == ["fails", "not repeatable"]


FAULTS_OF_IDS = {
    "has_one_id_more": ["more ids at the beginning"],
    "has_no_last_id": ["fewer ids at the end"],
    "has_the_letters_of_a_token": ["no <|end|>, whose text gets different ids"],
    "has_no_line_feeds": ["inside"],
}


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("factory", FAULTS_OF_IDS)
def test_ids_are_compared_with_those_of_the_tokenizer(compared, factory):
    found = compared(spec(factory), tokenizer=CharacterTokenizer())
    assert {one.cause.kind for one in found} == {"different ids"}
    assert [one.cause.parameters[1][1] for one in found] == FAULTS_OF_IDS[factory]
    (first, *_) = (
        one for one in found if one.cause.parameters[1][1] == "inside" or len(found) == 1
    )
    assert len(json.loads(first.text)) == 1
    assert first.evidence["given"] != first.evidence["expected"]


@pytest.mark.slow
def test_the_ids_of_a_healthy_renderer_are_those_of_the_tokenizer(compared):
    assert compared(spec("has_ids"), tokenizer=CharacterTokenizer()) == ()


@pytest.mark.slow
def test_ids_that_no_tokenizer_has_are_said_not_to_be_compared(compared):
    assert [one.cause.kind for one in compared(spec("has_ids"))] == ["ids not compared"]


@pytest.mark.slow
def test_a_renderer_that_loops_ends_only_what_loops():
    one, two = ({"role": "user", "content": "a"},), ({"role": "user", "content": "a"},) * 2
    with OtherRenderer(spec("loops")) as other:
        other.load(TEMPLATE, {})
        results = other.render_all([Request(one, {}), Request(two, {})])
    assert [result.text for result in results] == ["", None]
    assert results[1].failure == "time limit"


@pytest.mark.slow
def test_a_renderer_that_ignores_a_refusal_is_found(compared):
    source = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}a"
    found = [
        (str(one.verdict), one.cause.kind, one.text)
        for one in compared(spec("ignores_refusals"), source, given=[SYSTEM, USER])
    ]
    assert compared(spec("healthy_with_refusals"), source, given=[SYSTEM, USER]) == ()
    smallest = '[{"role": "system", "content": "text1"}, {"role": "user", "content": "text2"}]'
    assert found == [("risk", "renders what the template refuses", smallest)]


@pytest.mark.slow
def test_many_errors_are_one_finding_more_than_the_first_ones(compared):
    found = compared(spec("raises_hostile_words"))
    assert [one.cause.kind for one in found] == ["fails"] * 17
    (last,) = (one for one in found if not one.cause.parameters[1][1].startswith("a\u202e"))
    assert last.cause.parameters[1][1].endswith(" other errors")


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("minijnja", UnknownNameError, "minijinja"),
        ("python:absent.py:make", TargetError, "there is no file absent.py"),
        ("python:absent", TargetError, "has no factory"),
        ("mistral-common", TargetError, "write mistral-common:v1 or mistral-common:v2"),
        ("mistral-common:v77", UnknownNameError, "mistral-common:v7"),
        ("minijinja:x", UnknownNameError, "minijinja"),
    ],
)
def test_a_renderer_that_is_not_there_is_a_sentence(name, error, words):
    with pytest.raises(error, match=r".") as raised:
        OtherRenderer(name)
    assert words in str(raised.value)


def test_a_factory_that_fails_is_a_sentence(tmp_path):
    (tmp_path / "mine.py").write_text("def make(template, variables):\n    raise OSError('no')\n")
    with (
        OtherRenderer(f"python:{tmp_path / 'mine.py'}:make") as other,
        pytest.raises(TargetError, match="cannot be loaded: no"),
    ):
        other.load(TEMPLATE, {})


def test_without_a_renderer_the_check_does_not_apply(findings):
    assert findings(TEMPLATE, "TOK518") == ()
