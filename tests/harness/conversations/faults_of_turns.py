"""Turns do not balance, or their words can be written by a text (TOK503)."""

from .conftest import HEALTHY, altered
from .template_parts import ANSWER, BRACKETS, NAMED, NOT_CLOSED, PLAIN, TAILED

FAULTS = {
    "turn is not closed after a result": (
        altered(
            PLAIN,
            "{{ text(message.content) }}{% if not (message.role == 'tool' and "
            "loop.nextitem and loop.nextitem.role == 'user') %}<|end|>{% endif %}{% endif -%}",
        ),
        ("bug", "TOK503", "a turn begins before the last one is closed: <|turn|>"),
    ),
    "a user's message begins as the assistant's": (
        altered("{{ message.role }}\n", "{{ message.role if loop.first else 'assistant' }}\n"),
        ("bug", "TOK503", "another role: user"),
    ),
    "the assistant's message begins as a user's": (
        altered("{{ message.role }}\n", "{{ message.role | replace('assistant', 'user') }}\n"),
        ("bug", "TOK503", "another role: assistant"),
    ),
    "only the turn of tools is not closed": (
        altered("{%- endfor -%}<|end|>\n{%- endif -%}", "{%- endfor -%}\n{%- endif -%}"),
        ("bug", "TOK503", "a turn begins before the last one is closed: <|turn|>"),
    ),
    "no first turn is closed": (
        altered("{%- endfor -%}<|end|>\n{%- endif -%}", "{%- endfor -%}\n{%- endif -%}").replace(
            PLAIN,
            PLAIN.replace(
                "<|end|>", "{% if not loop.first or message.role == 'user' %}<|end|>{% endif %}"
            ),
        ),
        ("risk", "TOK503", "the first turn, of a system or of tools, is never closed: <|turn|>"),
    ),
    "a first message of a user is not closed": (
        altered(
            PLAIN,
            PLAIN.replace("<|end|>", "{{ '<|end|>' if not loop.first or message.role != 'user' }}"),
        ),
        ("bug", "TOK503", "a turn begins before the last one is closed: <|turn|>"),
    ),
    "a turn is closed before the first": (
        "<|end|>\n" + HEALTHY,
        ("bug", "TOK503", "a turn is closed that is not open: <|turn|>"),
    ),
    "the assistant's turn is never closed": (
        altered("{%- endfor -%}\n<|end|>{% endgeneration %}", "{%- endfor -%}{% endgeneration %}"),
        ("risk", "TOK503", "never closed: assistant"),
    ),
    "a turn in brackets is not closed": (
        BRACKETS.replace("{{ '[|end|]' }}", "{{ '' if m.role == 'tool' else '[|end|]' }}"),
        ("bug", "TOK503", "a turn begins before the last one is closed: [|turn|]"),
    ),
    "a turn is not closed where the role names it": (
        NAMED.replace("{{ '<|end|>' }}", "{{ '' if m.tool_calls else '<|end|>' }}"),
        ("bug", "TOK503", NOT_CLOSED),
    ),
    "no end of a call, in a template without pairs": (
        TAILED.replace("{% else %}</s>", "{% elif not m.tool_calls %}</s>"),
        (
            "risk",
            "TOK503",
            "words of the role: a message of the role assistant that calls tools does not end",
        ),
    ),
    "no end before a user who speaks after a result, in a template without pairs": (
        TAILED.replace("{% else %}</s>", "{% elif loop.index < 4 %}</s>"),
        ("bug", "TOK503", "words of the role: a message of the role assistant does not end"),
    ),
    "two ends, in a template without pairs": (
        TAILED.replace("{% else %}</s>", "{% else %}</s>{{ '</s>' if loop.index > 3 }}"),
        ("bug", "TOK503", "words of the role: a message of the role assistant ends more than once"),
    ),
    "a user's turn is not opened after a result, without words in brackets": (
        (
            "{% for m in messages %}{% if m.role != 'user' or loop.previtem is not defined or "
            "loop.previtem.role != 'tool' %}{{ '### ' + m.role + ':' }}{% endif %}\n"
            "{{ m.content }}\n{% endfor %}"
        ),
        ("bug", "TOK503", "words of the role: a message of the role user does not begin"),
    ),
    "a prompt in the loop": (
        altered("{%- endfor -%}\n{%- if add_generation", "{%- if add_generation")
        + "{%- endfor -%}",
        ("bug", "TOK503", "a turn begins before the last one is closed: <|turn|>"),
    ),
    "thoughts that are open where an answer begins": (
        altered(ANSWER, "<think>{{ text(message.content) }}\n{%- for call"),
        ("risk", "TOK503", "a tag is not closed: <think>"),
    ),
    "only a system message has an end": (
        (
            "{% for m in messages %}<role>{{ m.role }}</role>{{ m.content }}"
            "{{ '<|end|>' if m.role == 'system' else '' }}{% endfor %}"
        ),
        ("risk", "TOK503", "never closed: answers"),
    ),
    "nothing between a role and a text": (
        altered("<|turn|>{{ message.role }}\n", "<|turn|>{{ message.role }}"),
        ("risk", "TOK503", "no border: user"),
    ),
    "thoughts are not closed": (
        altered("</think>", ""),
        ("risk", "TOK503", "a tag is not closed: <think>"),
    ),
    "a call that is not closed": (
        altered("</call>", "{{ '</call>' if loop.first }}"),
        ("risk", "TOK503", "a tag is not closed: <call>"),
    ),
    "a call that is not opened": (
        altered("<call>", "{{ '<call>' if loop.first }}"),
        ("risk", "TOK503", "a tag is closed, and was not opened: </call>"),
    ),
    "definitions of tools that are not closed": (
        altered("{{ tool | tojson }}", "{{ '<tools>' ~ (tool | tojson) }}"),
        ("risk", "TOK503", "a tag is not closed: <tools>"),
    ),
    "the last answer is not closed": (
        altered(
            "<|end|>{% endgeneration %}", "{{ '<|end|>' if not loop.last }}{% endgeneration %}"
        ),
        ("risk", "TOK503", "never closed: the last answer"),
    ),
    "answers are not closed as calls are": (
        (
            "{% for m in messages %}{{ '[INST] ' + m.content + ' [/INST]' if m.role == 'user' else "
            "(m.tool_calls | tojson) + '</s>' if m.tool_calls else m.content }}{% endfor %}"
        ),
        ("risk", "TOK503", "never closed: answers"),
    ),
    "a second result stands outside of all turns": (
        altered(
            "<|turn|>{{ message.role }}\n",
            "{% if message.role != 'tool' or loop.previtem.role != 'tool' %}"
            "<|turn|>{{ message.role }}{% endif %}\n",
        ).replace(
            PLAIN,
            PLAIN.replace(
                "<|end|>",
                "{% if message.role != 'tool' or loop.previtem.role != 'tool' %}<|end|>{% endif %}",
            ),
        ),
        ("bug", "TOK503", "a text stands outside of all turns: <|turn|>"),
    ),
    "a result that begins as an answer": (
        altered("{{ message.role }}\n", "{{ message.role | replace('tool', 'assistant') }}\n"),
        ("risk", "TOK503", "another role: tool"),
    ),
    "a system that begins as a user": (
        altered("{{ message.role }}\n", "{{ message.role | replace('system', 'user') }}\n"),
        ("risk", "TOK503", "another role: system"),
    ),
    "answers begin as users do, and end": (
        (
            "{% for m in messages %}{{ '### Say:\n' + m.content }}"
            "{{ '</s>' if m.role == 'assistant' }}{{ '\n\n' }}{% endfor %}"
        ),
        ("bug", "TOK503", "another role: assistant"),
    ),
    "nothing between a text and what follows": (
        "{% for m in messages %}{{ '### ' + m.role + ':\n' + m.content }}{% endfor %}",
        ("risk", "TOK503", "no border: user, and what follows"),
    ),
    "answers whose turn with an attribute is not closed": (
        (
            "{% for m in messages %}{{ '<turn role=\"' + m.role + '\">' + m.content }}"
            "{{ '</turn>' if m.role != 'assistant' }}{% endfor %}"
        ),
        ("risk", "TOK503", "never closed: assistant"),
    ),
    "an output that is not closed": (
        altered(PLAIN, "{{ '<output>' if message.role == 'tool' }}" + PLAIN),
        ("risk", "TOK503", "a tag is not closed: <output>"),
    ),
    "reasoning without a tag": (
        altered("<think>{{ thought }}</think>", "{{ thought }}"),
        ("risk", "TOK503", "another role: reasoning"),
    ),
    "the last answer is not closed, behind a system block that is always there": (
        altered(
            "<|end|>{% endgeneration %}", "{{ '<|end|>' if not loop.last }}{% endgeneration %}"
        ).replace(
            "{%- if tools -%}",
            "{%- if messages[0].role != 'system' -%}<|turn|>system\nBe kind.<|end|>{%- endif -%}"
            "{%- if tools -%}",
        ),
        ("risk", "TOK503", "never closed: the last answer"),
    ),
    "the last result is not closed": (
        altered(
            PLAIN,
            "{{ '<output>' ~ text(message.content) ~ ('</output>' if not loop.last else '') "
            "if message.role == 'tool' else text(message.content) }}<|end|>{%- endif -%}",
        ),
        ("risk", "TOK503", "a tag is not closed: <output>"),
    ),
    "only the last answer is closed": (
        (
            "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}"
            "{{ '</s>' if m.role == 'assistant' and loop.last }}{% endfor %}"
        ),
        ("risk", "TOK503", "never closed: answers before the last one"),
    ),
}
