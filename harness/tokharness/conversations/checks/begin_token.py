"""A prompt has two begin tokens, or none, or it depends on how it is encoded.

Why it matters: a model has seen one begin token in training. With two, its answers get worse, and
no error says why.

Oracle: differential: the template and the tokenizer, in each combination.

How it works: the tokenizer's default adds ids to a text; the check finds which. A rendering is
encoded without them, as ``apply_chat_template(tokenize=True)`` does, and with them, as who renders
first and then calls the tokenizer. Without a tokenizer, what the template writes first is compared
with the begin token of the variables, and with ``add_bos_token`` of ``tokenizer_config.json``.

Verdicts: *bug* if the template itself writes the begin token twice. *Risk* if one of the two ways
has two begin tokens or none, or the tokenizer ends the prompt for an answer with an end token.

Example: a template that writes ``<s>``, and a tokenizer that adds it::

    TOK511 risk  begin token: twice if rendered, then encoded

What to do: encode rendered text with ``add_special_tokens=False``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.conversations.chat import Problem, asked
from tokharness.conversations.templates import CONFIG
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
    if tokens is None:
        yield from _said(chat)
        return
    before, after = added_ids(tokens.default(PROBE), tokens.read(PROBE))
    for shape, one, text in chat.rendered_shapes:
        ids = tokens.read(text)
        prompt = chat.text(one, prompt=True)
        if ids is None:
            continue
        begins = before or _begin_of(chat, ids)
        number = _leading(ids, begins)
        if begins and number > 1:
            yield Problem(
                Cause("begin token", (("how", "twice in the template"),), message=IN_TEMPLATE),
                one,
                {"given": ids[:8], "expected": begins},
                (shape.name,),
            )
        elif before:
            how = TWICE if number else NONE
            words = (
                "the template and the tokenizer both write the begin token: who renders, and then "
                "encodes with the default of the tokenizer, has it twice"
                if number
                else "the tokenizer adds a begin token, and the template writes none: "
                "apply_chat_template, which lets the tokenizer add nothing, gives none"
            )
            yield Problem(
                Cause("begin token", (("how", how),), Verdict.RISK, words),
                one,
                {
                    "given": ((tokens.default(text) if number else ids) or [])[:8],
                    "expected": begins,
                },
                (shape.name,),
            )
        if after and prompt is not None:
            words = "the tokenizer's default ends the prompt for an answer with an end token"
            yield Problem(
                Cause("end token", (("how", "after the prompt"),), Verdict.RISK, words),
                asked(one, prompt=True),
                {"given": (tokens.default(prompt) or [])[-8:], "expected": (ids or [])[-8:]},
                (shape.name,),
            )


def _said(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each text, by what it begins with and what the configuration says."""
    begin = chat.begin
    for shape, one, text in chat.rendered_shapes:
        if text.startswith(begin * 2):
            cause = Cause("begin token", (("how", "twice in the template"),), message=IN_TEMPLATE)
            yield Problem(cause, one, {}, (shape.name,))
        if not chat.adds_begin:
            continue
        is_twice = text.startswith(begin)
        how = TWICE if is_twice else NONE
        words = (
            f"the template writes {begin}, and {CONFIG} says add_bos_token: who renders, and then "
            "encodes with the default of the tokenizer, has it twice"
            if is_twice
            else f"{CONFIG} says add_bos_token, and the template does not write {begin}: "
            "apply_chat_template, which lets the tokenizer add nothing, gives none"
        )
        cause = Cause("begin token", (("how", how),), Verdict.RISK, words)
        yield Problem(cause, one, {}, (shape.name,))


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
