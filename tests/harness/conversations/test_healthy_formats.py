"""Healthy templates of unusual formats: no check of turns, prompts, ids or names finds a risk."""

import pytest

from .conftest import HEALTHY, altered, of
from .template_parts import WITH_IDS

OPENS_THOUGHTS = (
    "{% for m in messages %}<|start|>{{ m.role }}{{ '<|channel|>final' if m.role == 'assistant' }}"
    "<|message|>{{ m.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant<|channel|>analysis<|message|>{% endif %}"
)
NAMED_BY_WORD = (
    "{% for m in messages %}<|{{ m.role }}|>{{ 'final' if m.role == 'assistant' }}<|message|>"
    "{{ m.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>analysis<|message|>{% endif %}"
)
CALLS_STOP = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for call in m.tool_calls or [] %}"
    "{{ call.function | tojson }}{% endfor %}{{ '</s>' if m.tool_calls else '<|end|>' }}"
    "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
NOT_CLOSED = (
    "{% if tools %}<tools>{{ tools | tojson }}\n{% endif %}{% for m in messages %}"
    "{{ '<tool_response>' if m.role == 'tool' else '<' ~ m.role ~ '>' }}{{ m.content }}"
    "{% for call in m.tool_calls or [] %}<tool_call>{{ call.function | tojson }}{% endfor %}\n"
    "{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
)
REMINDER = (
    "\n{{ 'Use <call> for calls, and read each <think>.' if tools and message.role == 'user' }}"
)
THINK_FIRST = (
    "{{ 'First write <think> and </think>.' if enable_thinking and message.role == 'user' }}"
)
EXAMPLES = (
    '{%- if tools -%}<|turn|>rules\n{"id": "call_1", "name": "f"} has the result '
    '{"tool_call_id": "call_1"}<|end|>{%- endif -%}'
)
OF_LOOPS = (
    "{%- set ns = namespace(place=0, key='') -%}{%- for place in range(1) -%}"
    "{%- set ns.place = 1 -%}{%- endfor -%}{%- for key, value in {'a': 1}.items() -%}"
    "{%- set ns.key = value -%}{%- endfor -%}{{- '' if ns.place + ns.key else '' -}}"
)
SIDES = (
    "{% set ns = namespace(last='') %}{% for m in messages %}{% set side = m.role == 'assistant' %}"
    "{{ '<|end|>' if not loop.first and side != ns.last }}{% set ns.last = side %}"
    "<|{{ m.role }}|>{{ m.content }}{% endfor %}<|end|>"
)
FRAMED = (
    "<BEGIN>{% for m in messages %}\n{{ m.role }}: {{ m.content }}\n{% endfor %}<END>\nIs it safe?"
)
RETURNS = (
    "{% for m in messages %}<|start|>{{ m.role }}<|message|>{{ m.content }}"
    "{{ '<|return|>' if loop.last and m.role == 'assistant' else '<|end|>' }}{% endfor %}"
)
QUOTED = (
    "{%- else -%}{% if message.role == 'tool' %}{{ {'result': message.content} | tojson }}"
    "{% else %}{{ text(message.content) }}{% endif %}<|end|>"
)
ITEMS = (
    "{%- macro items(value) -%}{%- if value is mapping -%}{%- for key in value -%}"
    "{{ key }}: {{ items(value[key]) }}{%- endfor -%}{%- elif value is string -%}{{ value }}"
    "{%- elif value is iterable -%}{%- for one in value -%}<item>{{ items(one) }}</item>"
    "{%- endfor -%}{%- else -%}{{ value }}{%- endif -%}{%- endmacro -%}"
)
ENDS = "{%- else -%}{{ text(message.content) }}<|end|>"
NAMES = (
    "{% for one in messages if one.tool_calls %}{% for call in one.tool_calls "
    "if call.id == message.tool_call_id %}{{ call.function.name }} {% endfor %}{% endfor %}"
)

