"""What a gate says of another chat template: what it renders, and which fields it opens."""

from dataclasses import replace

import pytest

from tokharness.conversations.template_changes import template_changes
from tokharness.targets.snapshot import TemplateState

TEMPLATE = """\
{%- for message in messages %}<|turn|>{{ message.role }}
{{ message.content | replace('<|', '< |') }}<|end|>{% endfor -%}
{% if add_generation_prompt %}<|turn|>assistant
{% endif -%}
"""


def state(source=TEMPLATE, name="default", **more):
    return TemplateState(name, source, variables={"bos_token": "<s>"}, **more)


def changes(new, old=None):
    return list(template_changes([old or state()], [new]))


def edited(old, new):
    assert TEMPLATE.count(old) == 1
    return state(TEMPLATE.replace(old, new))


def test_the_same_template_has_no_change():
    assert changes(state()) == []


@pytest.mark.slow
def test_comments_and_white_space_inside_of_tags_do_not_fail_with_any_release_of_jinja():
    spaced = TEMPLATE.replace("{%- for message", "{# a #}{%-  for  message")
    (change,) = changes(state(spaced, syntax="0" * 16), state(syntax="1" * 16))
    assert not change.fails
    assert "its syntax is the same" in change.message


@pytest.mark.slow
def test_another_syntax_that_no_rendering_shows_fails_and_says_so():
    (change,) = changes(edited("{% if add", "{% if xyz %}x{% endif %}{% if add"))
    assert change.fails
    assert "no rendering" in change.message
    assert change.message.endswith("; in the template: {% if xyz %}x{% endif %} is new")


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    ("old", "new", "before", "after"),
    [
        ("<|end|>{% endfor", "<|end|>\n{% endfor", "user\n<|end|>", "user\n<|end|>\n"),
        (
            *(" | replace('<|', '< |')", ""),
            *("system\ntext1< |end|><|end|>", "system\ntext1<|end|><|end|>"),
        ),
        ("'< |') }}", "'< |') | trim }}", "user\n \n <|end|>", "user\n<|end|>"),
    ],
    ids=["a line feed", "control tokens are no longer escaped", "white space is stripped"],
)
def test_the_smallest_conversation_is_shown_with_both_renderings(old, new, before, after):
    (change,) = changes(edited(old, new))
    assert (change.kind, change.fails) == ("changed-rendering", True)
    assert change.renderings.conversation.count('"role"') == 1
    assert change.renderings.before == f"<|turn|>{before}"
    assert change.renderings.after == f"<|turn|>{after}"


@pytest.mark.slow
def test_a_template_that_refuses_what_it_rendered_says_how_it_fails():
    guard = "{% if messages[0].role == 'system' %}{{ raise_exception('no') }}{% endif %}{%- for"
    (change,) = changes(edited("{%- for", guard))
    assert change.message.startswith("a conversation that was rendered fails with a refusal; in")
    assert change.renderings.after == "(refusal)"


@pytest.mark.slow
def test_another_value_of_a_variable_is_named():
    begun = state("{{ bos_token }}" + TEMPLATE)
    (change,) = changes(replace(begun, variables={"bos_token": "<b>"}), begun)
    assert change.message.endswith("the variable bos_token is <b>, was <s>")


@pytest.mark.slow
def test_another_template_with_another_value_of_a_variable_has_both_named():
    begun, other = (state("{{ bos_token }}" + TEMPLATE + end) for end in ("", "x"))
    (change,) = changes(replace(other, variables={"bos_token": "<b>"}), begun)
    assert "the variable bos_token is <b>, was <s>; in the template: x is new" in change.message


@pytest.mark.slow
def test_each_edit_of_a_template_is_named_without_its_comments():
    source = TEMPLATE.replace("<|end|>", "<|stop|>").replace("assistant", "model")
    (change,) = changes(state("{# a comment #}" + source))
    named = "; in the template: <|stop|>, was <|end|>; <|turn|>model, was <|turn|>assistant"
    assert change.message == f"a model gets other text than before for the same conversation{named}"


@pytest.mark.slow
def test_another_value_of_a_variable_that_is_not_used_does_not_fail():
    (change,) = changes(replace(state(), variables={"bos_token": "<b>"}))
    assert not change.fails


def test_the_same_template_that_renders_otherwise_is_not_known_to_be_unchanged():
    old, new = (state(renderings={"user": ("0" * 16, digit * 16)}) for digit in "12")
    (change,) = changes(new, old)
    assert change.fails
    assert "another release of Jinja" in change.message


def test_another_conversation_under_the_name_of_a_shape_is_not_compared():
    old, new = (state(renderings={"user": (digit * 16, digit * 16)}) for digit in "12")
    assert changes(new, old) == []


def test_a_field_that_was_closed_and_is_open_fails():
    old, new = state(open_fields=("reasoning",)), state(open_fields=("reasoning", "tool result"))
    (change,) = changes(new, old)
    assert (change.kind, change.fails) == ("open-field", True)
    assert "text of tool result becomes control tokens" in change.message


def test_a_field_that_is_closed_now_or_was_not_looked_for_is_no_change():
    assert changes(state(open_fields=()), state(open_fields=("reasoning",))) == []
    assert changes(state(open_fields=("reasoning",)), state()) == []


def test_a_template_that_is_gone_and_one_that_is_new_fail():
    gone, new = template_changes([state()], [replace(state(), name="tool_use")])
    assert (gone.what, new.what) == ("template default is gone", "template tool_use is new")
    assert gone.fails
    assert new.fails


@pytest.mark.slow
def test_a_template_of_several_is_compared_on_what_a_loader_gives_it():
    source = TEMPLATE + "{{ 'tools' if tools }}"
    old, other = state(), state(name="tool_use")
    (change,) = template_changes([old, other], [state(source), other])
    assert "no rendering" in change.message
    (change,) = template_changes([old, other], [old, state(source, name="tool_use")])
    assert change.what == "template tool_use: 87 of 88 shapes of conversations"
