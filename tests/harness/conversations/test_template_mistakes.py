"""Mistakes that the syntax tree of a template shows are found, and nothing on healthy templates."""

import pytest

from tokharness.conversations.checks.template_mistake import edit_between, is_near

from .conftest import HEALTHY, CharacterTokenizer, altered, of

PLAIN = "{{ text(message.content) }}<|end|>{%- endif -%}"
PROMPT = "<|turn|>assistant\n{% endif -%}"
FIRST = "{%- for message in messages -%}\n<|turn|>"


def looped(inside, behind="", before="{% set seen = false %}"):
    """Return the healthy template with a loop that assigns."""
    loop = f"{{% for message in messages %}}{inside}{{% endfor %}}"
    return HEALTHY + before + loop + behind


SETS = "{% set seen = true %}"

MISTAKES = {
    "a marker without a bar": (
        altered(PLAIN, PLAIN.replace("<|end|>", "<|end>")),
        "near a token: <|end> for <|end|>",
    ),
    "a marker without its end": (
        altered(PLAIN, PLAIN.replace("<|end|>", "<|end| ")),
        "near a token: <|end| for <|end|>",
    ),
    "a marker without its beginning": (
        altered(PLAIN, PLAIN.replace("<|end|>", " end|>")),
        "near a token: end|> for <|end|>",
    ),
    "a marker with two letters that are swapped": (
        altered(PROMPT, PROMPT.replace("<|turn|>", "<|tunr|>")),
        "near a token: <|tunr|> for <|turn|>",
    ),
    "a marker in other case": (
        altered(PROMPT, PROMPT.replace("<|turn|>", "<|Turn|>")),
        "near a token: <|Turn|> for <|turn|>",
    ),
    "a marker with other bars": (
        altered(PROMPT, PROMPT.replace("<|turn|>", "<\uff5cturn\uff5c>")),
        "near a token: <\uff5cturn\uff5c> for <|turn|>",
    ),
    "a marker with a space": (
        altered(PROMPT, PROMPT.replace("<|turn|>", "<| turn|>")),
        "near a token: <| turn|> for <|turn|>",
    ),
    "a marker that is no token": (
        altered(PROMPT, PROMPT.replace("<|turn|>", "<|speaker|>")),
        "no token: <|speaker|>",
    ),
    "a tag with its slash at the end": (
        altered("</think>", "<think/>") + "{{ '</think></think>' if false }}",
        "near a token: <think/> for </think>",
    ),
    "a name that only a loop sets, read behind it": (
        looped(SETS, "{{ 'x' if seen else '' }}", before=""),
        "lost assignment: seen",
    ),
    "a value that the same round and what is behind the loop read": (
        looped(SETS + "{{ seen }}", "{{ seen }}"),
        "lost assignment: seen",
    ),
    "a name for that of a namespace": (
        looped(SETS, "{{ 'x' if ns.seen else '' }}", before="{% set ns = namespace(seen=0) %}"),
        "lost assignment: seen for ns.seen",
    ),
    "a variable that is misspelt": (
        "{{ bos_tokens }}" + HEALTHY,
        "unknown variable: bos_tokens for bos_token",
    ),
    "a name of the template that is misspelt": (
        HEALTHY + "{% set prompt = 'a' %}{{ promt }}",
        "unknown variable: promt for prompt",
    ),
    "a function that no loader defines": (
        "{% if messages | length > 99 %}{{ raise_error('too many') }}{% endif %}" + HEALTHY,
        "unknown function: raise_error",
    ),
    "a value that is read behind the loop": (
        looped(SETS, "{{ 'a' if seen }}"),
        "lost assignment: seen",
    ),
    "a value that the next round reads": (
        looped("{% if not seen %}a" + SETS + "{% endif %}"),
        "lost assignment: seen",
    ),
    "a value that an inner loop sets": (
        looped("{% for part in message.content %}{% if part %}" + SETS + "{% endif %}{% endfor %}a")
        + "{{ 'b' if seen }}",
        "lost assignment: seen",
    ),
    "a word that is stripped": (
        altered(PLAIN, "{{ text(message.content).lstrip('<think>') }}<|end|>{%- endif -%}"),
        "strips characters: lstrip of '<think>'",
    ),
    "a variable in quotes": (HEALTHY + "{{ 'eos_token' }}", "syntax as text: eos_token"),
    "a tag in quotes": (
        HEALTHY + "{{ '{{ eos_token }}' }}",
        "syntax as text: {{ eos_token }}",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_of_the_template_is_found(findings, name):
    source, cause = MISTAKES[name]
    found = findings(source, "TOK509", tokenizer=CharacterTokenizer())
    assert of(found, "risk") == [("TOK509", cause)]


def test_the_finding_names_the_line(findings):
    source = "\n\n" + looped(SETS, "{{ seen }}")
    (found,) = findings(source, "TOK509")
    line = source.count("\n") + 1
    assert found.evidence["line of the template"] == line
    assert f"line {line} reads the value from before the loop" in found.message


def test_without_a_tokenizer_a_marker_is_compared_with_usual_ones_and_those_of_the_template(
    findings,
):
    usual = "{% for m in messages %}<|im_start|>{{ m.content }}<|im_end>{% endfor %}"
    own = "{% for m in messages %}<|speaker|>{{ m.content }}{% endfor %}<|speaker|>a<|speakr|>"
    assert of(findings(usual, "TOK509"), "risk") == [
        ("TOK509", "near a token: <|im_end> for <|im_end|>")
    ]
    assert of(findings(own, "TOK509"), "risk") == [
        ("TOK509", "near a token: <|speakr|> for <|speaker|>")
    ]


HEALTHY_ONES = {
    "a value that the same round reads": looped(SETS + "{{ seen }}"),
    "a name that a loop has for itself": looped(
        SETS + "{{ seen }}",
        "{{ seen }}",
        "{% if messages | length > 1 %}{% set seen = 1 %}{% else %}{% set seen = 2 %}{% endif %}",
    ),
    "a variable that is a list of what a loop names": (
        "{% for context in contexts %}{{ context }}{% endfor %}" + HEALTHY
    ),
    "a value that is changed if it is of another kind": looped(
        "{% if not seen %}" + SETS + "{% endif %}{{ seen }}"
    ),
    "a value in a namespace": looped(
        "{% set ns.seen = true %}", "{{ ns.seen }}", "{% set ns = namespace(seen=false) %}"
    ),
    "a value that is set again behind the loop": looped(SETS, "{% set seen = 1 %}{{ seen }}"),
    "the name of a loop": HEALTHY + "{% set part = 1 %}{% for part in messages %}{% endfor %}",
    "a variable that may be missing": "{{ bos_tokens if bos_tokens is defined }}" + HEALTHY,
    "a variable with a default": "{{ bos_tokens | default('') }}" + HEALTHY,
    "a function that may be missing": (
        "{% if strftime_today is defined %}{{ strftime_today('%Y') }}{% endif %}" + HEALTHY
    ),
    "an option of one model": "{{ 'a' if enable_citations else 'b' }}" + HEALTHY,
    "white space that is stripped": altered(
        PLAIN, "{{ text(message.content).strip('\\n\\t []') }}<|end|>{%- endif -%}"
    ),
    "tags of an example": HEALTHY + "<tools></tools><tool><function=a><function>",
    "tags with attributes": HEALTHY + "<invoke name='a'></invoke><invoke>",
    "a word in a comparison": HEALTHY + "{{ 'a' if '<|end>' in messages[0].content }}",
    "a key": HEALTHY + "{% set data = {'eos_token': 1} %}{{ data['eos_token'] }}",
    "words with other numbers": HEALTHY + "<function-name-1><function-name-2><function-name-2>",
}


@pytest.mark.parametrize("name", HEALTHY_ONES)
def test_a_template_without_a_mistake_has_no_finding(findings, name):
    found = findings(HEALTHY_ONES[name], "TOK509", tokenizer=CharacterTokenizer())
    assert of(found, "risk") == []


@pytest.mark.parametrize(
    ("one", "other", "edit"),
    [
        ("abc", "abd", ("c", "d")),
        ("abc", "ab", ("c", "")),
        ("bc", "abc", ("", "a")),
        ("abcd", "acbd", ("bc", "cb")),
        ("abcd", "badc", None),
        ("abcd", "ab", None),
    ],
)
def test_one_edit_between_two_texts_is_named(one, other, edit):
    assert edit_between(one, other) == edit


def test_an_end_tag_is_not_near_its_beginning():
    assert not is_near("</tool_call>", "<tool_call>")
    assert not is_near("<tool_calls>", "<tool_call>", is_strict=True)
    assert is_near("</tool_cal>", "</tool_call>", is_strict=True)
