"""A prompt has two begin tokens, or none, or it depends on how it is encoded.

Why it matters: a model has seen one begin token in training. With two, its answers get worse, and
no error says why.

Oracle: differential: the template and the tokenizer, in each combination.

How it works: the tokenizer's default adds ids to a text; the check finds which. A rendering is
encoded without them, as ``apply_chat_template(tokenize=True)`` does, and with them, as who renders
first and then calls the tokenizer. Without a tokenizer, what the template writes first is compared
with the begin token of the variables, and with ``add_bos_token`` of ``tokenizer_config.json``.

Verdicts: *bug* if the template itself writes the begin token twice. *Risk* if one of the two ways
has two begin tokens or none, if the prompt begins with the end token, if the begin token stands
again before a later turn, if the template writes it only with or without a system message or tools,
or if the tokenizer ends the prompt for an answer with an end token.

Example: a template that writes ``<s>``, and a tokenizer that adds it::

    TOK511 risk  begin token: twice if rendered, then encoded

What to do: encode rendered text with ``add_special_tokens=False``.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tokharness.conversations.chat import Conversation, Problem, asked
from tokharness.conversations.shapes import Marks
from tokharness.conversations.templates import CONFIG
from tokharness.conversations.turns import WORD
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.conversations.chat import Chat
    from tokharness.conversations.token_ids import Ids

CODE = "TOK511"
NAME = "begin-token"
NEEDS_TOKENS = "begin"

PROBE = "a"

IN_TEMPLATE = "the template writes the begin token twice"

TWICE, NONE = "twice if rendered, then encoded", "none from apply_chat_template"
"""How two ways of encoding have another number of begin tokens than one."""


def not_applicable(chat: Chat) -> str:
    """Return why the check has nothing to see, or ""."""
    if chat.tokens is not None and not chat.tokens.reads_special:
        return "the target has no entry point that reads special tokens and adds none"
    return ""


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each way of encoding with another number of begin tokens than one."""
    tokens = chat.tokens
    before, after = added_ids(tokens.default(PROBE), tokens.read(PROBE)) if tokens else ([], [])
    yield from _sometimes(chat)
    for shape, one, text in chat.rendered_shapes:
        if _begins_with_end(chat, text):
            words = f"the prompt begins with the end token {chat.end}, and not with {chat.begin}"
            ended = Cause("begin token", (("how", "the end token"),), Verdict.RISK, words)
            yield Problem(ended, one, {}, (shape.name,), partial(_shows_end, chat))
        if _begins_again(chat, one):
            words = f"the template writes the begin token {chat.begin} again, before a later turn"
            again_ = Cause("begin token", (("how", "again before a turn"),), Verdict.RISK, words)
            yield Problem(again_, one, {}, (shape.name,), partial(_begins_again, chat))
        if (cause := _cause(chat, before, one)) is not None:
            shows = partial(_shows, chat, before, cause)
            again = partial(_evidence, chat, before, cause)
            yield Problem(cause, one, again(one), (shape.name,), shows, again)
        prompt = chat.text(one, prompt=True) if tokens and after else None
        if tokens is not None and prompt is not None:
            words = "the tokenizer's default ends the prompt for an answer with an end token"
            yield Problem(
                Cause("end token", (("how", "after the prompt"),), Verdict.RISK, words),
                asked(one, prompt=True),
                {
                    "given": (tokens.default(prompt) or [])[-8:],
                    "expected": (tokens.read(prompt) or [])[-8:],
                },
                (shape.name,),
            )


