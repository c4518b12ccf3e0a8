"""The same conversation is rendered differently, on another day or in another process.

Why it matters: a cached prefix is lost at midnight, a test passes today only, and two servers give
a model different prompts.

Oracle: invariant of the template: the same conversation has the same text.

How it works: all shapes are rendered in a second process with another seed of Python's hashes, and
those with a system, a user or tools at two times of a minute, of a day, and on two days, without
and with the prompt for an answer, by the clock of ``strftime_now``.

Verdicts: *bug* if two processes differ. *Risk*: a time of day, with which no prompt is the
beginning of a later one. *By design*: a date, which the template asks for.

Example::

    TOK502 fact  date   "Current date: 2026-01-02"

What to do: pass the date in a message, or at the end of the prompt, where it loses no cache.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness.conversations.chat import CLOCK, Problem, asked
from tokharness.conversations.excerpts import differing
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.conversations.chat import Chat, Conversation

CODE = "TOK502"
NAME = "rendering-varies"

DAYS = ("2026-01-02T03:04:05", "2027-11-28T16:17:18")

SECONDS = (DAYS[0], "2026-01-02T03:04:47")
MINUTES = (DAYS[0], "2026-01-02T05:26:47")
"""Two times of one minute, and of one day."""


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each conversation that differs."""
    for shape, one, text, other in chat.elsewhere:
        if other.text != text:
            message = "the same conversation has another text in another process"
            cause = Cause("another process", message=message)
            evidence = differing(text, other.text or other.message)
            yield Problem(cause, one, evidence, (shape.name,))
    if CLOCK not in chat.template.source:
        return
    rows = chat.rendered_shapes
    small = [(shape, one) for shape, one, _ in rows if len(one.messages) <= 2]
    tried = (*small, *((shape, asked(one, prompt=True)) for shape, one in small))
    times = dict.fromkeys((*SECONDS, *MINUTES, *DAYS))
    chat.renderer.render_all(chat.request(one, time) for _, one in tried for time in times)
    for shape, one in tried:
        found = next((two for two in (SECONDS, MINUTES, DAYS) if _differ(chat, one, two)), None)
        if found is not None:
            yield Problem(
                _CAUSES[found],
                one,
                _evidence(chat, one, found),
                (shape.name,),
                partial(_differ, chat, times=found),
                partial(_evidence, chat, times=found),
            )


def _of_time(what: str) -> Cause:
    message = f"the text depends on the {what}: no cached prefix serves a later request"
    return Cause("time of day", (("of", what),), Verdict.RISK, message)


_CAUSES = {
    SECONDS: _of_time("second"),
    MINUTES: _of_time("minute or the hour"),
    DAYS: Cause(
        "date",
        (),
        Verdict.FACT,
        "the text depends on the date: a cached prefix is lost when it changes",
    ),
}
"""What a text depends on, by two times at which it differs."""


def _at(chat: Chat, one: Conversation, times: tuple[str, str]) -> list[str | None]:
    return [chat.rendered(one, now=time).text for time in times]


def _differ(chat: Chat, one: Conversation, times: tuple[str, str]) -> bool:
    first, second = _at(chat, one, times)
    return first != second and first is not None and second is not None


def _evidence(chat: Chat, one: Conversation, times: tuple[str, str]) -> dict[str, Any]:
    first, second = _at(chat, one, times)
    return differing(first or "", second or "")
