"""The reference gives different ids for a rendered conversation.

Why it matters: a rendered conversation is text with control tokens, as a model reads it. An
implementation that reads a control token, or the text next to it, in another way gives the model
ids that its training did not have.

Oracle: differential. The reference is an independent implementation that reads the same vocabulary
file.

How it works: each rendering is encoded by the target and by the reference, with special tokens read
and none added. A rendering whose ids differ is made small while they do.

Verdicts: *bug*, with the smallest text. If the ids of this text differ as plain text, too, it is
the matter of TOK201, and `tokharness check` has the cause. Without a difference a *fact* says so,
and that the findings of ids in this report are the file's and the template's, not the library's.

Example: a tokenizer that strips the space after ``<|im_start|>``::

    TOK517 bug  ids differ from the reference's: where special tokens are read

What to do: use the implementation that the model was trained with, or compare the settings of the
added tokens of both.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tokharness.conversations.chat import Problem
from tokharness.engine.worker.shrinking import shrink
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.conversations.chat import Chat, Conversation
    from tokharness.conversations.token_ids import Ids, Tokens

CODE = "TOK517"
NAME = "rendered-ids-differ"
NEEDS_TOKENS = True

MOST_CALLS = 200
"""Texts that are tried to make one small."""

MOST_SMALL = 8
"""Renderings that are made small, each without the smallest text of another one."""

NEXT_TO = 8
"""Most ids in the evidence."""


def not_applicable(chat: Chat) -> str:
    """Return why the check has nothing to see, or ""."""
    if chat.tokens is None or not chat.tokens.reads_special:
        return "the target has no entry point that reads special tokens and adds none"
    if chat.reference is None:
        return "the target has no reference to compare with"
    if not chat.reference.reads_special:
        return "the reference has no entry point that reads special tokens and adds none"
    return ""


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each way in which ids differ, or one that says that none do."""
    tokens, reference = chat.tokens, chat.reference
    if tokens is None or reference is None:
        return
    rows = chat.rendered_shapes
    texts = [text for _, _, text in rows]
    pairs = list(zip(tokens.read_all(texts), reference.read_all(texts), strict=True))
    compared = sum(None not in pair for pair in pairs)
    found = [row for row, pair in zip(rows, pairs, strict=True) if _differ(*pair)]
    reported: set[str] = set()
    smallest: list[str] = []
    for _, one, text in found:
        rest = text
        for known in smallest:
            rest = rest.replace(known, "")
        if len(smallest) == MOST_SMALL or not _read_differs(tokens, reference, rest):
            continue
        small = shrink(rest, partial(_read_differs, tokens, reference), max_calls=MOST_CALLS)
        smallest.append(small)
        plain = _differ(tokens.plain(small), reference.plain(small))
        how = "as plain text" if plain else "where special tokens are read"
        if how in reported:
            continue
        reported.add(how)
        message = (
            f"{len(found)} of {compared} rendered conversations differ in their ids from those of "
            "the reference, which reads the same file"
        )
        cause = Cause("ids differ from the reference's", (("how", how),), message=message)
        evidence = {
            "text": small,
            "given": (tokens.read(small) or [])[:NEXT_TO],
            "expected": (reference.read(small) or [])[:NEXT_TO],
        }
        names = tuple(shape.name for shape, _, _ in found)
        yield Problem(cause, one, evidence, names, partial(_shows, chat))
    if compared and not found:
        message = f"all {compared} rendered conversations have the ids of the reference"
        yield Problem(Cause("ids equal the reference's", (), Verdict.FACT, message))


def _differ(one: Ids | None, other: Ids | None) -> bool:
    return one is not None and other is not None and one != other


def _read_differs(tokens: Tokens, reference: Tokens, text: str) -> bool:
    return _differ(tokens.read(text), reference.read(text))


def _shows(chat: Chat, one: Conversation) -> bool:
    text = chat.text(one)
    if text is None or chat.tokens is None or chat.reference is None:
        return False
    return _read_differs(chat.tokens, chat.reference, text)