def _sometimes(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if the template writes the begin token only with a system message, or tools.

    Or only without: what else is asked is the same.
    """
    m = Marks()
    plain = Conversation((m.user(),), chat.needed)
    text, begin = chat.text(plain), chat.begin
    tools = {} if chat.gets_no_tools else {"tools": [m.tool()]}
    for what, other in (
        ("a system message", replace(plain, messages=(m.system(), *plain.messages))),
        ("tools", replace(plain, options={**plain.options, **tools})),
    ):
        given = chat.text(other)
        if not begin or text is None or given is None:
            continue
        has = [one.startswith(begin) for one in (text, given)]
        if has[0] != has[1] and begin not in (given if has[0] else text):
            where = f"only with{'out' if has[0] else ''} {what}"
            words = f"the template writes the begin token {begin} {where}"
            cause = Cause("begin token", (("how", where),), Verdict.RISK, words)
            yield Problem(cause, plain if has[1] else other)


def _begins_with_end(chat: Chat, text: str) -> bool:
    """Whether a text begins with the end token, which another word than the begin token is."""
    return bool(chat.begin) and chat.end not in ("", chat.begin) and text.startswith(chat.end)


def _begins_again(chat: Chat, one: Conversation) -> bool:
    """Whether a text begins with the begin token, and has it again before another word of turns.

    In some formats the begin token itself begins each turn, and no such word stands behind it, or
    it begins each round, behind an end token or before each message of a user.
    """
    text, begin = chat.text(one) or "", chat.begin
    if text.count(begin) == sum(message.get("role") == "user" for message in one.messages):
        return False
    if not begin or begin == chat.end or not text.startswith(begin) or text.startswith(begin * 2):
        return False
    parts = text.split(begin)[1:]
    again = (
        WORD.match(part)
        for before, part in pairwise(parts)
        if not (chat.end and before.rstrip().endswith(chat.end))
    )
    return WORD.match(parts[0]) is not None and any(again)


def _shows_end(chat: Chat, one: Conversation) -> bool:
    return _begins_with_end(chat, chat.text(one) or "")


def _shows(chat: Chat, before: Ids, cause: Cause, one: Conversation) -> bool:
    return _cause(chat, before, one) == cause


def _cause(chat: Chat, before: Ids, one: Conversation) -> Cause | None:
    """Return why a conversation has another number of begin tokens than one, or None."""
    text, begin = chat.text(one), chat.begin
    if text is None:
        return None
    ids = None if chat.tokens is None else chat.tokens.read(text)
    if ids is None:
        adds = chat.tokens is None and chat.adds_begin
        number = (2 if text.startswith(begin * 2) else int(text.startswith(begin))) if begin else 0
        who = f"{CONFIG} says add_bos_token"
    else:
        adds = bool(before)
        number = _leading(ids, before or _begin_of(chat, ids))
        who = "the tokenizer adds a begin token"
    if number > 1:
        how, words, verdict = "twice in the template", IN_TEMPLATE, Verdict.BUG
    elif not adds:
        return None
    elif number:
        words = (
            f"{who}, and the template writes it, too: who renders, and then encodes with the "
            "default of the tokenizer, has it twice"
        )
        how, verdict = TWICE, Verdict.RISK
    else:
        words = (
            f"{who}, and the template writes none: apply_chat_template, which lets the tokenizer "
            "add nothing, gives none"
        )
        how, verdict = NONE, Verdict.RISK
    return Cause("begin token", (("how", how),), verdict, words)


def _evidence(chat: Chat, before: Ids, cause: Cause, one: Conversation) -> dict[str, Any]:
    """Return the first ids of a conversation; nothing without a tokenizer."""
    text = chat.text(one)
    if chat.tokens is None or text is None:
        return {}
    is_default = cause.parameters == (("how", TWICE),)
    ids = (chat.tokens.default(text) if is_default else chat.tokens.read(text)) or []
    return {"given": ids[:8], "expected": before or _begin_of(chat, ids)}


def added_ids(default: Ids | None, read: Ids | None) -> tuple[Ids, Ids]:
    """Return the ids that the default adds before and after a text."""
    if not default or not read or len(default) <= len(read):
        return [], []
    for start in range(len(default) - len(read) + 1):
        if default[start : start + len(read)] == read:
            return default[:start], default[start + len(read) :]
    return [], []


def _begin_of(chat: Chat, ids: Ids) -> Ids:
    """Return the first id of a rendering if it is the begin token of the variables."""
    special = set(chat.tokens.special.values()) if chat.tokens else set()
    return ids[:1] if ids[:1] and ids[0] in special and ids[:1] == ids[1:2] else []


def _leading(ids: Ids, begins: Ids) -> int:
    """Return how often the ids begin with those of a begin."""
    number = 0
    while begins and ids[number * len(begins) :][: len(begins)] == begins:
        number += 1
    return number
