"""Parts of templates that several faults change."""

from .conftest import HEALTHY, altered

ANSWERED = HEALTHY.partition("{% generation %}")[2].partition("{% endgeneration %}")[0]
"""What the healthy template writes of an assistant."""

PLAIN = "{{ text(message.content) }}<|end|>{%- endif -%}"
ANSWER = "{{ text(message.content) }}\n{%- for call"
THOUGHT = "{%- if thought -%}"

BRACKETS = "{% for m in messages %}[|turn|]{{ m.role }}\n{{ m.content }}{{ '[|end|]' }}{% endfor %}"
NAMED = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{{ '<|end|>' }}{% endfor %}"
NOT_CLOSED = (
    "a turn begins before the last one is closed: <|assistant|> or <|developer|> or "
    "<|function|> or <|system|> or <|tool|> or <|user|>"
)

TAILED = (
    "{% for m in messages %}{% if m.role == 'user' %}[INST]{{ m.content }}[/INST]"
    "{% elif m.role == 'tool' %}[RESULT]{{ m.content }}[/RESULT]"
    "{% elif m.role == 'assistant' %}{{ m.content }}"
    "{% for call in m.tool_calls or [] %}{{ call.function | tojson }}{% endfor %}"
    "{% else %}{{ m.content }}{% endif %}{% if m.role != 'assistant' %}{% else %}</s>{% endif %}"
    "{% endfor %}"
)
"""A template that ends users' and assistants' messages with a word each."""

WITH_IDS = altered("{{ call.function.name }}", "{{ call.id }} {{ call.function.name }}").replace(
    PLAIN, "{% if message.role == 'tool' %}{{ message.tool_call_id }} {% endif %}" + PLAIN
)
"""A template with the ids of calls and of results."""

CALLS = "(messages | selectattr('tool_calls') | first).tool_calls"
NUMBER = "(messages[:loop.index0] | selectattr('role', 'equalto', 'tool') | list | length)"
"""The calls of a conversation, and how many results stand before a message."""

NAME_OF_ID = (
    "{% set found = " + CALLS + " | selectattr('id', 'equalto', message.tool_call_id) | list %}"
    "{{ found[0].function.name if found else message.tool_call_id }}"
)
"""The name of the call to which a result belongs, or its id."""
