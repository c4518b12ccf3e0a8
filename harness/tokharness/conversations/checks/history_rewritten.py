"""The template changes what the model has read already, when the conversation goes on.

Why it matters: a server keeps what it has computed for the beginning of a prompt. Where the next
prompt does not begin with the last one, that is lost. In training by reinforcement, the model is
trained on a history that it never saw.

Oracle: invariant of the template: the rendering of the first messages is the beginning of the
rendering of the whole conversation.

How it works: each shape is rendered message by message. Where a rendering is not the beginning of
the next one, the cause is what the rest shows: a text that is dropped, such as reasoning of an
earlier turn, one that moves, or words of the template that change. Then the prompt for the next
message (``add_generation_prompt``) is compared with the rendering that has that message.

Verdicts: *risk*. Some vendors document it, such as reasoning that is dropped once the user speaks
again: then it costs the cache of those turns. *By design*: only the end of the last turn differs,
or a message of the history does not begin with the prompt for it.

Example::

    TOK507 risk  rewritten: reasoning is dropped

What to do: keep what was sent, or use the training template of the model for training.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tokharness.conversations.chat import Problem
from tokharness.conversations.excerpts import common, excerpt
from tokharness.conversations.shapes import fields_of
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness.conversations.chat import Chat, Conversation
    from tokharness.conversations.shapes import Field

CODE = "TOK507"
NAME = "history-rewritten"


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What is rewritten: in words, the two texts, and the characters that both begin with.

    ``details`` is a sentence that says more than ``what``, or "".
    """

    what: str
    verdict: Verdict
    earlier: str
    later: str
    kept: int
    details: str = ""

    @property
    def message(self) -> str:
        """The sentence of a finding."""
        return self.details or self.what


def not_applicable(chat: Chat) -> str:
    """Return why the check has nothing to see, or ""."""
    return "the text varies by itself, which TOK502 reports" if chat.varies else ""


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each shape whose history is rewritten."""
    for shape, one, numbers in chat.snapshots:
        for first, second in pairwise(numbers):
            found = rewriting(chat, one, first, second)
            if found is not None:
                yield _problem(chat, shape.name, one.first(second), found)
        for number in numbers:
            found = prompt_rewriting(chat, one, number)
            if found is not None:
                yield _problem(chat, shape.name, one.first(number + 1), found)


def _problem(chat: Chat, shape: str, one: Conversation, found: Rewriting) -> Problem:
    cause = Cause("rewritten", (("what", found.what),), found.verdict, found.message)
    shows, again = _shows(chat, found.message), _again(chat, found.message)
    return Problem(cause, one, _evidence(found), (shape,), shows, again)


def _evidence(found: Rewriting) -> dict[str, Any]:
    return {
        "given": excerpt(found.later, found.kept),
        "expected": excerpt(found.earlier, found.kept),
        "characters before": len(found.earlier),
        "characters kept": found.kept,
    }


def _all_rewritings(chat: Chat, one: Conversation) -> Iterator[Rewriting]:
    """Yield what the last message of a conversation rewrites."""
    size = len(one.messages)
    if size < 2:
        return
    for found in (rewriting(chat, one, size - 1, size), prompt_rewriting(chat, one, size - 1)):
        if found is not None:
            yield found


def _shows(chat: Chat, message: str) -> Callable[[Conversation], bool]:
    return lambda one: any(found.message == message for found in _all_rewritings(chat, one))


def _again(chat: Chat, message: str) -> Callable[[Conversation], dict[str, Any]]:
    def evidence(one: Conversation) -> dict[str, Any]:
        rows = (row for row in _all_rewritings(chat, one) if row.message == message)
        found = next(rows, None)
        return {} if found is None else _evidence(found)

    return evidence


def rewriting(chat: Chat, one: Conversation, first: int, second: int) -> Rewriting | None:
    """Return what the messages up to ``second`` rewrite of those up to ``first``, or None."""
    earlier, later = chat.text(one.first(first)), chat.text(one.first(second))
    if earlier is None or later is None or later.startswith(earlier):
        return None
    kept = common(earlier, later)
    fields = fields_of(one.messages[:first], one.options)
    last = max((earlier.find(field.mark) for field in fields), default=-1)
    behind = [field for field in fields if _ends_behind(earlier, kept, field)]
    dropped = [field for field in behind if field.mark not in later]
    moved = [field for field in behind if field.mark in later]
    if dropped:
        what = dropped[0].what
        verb = "are" if what.startswith("arguments") else "is"
        words = f"{what} of earlier turns {verb} dropped"
        return Rewriting(words, Verdict.RISK, earlier, later, kept)
    if kept > last:  # only words of the template behind the last text
        what = "the last turn ends otherwise once another message follows"
        return Rewriting(what, Verdict.FACT, earlier, later, kept)
    after = _first_after(earlier, kept, fields)
    before = _first_after(later, kept, fields_of(one.messages[:second], one.options))
    verb = "stand" if (before or "").startswith("arguments") else "stands"
    if moved and after != before:
        what = f"other words stand before the {after} of earlier turns"
        if before is not None:
            what = f"the {before} {verb} before the {after} of earlier turns"
    elif _is_at_the_beginning(one, earlier, kept, fields):
        what = "the words of the template before the first text change"
    else:
        what = f"the words of the template before the {after} of earlier turns change"
    return Rewriting(what, Verdict.RISK, earlier, later, kept)


def _is_at_the_beginning(one: Conversation, text: str, place: int, fields: list[Field]) -> bool:
    """Whether a place of a text stands before that of the first message, which is of no answer."""
    first = [field for field in fields if field.path[0] == 0]
    is_asked = one.messages[0].get("role") != "assistant"
    return is_asked and any(_ends_behind(text, place, field) for field in first)


def _first_after(text: str, place: int, fields: list[Field]) -> str | None:
    """Return the kind of the text that ends first after a place."""
    found = [field for field in fields if _ends_behind(text, place, field)]
    return min(found, key=lambda field: text.find(field.mark)).what if found else None


def _ends_behind(text: str, place: int, field: Field) -> bool:
    """Whether a text has a field that ends behind a place, which may be inside of its mark."""
    found = text.find(field.mark)
    return found >= 0 and found + len(field.mark) > place


def prompt_rewriting(chat: Chat, one: Conversation, number: int) -> Rewriting | None:
    """Return what of the prompt after so many messages is not in the text with the next one."""
    if number >= len(one.messages) or one.messages[number].get("role") != "assistant":
        return None
    if one.messages[number - 1].get("role") == "assistant":
        return None
    before, prompt = (chat.text(one.first(number), prompt=ask) for ask in (False, True))
    later = chat.text(one.first(number + 1))
    if before is None or prompt is None or later is None or later.startswith(prompt):
        return None
    if not prompt.startswith(before) or not later.startswith(before):
        return None  # the history itself is rewritten, which the other comparison reports
    kept = common(prompt, later)
    words, same = prompt[len(before) :], prompt[len(before) : kept]
    what = f"a message of the history does not begin with the prompt for it, {words!r}"
    begins = f"it begins with {same!r} of it only" if same else "it begins with other words"
    return Rewriting(what, Verdict.FACT, prompt, later, kept, f"{what}: {begins}")
