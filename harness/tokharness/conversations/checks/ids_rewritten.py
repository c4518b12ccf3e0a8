"""The ids of a history change when the conversation goes on, although its text does not.

Why it matters: a cache of a prompt, and the training on a history, are of ids. A token that spans
the end of one message and the beginning of the next changes ids that the model has seen, and the
text does not show it.

Oracle: invariant of a template with a tokenizer: where a rendering is the beginning of the next
one, its ids are the beginning of the next one's ids.

How it works: the ids of the renderings of each shape, message by message, and of the prompt for a
message against the rendering with that message. The content of the message begins with a letter,
then with white space, a digit, a combining mark or an emoji. Words of the template before it, such
as an empty block of thoughts, may change ids whatever it begins with. What the text itself rewrites
is the matter of TOK507.

Verdicts: *risk* if a message that begins with a letter, or words of the template before it, change
ids. *By design*: only messages that begin otherwise do, which a model rarely writes.

Example::

    TOK513 fact  ids change: a message that begins with a line feed

What to do: continue from the ids that you have, and encode only what is new.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tokharness.conversations.chat import Conversation, Problem
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.conversations.chat import Chat
    from tokharness.conversations.token_ids import Ids

CODE = "TOK513"
NAME = "ids-rewritten"
NEEDS_TOKENS = True

BEGINNINGS = {
    "a letter": "text2",
    "a capital letter": "Text",
    "a space": " text2",
    "a line feed": "\ntext2",
    "two line feeds": "\n\ntext2",
    "a digit": "1text",
    "a combining mark": "\u0301a",
    "an emoji": "\U0001f600",
    "a zero width joiner": "\u200da",
    "a Chinese letter": "\u4e2d",
}


def not_applicable(chat: Chat) -> str:
    """Return why the check has nothing to see, or ""."""
    if chat.tokens is None or not chat.tokens.reads_special:
        return "the target has no entry point that reads special tokens and adds none"
    return ""


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each beginning of a message that changes ids before it."""
    tokens = chat.tokens
    if tokens is None:
        return
    for shape, one, texts in chat.snapshots:
        for first, second in pairwise(texts):
            found = _changed(chat, texts[first], texts[second])
            if found is not None:
                message = "a token spans the end of a message and the beginning of the next one"
                cause = Cause("ids change", (("with", "the next message"),), Verdict.RISK, message)
                shows, again = partial(_shows, chat), partial(_by_last, chat)
                yield Problem(cause, one.first(second), found, (shape.name,), shows, again)
    if (problem := _of_template(chat)) is not None:
        yield problem
        return
    for name, text in BEGINNINGS.items():
        answer = {"role": "assistant", "content": text}
        one = Conversation(({"role": "user", "content": "text1"}, answer), chat.needed)
        found = _changed(chat, chat.text(one.first(1), prompt=True), chat.text(one))
        if found is not None:
            verdict = Verdict.RISK if name.endswith("letter") else Verdict.FACT
            message = f"a message that begins with {name} changes ids of the prompt before it"
            what = f"a message that begins with {name}"
            yield Problem(Cause("ids change", (("with", what),), verdict, message), one, found)


def _of_template(chat: Chat) -> Problem | None:
    """Return a problem if words of the template before an answer change ids of the prompt."""
    said, answer = {"role": "user", "content": "text1"}, {"role": "assistant", "content": "text2"}
    one = Conversation((said, answer), chat.needed)
    prompt, whole = chat.text(one.first(1), prompt=True) or "", chat.text(one) or ""
    before = whole[: whole.rfind("text2")]
    found = _changed(chat, prompt, before) if len(before) > len(prompt) else None
    if found is None:
        return None
    words = before[len(prompt) :]
    message = f"{words!r}, which the template writes before an answer, changes ids of the prompt"
    what = "the words of the template before an answer"
    return Problem(Cause("ids change", (("with", what),), Verdict.RISK, message), one, found)


def _shows(chat: Chat, one: Conversation) -> bool:
    return bool(_by_last(chat, one))


def _by_last(chat: Chat, one: Conversation) -> dict[str, Any]:
    """Return where the last message changes ids before it; nothing if it does not."""
    number = len(one.messages) - 1
    earlier = chat.text(one.first(number)) if number else None
    return _changed(chat, earlier, chat.text(one)) or {}


def _changed(chat: Chat, earlier: str | None, later: str | None) -> dict[str, Any] | None:
    """Return where the ids of a text change that is the beginning of another one, or None."""
    if earlier is None or later is None or chat.tokens is None or not later.startswith(earlier):
        return None
    before, after = chat.tokens.read_all([earlier, later])
    if before is None or after is None or after[: len(before)] == before:
        return None
    place = next(i for i, number in enumerate(before) if after[i : i + 1] != [number])
    return {"given": _near(after, place), "expected": _near(before, place), "place": place}


def _near(ids: Ids, place: int) -> Ids:
    return ids[max(place - 2, 0) : place + 4]
