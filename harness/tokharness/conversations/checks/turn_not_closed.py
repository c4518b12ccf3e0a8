"""A turn begins before the last one is closed, or one is closed that is not open.

Why it matters: a model reads two fused turns as one. A user message that follows a tool result may
then be part of the result, and the model answers neither. Plain chat looks fine, so that the fault
is taken for a weak model.

Oracle: invariant of the template: each opener of a turn is followed by its closer.

How it works: the openers and closers are found from the template: of its words in brackets, those
that alternate in all renderings of plain messages, with every message between them. Another word
may end a turn too, if in every rendering nothing but an opener follows it. Then the turns of all
shapes are followed. A template without such words is reported as a skip.

Verdicts: *bug* for a conversation that the OpenAI schema permits, else *risk*.

Example: no ``<turn|>`` after a tool result::

    TOK503 bug  a turn begins before the last one is closed: "<|turn>"

What to do: close the turn of a tool call where the next message is not of the assistant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.conversations.chat import Problem
from tokharness.conversations.excerpts import excerpt
from tokharness.conversations.turns import turns_of
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness.conversations.chat import Chat, Conversation
    from tokharness.conversations.turns import Turns

CODE = "TOK503"
NAME = "turn-not-closed"


def not_applicable(chat: Chat) -> str:
    """Return why the check has nothing to see, or ""."""
    if turns_of(chat) is None:
        return "no words of the template open and close each turn"
    return ""


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each shape whose turns do not balance."""
    turns = turns_of(chat)
    if turns is None:
        return
    for shape, one, text in chat.rendered_shapes:
        if (fault := turns.fault(text)) is None:
            continue
        what, place = fault
        ends = turns.closers | turns.ends
        verdict = Verdict.BUG if shape.is_permitted else Verdict.RISK
        message = f"{what}: turns begin with {_words(turns.openers)}, and end with {_words(ends)}"
        cause = Cause(what, (("with", _words(turns.openers)),), verdict, message)
        yield Problem(
            cause,
            one,
            _evidence(turns, text, place),
            (shape.name,),
            _shows(chat, turns, what),
            _evidence_of(chat, turns),
        )


def _shows(chat: Chat, turns: Turns, what: str) -> Callable[[Conversation], bool]:
    def shows(one: Conversation) -> bool:
        text = chat.text(one)
        fault = None if text is None else turns.fault(text)
        return fault is not None and fault[0] == what

    return shows


def _evidence_of(chat: Chat, turns: Turns) -> Callable[[Conversation], dict[str, Any]]:
    def evidence(one: Conversation) -> dict[str, Any]:
        text = chat.text(one) or ""
        fault = turns.fault(text)
        return {} if fault is None else _evidence(turns, text, fault[1])

    return evidence


def _evidence(turns: Turns, text: str, place: int) -> dict[str, Any]:
    ends = turns.closers | turns.ends
    return {"at": excerpt(text, place), "begins": _words(turns.openers), "ends": _words(ends)}


def _words(words: frozenset[str]) -> str:
    return " or ".join(sorted(words))
