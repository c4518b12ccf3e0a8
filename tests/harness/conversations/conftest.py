"""A healthy chat template and tokenizer, and the checks of chat templates on others."""

import re

import pytest

from tokharness import plugins
from tokharness.conversations.chat import Chat
from tokharness.conversations.examination import examine
from tokharness.conversations.rendering import Renderer
from tokharness.conversations.templates import ChatTemplate
from tokharness.conversations.token_ids import Tokens
from tokharness.model import target_of

HEALTHY = """\
{%- macro text(content) -%}
{%- if content is string -%}{{ content }}
{%- elif content is mapping -%}{{ content | tojson }}
{%- elif content -%}{%- for part in content -%}{{ part.text if part.text else '' }}{%- endfor -%}
{%- endif -%}
{%- endmacro -%}
{%- if tools -%}
<|turn|>tools{%- for tool in tools %}
{{ tool | tojson }}{%- endfor -%}<|end|>
{%- endif -%}
{%- for message in messages -%}
<|turn|>{{ message.role }}
{% if message.role == 'assistant' %}{% generation %}
{%- set thought = message.reasoning_content or message.reasoning or message.thinking -%}
{%- if thought -%}<think>{{ thought }}</think>{%- endif -%}
{{ text(message.content) }}
{%- for call in message.tool_calls or [] -%}
<call>{{ call.function.name }}{% if call.function.arguments is string -%}
{{ call.function.arguments }}{% else %}{{ call.function.arguments | tojson }}{% endif %}</call>
{%- endfor -%}
<|end|>{% endgeneration %}
{%- else -%}{{ text(message.content) }}<|end|>{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}<|turn|>assistant
{% endif -%}
"""

SPECIAL = {"<|turn|>": 0x110000, "<|end|>": 0x110001, "<|begin|>": 0x110002}
STOP = (SPECIAL["<|end|>"],)


def altered(old, new):
    """Return the healthy template with one part replaced."""
    assert HEALTHY.count(old) == 1, old
    return HEALTHY.replace(old, new)


def of(findings, verdict):
    """Return code and cause of the findings with a verdict."""
    return [(one.code, str(one.cause)) for one in findings if one.verdict == verdict]


class CharacterTokenizer:
    """A tokenizer whose ids are code points, with special tokens; ``options`` are faults."""

    def __init__(
        self,
        *,
        begin=(),
        joins="",
        plain_reads=False,
        folds=False,
        not_special=(),
        single_word=False,
        takes=False,
        adds_space=False,
        most=None,
    ):
        self.begin, self.joins, self.plain_reads = list(begin), joins, plain_reads
        self.folds, self.single_word = folds, single_word
        self.takes, self.adds_space, self.most = takes, adds_space, most
        self.added_tokens = {text: SPECIAL[text] for text in not_special}
        self.special_tokens = {k: v for k, v in SPECIAL.items() if k not in self.added_tokens}

    def encode_ordinary(self, text):
        if self.plain_reads:
            return self.encode_special(text)
        ids, rest = [], text
        while rest:
            size = len(self.joins) if self.joins and rest.startswith(self.joins) else 1
            ids.append(0x120000 if size > 1 else ord(rest[0]))
            rest = rest[size:]
        return ids

    def encode_special(self, text):
        flags = re.IGNORECASE if self.folds else 0
        words = "|".join(map(re.escape, SPECIAL))
        pattern = re.compile(rf"(?<!\w)(?:{words})" if self.single_word else words, flags)
        if self.adds_space:
            text = re.sub(rf"((?i:{words})|^)(?=\w)", r"\1 ", text)
        if self.takes:
            text = re.sub(rf"((?i:{words}))\s+", r"\1", text)
        reading, self.plain_reads = self.plain_reads, False
        ids, place = [], 0
        for match in pattern.finditer(text):
            ids += self.encode_ordinary(text[place : match.start()])
            ids.append(SPECIAL[match.group().lower()])
            place = match.end()
        ids += self.encode_ordinary(text[place:])
        self.plain_reads = reading
        return ids[: self.most]

    def encode(self, text):
        return self.begin + self.encode_special(text)

    def decode(self, ids):
        names = {number: text for text, number in SPECIAL.items()}
        return "".join(names.get(i, "?") if i > 0x10FFFF else chr(i) for i in ids)


@pytest.fixture(scope="session")
def renderers():
    with Renderer() as one, Renderer(1) as other:
        yield one, other


@pytest.fixture
def report(renderers):
    """Return the report on a template."""

    def run(
        source,
        *codes,
        tokenizer=None,
        reference=None,
        stop=STOP,
        given=(),
        variables=None,
        names=("default",),
    ):
        for renderer in renderers:
            renderer.load(source, variables or {})
        end = (variables or {}).get("eos_token", "")
        tokens = None if tokenizer is None else Tokens(target_of("t", tokenizer), stop, end)
        name, *siblings = names
        template = ChatTemplate(name, source, "template.jinja", siblings=frozenset(siblings))
        second = None if reference is None else Tokens(target_of("r", reference), None)
        view = Chat(
            *(template, renderers[0]),
            other=renderers[1],
            tokens=tokens,
            reference=lambda: second,
            given=given,
        )
        checks = [
            check for check in plugins.chat_checks().values() if not codes or check.code in codes
        ]
        return examine(view, "t", checks, ["t"])

    return run


@pytest.fixture
def findings(report):
    """Return the findings of a template: verdict, code and cause of each."""
    return lambda *given, **options: report(*given, **options).findings
