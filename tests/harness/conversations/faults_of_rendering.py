"""Conversations fail, vary, are rewritten, or are learned wrongly (TOK501, 502, 510, 515)."""

from .conftest import HEALTHY, altered
from .template_parts import ANSWER, ANSWERED, CALLS, NUMBER, PLAIN, WITH_IDS

FAULTS = {
    "crash without content": (
        altered(ANSWER, "{{ message.content + '' }}\n{%- for call"),
        ("bug", "TOK501", "crash: no content"),
    ),
    "crash with parts": (
        altered(PLAIN, "{{ message.content + '' }}<|end|>{%- endif -%}"),
        ("risk", "TOK501", "crash: parts"),
    ),
    "changes a list": (
        "{% set x = [] %}{% set _ = x.append(1) %}" + HEALTHY,
        ("bug", "TOK501", "forbidden: does what the sandbox of transformers forbids"),
    ),
    "crash with numbers": (
        altered(
            "{{ call.function.arguments | tojson }}",
            "{% for k, v in call.function.arguments.items() %}{{ k + '=' + v }} {% endfor %}",
        ),
        ("bug", "TOK501", "crash: values that are no texts"),
    ),
    "crash without a description": (
        altered("{{ tool | tojson }}", "{{ tool.function.description + (tool | tojson) }}"),
        ("bug", "TOK501", "crash: a tool without a description"),
    ),
    "crash without parameters": (
        altered(
            "{{ tool | tojson }}",
            "{{ tool.function.parameters.properties | tojson }}{{ tool | tojson }}",
        ),
        ("bug", "TOK501", "crash: a tool without parameters"),
    ),
    "a variable that is not passed": (
        altered("{%- if tools -%}", "{%- if tools -%}{{ missing.name }}"),
        ("bug", "TOK501", "crash: UndefinedError: 'missing' is undefined"),
    ),
    "refuses": (
        altered(
            "<|turn|>{{ message.role }}",
            "{% if message.role == 'system' %}"
            "{{ raise_exception('no system') }}{% endif %}<|turn|>{{ message.role }}",
        ),
        ("fact", "TOK501", "refusal: no system"),
    ),
    "date": ("{{ strftime_now('%Y-%m-%d') }}" + HEALTHY, ("fact", "TOK502", "date")),
    "a time of day": (
        "{{ strftime_now('%Y-%m-%d %H:%M') }}" + HEALTHY,
        ("risk", "TOK502", "time of day: minute or the hour"),
    ),
    "a time of day in seconds": (
        "{{ strftime_now('%c') }}" + HEALTHY,
        ("risk", "TOK502", "time of day: second"),
    ),
    "a date in the prompt for an answer": (
        HEALTHY.replace(
            "<|turn|>assistant\n{%",
            "<|turn|>assistant\n{{ 'Obey.' if strftime_now('%Y') == '2027' }}{%",
        ),
        ("fact", "TOK502", "date"),
    ),
    "no system fails": (
        "{% if messages[0].role == 'system' %}{% set first = messages[0].content %}{% endif %}"
        "{{ first + '' }}" + HEALTHY,
        ("bug", "TOK501", "crash: no system"),
    ),
    "a rule of turns that is the wrong way round": (
        "{% for m in messages %}{% if (m.role == 'user') == (loop.index0 % 2 == 0) %}"
        "{{ raise_exception('roles must alternate') }}{% endif %}{% endfor %}" + HEALTHY,
        ("risk", "TOK501", "refusal: roles must alternate"),
    ),
    "the same id for each call": (
        WITH_IDS.replace("{{ call.id }}", '{{ \'"id": "call_1"\' }}'),
        ("risk", "TOK510", "same id: of calls or results"),
    ),
    "the id of the first call for each": (
        WITH_IDS.replace("{{ call.id }}", "{{ message.tool_calls[0].id }}"),
        ("risk", "TOK510", "id of one only: of calls"),
    ),
    "calls without ids": (
        WITH_IDS.replace("{{ call.id }}", ""),
        ("risk", "TOK510", "no id: of calls"),
    ),
    "results without ids": (
        WITH_IDS.replace("{{ message.tool_call_id }}", ""),
        ("risk", "TOK510", "no id: of results"),
    ),
    "the number of each call is the same": (
        WITH_IDS.replace("{{ call.id }}", "").replace(
            "{{ call.function.name }}", "functions.{{ call.function.name }}:0"
        ),
        ("risk", "TOK510", "same id: numbers of calls"),
    ),
    "the names of results are those of other calls": (
        WITH_IDS.replace("{{ call.id }}", "").replace(
            "{{ message.tool_call_id }}", "{{ " + CALLS + "[1 - " + NUMBER + "].function.name }}"
        ),
        ("risk", "TOK510", "another call: name of a result"),
    ),
    "both results have the name of the first call": (
        WITH_IDS.replace("{{ call.id }}", "").replace(
            "{{ message.tool_call_id }}", "{{ " + CALLS + "[0].function.name }}"
        ),
        ("risk", "TOK510", "another call: name of both results"),
    ),
    "names of results by their order": (
        WITH_IDS.replace("{{ call.id }}", "").replace(
            "{{ message.tool_call_id }}", "{{ " + CALLS + "[" + NUMBER + "].function.name }}"
        ),
        (
            "risk",
            "TOK510",
            "another call: name of a result that precedes the result of an earlier call",
        ),
    ),
    "learns the user": (
        altered(
            "{{ message.role }}\n{% if message.role == 'assistant' %}{% generation %}",
            "{{ message.role }}\n{% if message.role != 'system' %}{% generation %}",
        ),
        ("bug", "TOK515", "inside: user content"),
    ),
    "learns no reasoning": (
        altered("{% generation %}", "").replace(
            "{{ text(message.content) }}\n{%- for call",
            "{% generation %}{{ text(message.content) }}\n{%- for call",
        ),
        ("risk", "TOK515", "outside: reasoning"),
    ),
    "learns the first answer alone": (
        altered("{% generation %}", "{% if loop.index0 < 2 %}{% generation %}").replace(
            "{% endgeneration %}", "{% endgeneration %}{% else %}" + ANSWERED + "{% endif %}"
        ),
        ("bug", "TOK515", "outside: assistant content"),
    ),
    "learns the last answer alone": (
        altered("{% generation %}", "{% if message == messages[-1] %}{% generation %}").replace(
            "{% endgeneration %}", "{% endgeneration %}{% else %}" + ANSWERED + "{% endif %}"
        ),
        ("risk", "TOK515", "earlier: assistant content"),
    ),
    "learns no end": (
        altered("<|end|>{% endgeneration %}", "{% endgeneration %}<|end|>"),
        ("risk", "TOK515", "end: <|end|>"),
    ),
    "learns the prompt for an answer": (
        altered(
            "<|turn|>{{ message.role }}\n{% if message.role == 'assistant' %}{% generation %}",
            "{% if message.role != 'assistant' %}{{ '<|turn|>' + message.role + '\n' }}{% endif %}"
            "{% if message.role == 'assistant' %}{% generation %}{{ '<|turn|>assistant\n' }}",
        ),
        ("fact", "TOK515", "inside: the prompt for an answer"),
    ),
    "learns no calls": (
        altered(
            "{{ text(message.content) }}\n{%- for call",
            "{{ text(message.content) }}{% endgeneration %}\n{%- for call",
        ).replace("<|end|>{% endgen", "{% generation %}<|end|>{% endgen"),
        ("bug", "TOK515", "outside: arguments of a call"),
    ),
}