FORMATS = {
    "a prompt that opens a channel": ("TOK507", OPENS_THOUGHTS),
    "a prompt with another word behind the role": ("TOK507", NAMED_BY_WORD),
    "a prompt that opens thoughts, and answers in tags": (
        "TOK507",
        NAMED_BY_WORD.replace("'final'", "'<answer>'").replace("analysis<|message|>", "<think>"),
    ),
    "a sentence about thoughts, where they are on": (
        "TOK507",
        altered(ENDS, ENDS.replace("<|end|>", THINK_FIRST + "<|end|>")),
    ),
    "calls that end with the end token": ("TOK503", CALLS_STOP),
    "tags that nothing closes": ("TOK503", NOT_CLOSED),
    "a sentence about tags behind the user's text": (
        "TOK503",
        altered(ENDS, ENDS.replace("<|end|>", REMINDER + "<|end|>")),
    ),
    "examples of ids": ("TOK510", EXAMPLES + HEALTHY),
    "names with results, and ids with calls": (
        "TOK510",
        WITH_IDS.replace("{{ message.tool_call_id }}", NAMES),
    ),
    "turns with an attribute": (
        "TOK503",
        (
            "{% for m in messages %}{{ '<turn role=\"' + m.role + '\">' + m.content + '</turn>' }}"
            "{% endfor %}"
        ),
    ),
    "reasoning in a channel of its own": (
        "TOK503",
        (
            "{% for m in messages %}{% if m.reasoning_content %}<|start|>assistant"
            "<|channel|>thoughts<|message|>{{ m.reasoning_content }}<|end|>{% endif %}"
            "<|start|>{{ m.role }}{{ '<|channel|>final' if m.role == 'assistant' }}"
            "<|message|>{{ m.content }}<|end|>{% endfor %}"
        ),
    ),
    "reasoning that words end": (
        "TOK503",
        (
            "{% for m in messages %}<|{{ m.role }}|>{% if m.reasoning_content %}"
            "{{ m.reasoning_content }}\nIn the end:\n{% endif %}{{ m.content }}<|end|>{% endfor %}"
        ),
    ),
    "a prompt that opens thoughts behind the role": (
        "TOK507",
        HEALTHY.replace(
            "<|turn|>assistant\n{% endif -%}", "<|turn|>assistant\n<think>{% endif -%}"
        ),
    ),
    "names that a loop goes through": ("TOK509", OF_LOOPS + HEALTHY),
    "a word that ends what a side says": ("TOK503", SIDES),
    "white space that is always stripped": (
        "TOK507",
        altered(ENDS, ENDS.replace(" }}", " | trim }}")),
    ),
    "a frame around the conversation": ("TOK503", FRAMED),
    "a last answer with an end of its own": ("TOK503", RETURNS),
    "a line feed where thoughts begin, and no thoughts": (
        "TOK507",
        altered(
            "{%- if thought -%}<think>{{ thought }}</think>{%- endif -%}",
            "<think>{{ '\n' ~ thought if thought }}</think>",
        ).replace("<|turn|>assistant\n{% endif", "<|turn|>assistant\n<think>\n{% endif"),
    ),
    "arguments as an attribute of a tag": (
        "TOK503",
        altered(
            "{% else %}{{ call.function.arguments | tojson }}",
            "{% else %}{% for value in call.function.arguments.values() %}"
            "<parameter of='{{ value | tojson }}'>text</parameter>{% endfor %}",
        ),
    ),
    "lists in lists, each item in a pair of tags": (
        "TOK503",
        ITEMS
        + altered("{{ call.function.arguments | tojson }}", "{{ items(call.function.arguments) }}"),
    ),
    "results in JSON": ("TOK506", altered(ENDS, QUOTED)),
}


@pytest.mark.parametrize("name", FORMATS)
def test_a_healthy_format_has_no_finding(findings, name):
    code, source = FORMATS[name]
    found = findings(source, code, variables={"bos_token": "<s>", "eos_token": "</s>"})
    assert of(found, "bug") == []
    assert of(found, "risk") == []


def test_a_template_with_names_images_and_lines_between_parts_shows_what_others_drop(findings):
    shown = {str(one.cause) for one in findings(HEALTHY, "TOK504")}
    part = "{{ part.text if part.text else '' }}"
    source = altered(part, "{{ (part.text or '<image>') + '\n' }}")
    source = source.replace(
        ENDS, "{%- else -%}{{ message.name }} {{ text(message.content) }}<|end|>"
    )
    dropped = {"never shown: name of a speaker", "never shown: image", "joined: parts of a content"}
    assert dropped <= shown
    assert not dropped & {str(one.cause) for one in findings(source, "TOK504")}


def test_an_image_that_one_of_two_kinds_of_parts_shows_is_shown(findings):
    part = "{{ part.text if part.text else '' }}"
    source = altered(part, "{{ part.text or ('<image>' if part.type == 'image') }}")
    assert "never shown: image" not in {str(one.cause) for one in findings(source, "TOK504")}


def test_a_clock_is_no_other_process(findings):
    found = findings("{{ strftime_now('%H:%M:%S.%f') }}" + HEALTHY, "TOK502", "TOK507")
    assert of(found, "bug") == []
    assert of(found, "risk") == [("TOK502", "time of day: second")]


def test_texts_in_other_letters_are_shown_without_parts(findings):
    source = (
        "{% for m in messages %}<|{{ m.role }}|>"
        "{{ m.content | capitalize if m.content is string else m.content }}{% endfor %}"
    )
    found = findings(source, "TOK501", "TOK504")
    assert ("TOK501", "contents in parts only") not in of(found, "fact")
    changed = "changed: of the user content, the case of letters is changed"
    assert ("TOK504", changed) in of(found, "fact")
