"""The state of a chat template for a baseline: digests of what it makes of each conversation."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from tokharness.conversations.chat import asked
from tokharness.targets.snapshot import TemplateState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.conversations.chat import Chat, Conversation
    from tokharness.conversations.rendering import Rendered
    from tokharness.model import Finding

NOW = "2026-01-01T12:00:00"
"""The time at which templates with a clock are rendered."""

CLOCK = "strftime_now"
"""The only clock that a template has."""

OPEN_FIELDS = "open fields"
"""Key of the evidence of TOK512: the kinds of fields whose text becomes a control token."""

OPEN = "TOK512"


def state_of(chat: Chat, findings: Sequence[Finding]) -> TemplateState:
    """Return the state of a template, whose checks made these findings."""
    fields = [one.evidence.get(OPEN_FIELDS, ()) for one in findings if one.code == OPEN]
    return TemplateState(
        chat.template.name,
        chat.template.source,
        chat.renderer.syntax_of(chat.template.source),
        dict(chat.renderer.variables),
        {
            shape.name: (digest_of(one.as_json), digest_of(_made(chat, one)))
            for shape, one in chat.all
        },
        tuple(dict.fromkeys(what for one in fields for what in one)) if fields else None,
    )


def _made(chat: Chat, one: Conversation) -> str:
    rows = list(growing(one))
    return json.dumps([made(rendered) for rendered in rendered_at(chat, rows)])


def rendered_at(chat: Chat, conversations: Sequence[Conversation]) -> list[Rendered]:
    """Return what a template makes of conversations, at a fixed time if it has a clock."""
    now = NOW if CLOCK in chat.template.source else ""
    return chat.renderer.render_all(chat.request(one, now) for one in conversations)


def growing(one: Conversation) -> Iterator[Conversation]:
    """Yield what a server would be asked: the first messages, one more each time.

    Each comes without and with the prompt for the assistant's next message.
    """
    for number in range(1, len(one.messages) + 1):
        for prompt in (False, True):
            yield asked(one.first(number), prompt=prompt)


def made(rendered: Rendered) -> list[str]:
    """Return a text, or how the template fails, in the words of a digest."""
    if rendered.text is None:
        return ["failure", rendered.failure]
    return ["text", rendered.text]


def digest_of(text: str) -> str:
    """Return 16 hex digits of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
