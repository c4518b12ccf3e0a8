"""Real engines and renderers: what they do otherwise, alone, and in templates by its cause."""

import os
from pathlib import Path

import pytest

from tokharness import plugins
from tokharness.conversations.alterations import ALTERATIONS
from tokharness.conversations.chat import Chat
from tokharness.conversations.examination import examine
from tokharness.conversations.other_renderers import OtherRenderer
from tokharness.conversations.rendering import NOW, Request
from tokharness.conversations.run import VARIABLES
from tokharness.conversations.shapes import Shape
from tokharness.conversations.templates import ChatTemplate
from tokharness.errors import TargetError

FOLDER = os.environ.get("TOKHARNESS_TEST_CHAT_TEMPLATES")

JAVASCRIPT = "@huggingface/jinja"
KNOWN = {
    "minijinja": (
        *("white space of Unicode", "tojson escapes HTML", "null is iterable"),
        *("indent drops the last line end", "no sequence but lists", "line ends of the template"),
    ),
    JAVASCRIPT: (
        *("white space of JavaScript", "strip without its argument", "null is nothing"),
        *("booleans in lower case", "lists as JSON", "numbers of JavaScript", "length in UTF-16"),
        *("lines of indent end with LF", "objects are not iterable", "line ends of the template"),
        "codes of strftime_now",
    ),
    "llama.cpp": ("white space of ASCII", "null is nothing", "lists as their texts"),
}
"""What the engines are known to do otherwise."""


def started(name):
    try:
        return OtherRenderer(name)
    except TargetError as error:
        pytest.skip(str(error))


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(("name", "cause"), [(n, cause) for n in KNOWN for cause in KNOWN[n]])
def test_an_engine_alone_does_what_the_alteration_says(name, cause, renderers):
    known = ALTERATIONS[cause]
    messages = [{"role": "user", "content": content} for content in known.contents]
    with started(name) as other:
        other.load(known.probe, {})
        (given,) = other.render_all([Request(messages, {}, NOW)])
    renderers[0].load(known.probe, {})
    plain, altered = renderers[0].render_all(
        [Request(messages, {}, NOW), Request(messages, {}, NOW, (cause,))]
    )
    assert given.text == altered.text != plain.text


@pytest.fixture
def compared(renderers):
    def run(name, source, *, given=()):
        renderers[0].load(source, VARIABLES)
        with started(name) as other:
            other.load(source, VARIABLES)
            template = ChatTemplate("default", source, "template.jinja")
            chat = Chat(template, renderers[0], others=[other], given=given)
            found = examine(chat, "t", [plugins.chat_checks()["TOK518"]], ["t"]).findings
        return {str(one.cause): one for one in found}

    return run


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("name", KNOWN)
def test_an_engine_renders_a_plain_template_alike(compared, name):
    plain = "{% for m in messages %}<{{ m.role }}>{{ m['content'] }}</s>\n{% endfor %}"
    shape = Shape("given", ({"role": "user", "content": " a\u0130 "},), {"tools": []})
    assert compared(name, plain, given=[shape]) == {}


def test_a_template_that_an_engine_cannot_parse_is_one_finding_with_its_line(compared):
    source = (
        "{% for m in messages %}\n"
        "{% generation %}{{ m.content or '' }}{% endgeneration %}{% endfor %}"
    )
    found = compared("minijinja", source)
    cause = "does not parse: minijinja, syntax error: unknown statement generation in line 2"
    assert [*found] == [cause]


@pytest.mark.slow
def test_an_error_of_an_engine_names_what_it_lacks_with_the_smallest_conversation(compared):
    source = (
        "{% for m in messages %}{{ m.content or '' }}"
        "{% for c in m.tool_calls or [] %}{{ c.function | tojson(ensure_ascii=false) }}"
        "{% endfor %}{% endfor %}"
    )
    words = "too many arguments: unknown keyword argument 'ensure_ascii'"
    found = compared("minijinja", source)
    finding = found[f"fails: minijinja, {words}"]
    assert finding.evidence["lines of the template"] == [1]
    assert len(finding.text) < 250


@pytest.mark.slow
def test_a_refusal_of_the_template_is_one_in_an_engine(compared):
    source = "{{ raise_exception('no' ~ messages[0].role) }}"
    for name in KNOWN:
        assert compared(name, source) == {}


WRITTEN = {
    ("renderers:qwen3", "Qwen-Qwen3-0.6B.jinja"): set(),
    ("renderers:gpt-oss", "openai-gpt-oss-120b.jinja"): {
        'other words: renderers:gpt-oss, "" in the place of " json"',
        'other words: renderers:gpt-oss, "" in the place of "\\n\\n"',
    },
    ("mistral-common:v3-tekken", "mistralai-Mistral-Nemo-Instruct-2407.jinja"): {
        'other words: mistral-common:v3-tekken, "\\"" in the place of ""',
        "a text is changed: mistral-common:v3-tekken, tool result",
    },
}
"""Renderers written by hand, a template of the same model, and what was seen by hand."""


@pytest.mark.slow(every=3)
@pytest.mark.skipif(not FOLDER, reason="TOKHARNESS_TEST_CHAT_TEMPLATES is not set")
@pytest.mark.parametrize("pair", WRITTEN, ids=" ".join)
def test_a_written_renderer_is_compared_with_the_template_of_its_model(compared, pair):
    name, file = pair
    source = (Path(FOLDER) / file).read_text("utf-8")
    found = compared(name, source)
    risks = {cause for cause, one in found.items() if str(one.verdict) == "risk"}
    assert risks >= WRITTEN[pair]
    assert risks or not WRITTEN[pair]
    if not WRITTEN[pair]:
        assert risks == set()
