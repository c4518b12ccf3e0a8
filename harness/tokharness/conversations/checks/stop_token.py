"""What ends the assistant's turn is none of the tokens at which a generation stops.

Why it matters: the model ends its turn as it was trained, and the server goes on: it generates the
next turn of the user, until a limit ends it.

Oracle: differential: the template, and ``eos_token_id`` of ``generation_config.json``.

How it works: an answer, and a call of a tool, are rendered and encoded. One of the ids behind them
has to be one at which a generation stops.

Verdicts: *bug* if none is, and the template writes a control token there. *Risk* if the template
writes nothing there. Without ``generation_config.json`` the check is a skip.

Example::

    TOK516 bug  no stop: an answer ends with <|im_end|>

What to do: name the id in ``eos_token_id``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.conversations.chat import Conversation, Problem
from tokharness.conversations.shapes import Marks, fields_of
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.conversations.chat import Chat

CODE = "TOK516"
NAME = "stop-token"
NEEDS_TOKENS = True


def not_applicable(chat: Chat) -> str:
    """Return why the check has nothing to see, or ""."""
    if chat.tokens is None or not chat.tokens.reads_special:
        return "the target has no entry point that reads special tokens and adds none"
    if chat.tokens.stop_ids is None:
        return "there is no generation_config.json that says at which ids a generation stops"
    return ""


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for an answer, and for a call, behind which no id stops a generation."""
    tokens = chat.tokens
    if tokens is None or tokens.stop_ids is None:
        return
    m = Marks()
    tools = {"tools": [m.tool()]}
    answer = Conversation((m.user(), m.assistant()), chat.needed)
    call = Conversation((m.user(), m.calls(m.call())), {**chat.needed, **tools})
    rows = [("an answer", answer), *([] if chat.gets_no_tools else [("a call", call)])]
    for what, one in rows:
        text = chat.text(one)
        marks = [field.mark for field in fields_of(one.messages, {}) if field.path[0] == 1]
        place = (
            max((text.rfind(mark) + len(mark) for mark in marks if mark in text), default=-1)
            if text
            else -1
        )
        if text is None or place < 0:
            continue
        behind = tokens.read(text[place:])
        if behind is None or set(behind) & set(tokens.stop_ids):
            continue
        control = {*tokens.special.values(), *tokens.added.values()}
        ends = [number for number in behind if number in control]
        name = tokens.name_of(ends[-1]) if ends else "no control token"
        verdict = Verdict.BUG if ends else Verdict.RISK
        message = f"{what} ends with {name}, at which no generation stops"
        evidence = {"given": behind[:8], "expected": list(tokens.stop_ids)}
        cause = Cause("no stop", (("of", f"{what} ends with {name}"),), verdict, message)
        yield Problem(cause, one, evidence)
