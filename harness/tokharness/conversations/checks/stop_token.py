"""What ends the assistant's turn does not stop a generation, or what stops it is no special token.

Why it matters: the model ends its turn as it was trained, and the server goes on: it generates the
next turn of the user, until a limit ends it.

Oracle: differential: the template, and ``eos_token_id`` of ``generation_config.json``.

How it works: an answer, and a call of a tool, are rendered and encoded. One of the ids behind them
has to be one at which a generation stops. Each of these has to be a control token, as another one
ends answers in between, and the one that ends an answer has to be special, if others are: decoders
leave out special tokens only. None of them may stand between the prompt for an answer and the end
of an answer, of reasoning and an answer, or of a call.

Verdicts: *bug* if none is, and the template writes a control token there. *Risk* if the template
writes nothing there, for tokens that are no control tokens or not special, and for a generation
that stops inside of what the model writes. Without ``generation_config.json`` the end of a
generation is the ``eos_token`` of ``tokenizer_config.json``, and an answer that ends otherwise is a
*risk*. Without both the check is a skip.

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
    from tokharness.conversations.token_ids import Ids, Tokens

CODE = "TOK516"
NAME = "stop-token"
NEEDS_TOKENS = True


ALONE = "there is no generation_config.json that says at which ids a generation stops"


def not_applicable(chat: Chat) -> str:
    """Return why the check has nothing to see, or ""."""
    if chat.tokens is None or not chat.tokens.reads_special:
        return "the target has no entry point that reads special tokens and adds none"
    if chat.tokens.stop_ids is None:
        return f"no eos_token is known, and {ALONE}"
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
    yield from _no_control(tokens)
    yield from _inside(chat, tokens)
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
        behind = _behind(tokens, text, place)
        ends = [] if behind is None else [one for one in behind if one in tokens.stop_ids]
        if what == "an answer" and ends and not set(ends) & set(tokens.special.values()):
            yield from _not_special(tokens, ends[0], one)
        if behind is None or ends:
            continue
        control = {*tokens.special.values(), *tokens.added.values()}
        ends = [number for number in behind if number in control]
        name = tokens.name_of(ends[-1]) if ends else "no control token"
        verdict = Verdict.BUG if ends and not tokens.stops_by_token else Verdict.RISK
        message = f"{what} ends with {name}, at which no generation stops"
        if tokens.stops_by_token:
            message += (
                f": it stops at the eos_token {tokens.name_of(tokens.stop_ids[0])}, as {ALONE}"
            )
        evidence = {"given": behind[:8], "expected": list(tokens.stop_ids)}
        cause = Cause("no stop", (("of", f"{what} ends with {name}"),), verdict, message)
        yield Problem(cause, one, evidence)


def _inside(chat: Chat, tokens: Tokens) -> Iterator[Problem]:
    """Yield a problem for the first id in what a model writes at which a generation stops."""
    m = Marks()
    asked = m.user()
    thought = {**m.assistant(), "reasoning_content": m.new("rsn")}
    options = chat.needed if chat.gets_no_tools else {**chat.needed, "tools": [m.tool()]}
    for what, message, given in (
        ("reasoning and an answer", thought, chat.needed),
        ("a call", m.calls(m.call()), options),
    ):
        one = Conversation((asked, message), given)
        text, prompt = chat.text(one) or "", chat.text(one.first(1), prompt=True) or ""
        marks = [field.mark for field in fields_of(one.messages, {}) if field.path[0] == 1]
        ends = [text.rfind(mark) + len(mark) for mark in marks if mark in text]
        if not ends or not prompt or not text.startswith(prompt):
            continue
        said = tokens.read_all([text[len(prompt) : max(ends)]])[0] or []
        stops = [number for number in said if number in (tokens.stop_ids or ())]
        if stops:
            name = tokens.name_of(stops[0])
            said_ = f"a generation stops at {name} inside of {what}, before its end"
            cause = Cause("stops inside", (("of", f"{what}, at {name}"),), Verdict.RISK, said_)
            yield Problem(cause, one)


def _behind(tokens: Tokens, text: str, place: int) -> Ids | None:
    """Return the ids behind a place, as they are in the whole text if its beginning has its own."""
    whole, before, after = tokens.read_all([text, text[:place], text[place:]])
    is_whole = whole is not None and before is not None and whole[: len(before)] == before
    return (whole or [])[len(before or ()) :] if is_whole else after


def _no_control(tokens: Tokens) -> Iterator[Problem]:
    """Yield a problem for each id that stops a generation and is of no control token."""
    control = {*tokens.special.values(), *tokens.added.values()}
    for number in tokens.stop_ids or () if control else ():
        if number not in control:
            message = f"a generation stops at the id {number}, which is no control token"
            cause = Cause("stop at no control token", (("id", str(number)),), Verdict.RISK, message)
            yield Problem(cause, None, {"expected": sorted(control)[:8]})


def _not_special(tokens: Tokens, number: int, one: Conversation) -> Iterator[Problem]:
    """Yield a problem for the end of an answer that is an added token, while others are special."""
    name = tokens.name_of(number)
    if tokens.special and number in tokens.added.values():
        message = (
            f"an answer ends with {name}, which is an added token and not special: a decoder that "
            "leaves out special tokens shows it"
        )
        yield Problem(Cause("end is not special", (("token", name),), Verdict.RISK, message), one)
