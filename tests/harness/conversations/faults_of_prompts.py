"""The prompt for an answer, and the begin token (TOK507, TOK511)."""

from .conftest import HEALTHY, altered
from .template_parts import ANSWER, NAMED, PLAIN, TAILED, THOUGHT

FAULTS = {
    "a number of messages at the beginning": (
        "{{ messages | length }} messages" + HEALTHY,
        ("risk", "TOK507", "rewritten: the words of the template before the first text change"),
    ),
    "tools move": (
        altered(
            "{%- if tools -%}\n<|turn|>",
            "{%- for message in messages[:-1] -%}<|turn|>{{ text(message.content) }}<|end|>"
            "{%- endfor -%}{%- set messages = messages[-1:] -%}{%- if tools -%}\n<|turn|>",
        ),
        (
            "risk",
            "TOK507",
            "rewritten: the user content stands before the description of a tool of earlier turns",
        ),
    ),
    "the last user gets words": (
        altered(
            PLAIN,
            "{% if message.role == 'user' and loop.last %}Think. {% endif %}" + PLAIN,
        ),
        (
            "risk",
            "TOK507",
            "rewritten: the words of the template in earlier messages of the role user change",
        ),
    ),
    "an empty first message, and a number at the beginning": (
        "{{ messages | length }} messages" + NAMED,
        ("risk", "TOK507", "rewritten: the words of the template before the first text change"),
    ),
    "no prompt for an answer": (
        altered("{%- if add_generation_prompt -%}", "{%- if add_prompt -%}"),
        ("risk", "TOK507", "no prompt for an answer"),
    ),
    "an end token for the begin token": (
        "</s>" + HEALTHY,
        ("risk", "TOK511", "begin token: the end token"),
    ),
    "begin token twice": (
        "<s><s>" + HEALTHY,
        ("bug", "TOK511", "begin token: twice in the template"),
    ),
    "a prompt without being asked for": (
        altered("{%- if add_generation_prompt -%}", "{%- if true -%}"),
        ("risk", "TOK507", "prompt for an answer: also where it is not asked for"),
    ),
    "a prompt only without being asked for": (
        altered("{%- if add_generation_prompt -%}", "{%- if not add_generation_prompt -%}"),
        ("bug", "TOK507", "prompt for an answer: only where it is not asked for"),
    ),
    "reasoning is dropped": (
        altered(
            THOUGHT,
            "{%- if thought and 'user' not in messages[loop.index:] | map(attribute='role') -%}",
        ),
        ("risk", "TOK507", "rewritten: reasoning of earlier turns is dropped"),
    ),
    "reasoning is dropped where a result follows": (
        altered(THOUGHT, "{%- if thought and loop.last -%}"),
        ("risk", "TOK507", "rewritten: reasoning of the same turn is dropped"),
    ),
    "a prompt of the user": (
        altered("<|turn|>assistant\n{% endif -%}", "<|turn|>user\n{% endif -%}"),
        ("bug", "TOK507", "prompt for an answer: of a user"),
    ),
    "a prompt of the user, where texts end otherwise without a prompt": (
        NAMED + "{{ '<|user|>' if add_generation_prompt else '</s>' }}",
        ("bug", "TOK507", "prompt for an answer: of a user"),
    ),
    "a prompt of another role": (
        altered("<|turn|>assistant\n{% endif -%}", "<|turn|>model\n{% endif -%}"),
        ("risk", "TOK507", "prompt for an answer: of another role"),
    ),
    "a prompt without a line feed": (
        altered("<|turn|>assistant\n{% endif -%}", "<|turn|>assistant{% endif -%}"),
        ("fact", "TOK507", "prompt for an answer: without a line feed"),
    ),
    "a space before each answer, and not in the prompt": (
        altered(ANSWER, "{{ ' ' + text(message.content) }}\n{%- for call"),
        ("fact", "TOK507", "prompt for an answer: without white space"),
    ),
    "no prompt behind the result of a tool": (
        altered(
            "{%- if add_generation_prompt -%}",
            "{%- if add_generation_prompt and messages[-1].role == 'user' -%}",
        ),
        ("risk", "TOK507", "no prompt for an answer: behind the result of a tool"),
    ),
    "a prompt that is ended": (
        altered("<|turn|>assistant\n{% endif -%}", "<|turn|>assistant\n<|end|>{% endif -%}"),
        ("risk", "TOK507", "prompt for an answer: that is ended"),
    ),
    "an end before each answer": (
        TAILED.replace("[/INST]", "[/INST]</s>"),
        ("risk", "TOK507", "prompt for an answer: that is ended"),
    ),
    "a prompt that opens thoughts where they are off": (
        altered(
            "<|turn|>assistant\n{% endif -%}",
            "<|turn|>assistant\n{{ '<think>' if enable_thinking is false else '' }}{% endif -%}",
        ),
        ("risk", "TOK507", "prompt for an answer: opens thoughts that are off"),
    ),
    "a prompt that ends thoughts where they are on": (
        altered(
            "<|turn|>assistant\n{% endif -%}",
            "<|turn|>assistant\n{{ '<think></think>' if enable_thinking }}{% endif -%}",
        ),
        ("risk", "TOK507", "prompt for an answer: ends thoughts that are on"),
    ),
    "a begin token before each turn": (
        altered("{%- for message in messages -%}\n", "{%- for message in messages -%}{{ '<s>' }}"),
        ("risk", "TOK511", "begin token: again before a turn"),
    ),
    "a begin token in the prompt for an answer": (
        altered("<|turn|>assistant\n{% endif -%}", "<|begin|><|turn|>assistant\n{% endif -%}"),
        ("risk", "TOK507", "prompt for an answer: with other words"),
    ),
    "an end token before the prompt for an answer": (
        altered("{%- if add_generation_prompt -%}", "</s>{%- if add_generation_prompt -%}"),
        ("risk", "TOK507", "prompt for an answer: behind other words"),
    ),
    "the last user gets words behind the text": (
        altered(PLAIN, PLAIN.replace("<|end|>", "{{ ' /think' if loop.last }}<|end|>")),
        ("risk", "TOK507", "prompt for an answer: behind other words"),
    ),
    "white space of the last user alone is stripped": (
        altered(
            PLAIN,
            PLAIN.replace(
                "text(message.content)",
                "text(message.content) | trim if loop.last else text(message.content)",
            ),
        ),
        (
            "risk",
            "TOK507",
            "rewritten: white space around the user content of earlier turns changes",
        ),
    ),
    "white space of what the last user says is stripped": (
        altered(
            "{%- for message in messages -%}",
            "{%- set users = messages | selectattr('role', 'equalto', 'user') | list -%}"
            "{%- for message in messages -%}",
        ).replace(
            PLAIN,
            PLAIN.replace(
                "text(message.content)",
                "text(message.content) | trim if message == users[-1] else text(message.content)",
            ),
        ),
        (
            "risk",
            "TOK507",
            "rewritten: white space around the user content of earlier turns changes",
        ),
    ),
    "one line feed more in the prompt for an answer": (
        HEALTHY.replace("<|turn|>assistant\n{%", "<|turn|>assistant\n\n{%"),
        ("risk", "TOK507", "prompt for an answer: with other white space"),
    ),
    "no prompt where tools are sent": (
        altered(
            "{%- if add_generation_prompt -%}", "{%- if add_generation_prompt and not tools -%}"
        ),
        ("risk", "TOK507", "no prompt for an answer: where tools are sent"),
    ),
    "no prompt next to a system message": (
        altered(
            "{%- if add_generation_prompt -%}",
            "{%- if add_generation_prompt and messages[0].role != 'system' -%}",
        ),
        ("risk", "TOK507", "no prompt for an answer: next to a system message"),
    ),
    "no prompt behind four messages": (
        altered(
            "{%- if add_generation_prompt -%}",
            "{%- if add_generation_prompt and messages | length < 4 -%}",
        ),
        ("risk", "TOK507", "no prompt for an answer: behind many messages"),
    ),
    "no prompt for a user who speaks right after a result": (
        altered(
            "{%- if add_generation_prompt -%}",
            "{%- if add_generation_prompt and messages[-2:][0].role != 'tool' -%}",
        ),
        (
            "risk",
            "TOK507",
            "no prompt for an answer: behind a user who speaks right after the result of a tool",
        ),
    ),
    "a prompt of a tool behind its result": (
        altered(
            "<|turn|>assistant\n{% endif -%}",
            "<|turn|>{{ 'tool' if messages[-1].role == 'tool' else 'assistant' }}\n{% endif -%}",
        ),
        ("risk", "TOK507", "prompt for an answer: of another role, behind the result of a tool"),
    ),
    "a begin token only before a system message": (
        "{{ '<s>' if messages[0].role == 'system' }}" + HEALTHY,
        ("risk", "TOK511", "begin token: only with a system message"),
    ),
    "a begin token only without tools": (
        "{{ '<s>' if not tools }}" + HEALTHY,
        ("risk", "TOK511", "begin token: only without tools"),
    ),
}
