"""A template with the conversations that it is tried on, as checks see it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokharness.conversations.catalogue import shapes
from tokharness.conversations.rendering import NOW, Rendered, Renderer, Request
from tokharness.conversations.serve import LIMITS, NOT_TRIED
from tokharness.conversations.shapes import Marks, Shape, fields_of
from tokharness.conversations.templates import DEFAULT, WITH_TOOLS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tokharness.conversations.other_renderers import OtherRenderer
    from tokharness.conversations.templates import ChatTemplate
    from tokharness.conversations.token_ids import Tokens
    from tokharness.model import Cause

PROMPT = "add_generation_prompt"

CLOCK = "strftime_now"
"""The function with which a template asks for the time."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages, and further variables of the template, such as ``tools``."""

    messages: tuple[Mapping[str, Any], ...]
    options: Mapping[str, Any] = field(default_factory=dict)

    def first(self, number: int) -> Conversation:
        """Return the conversation of the first messages."""
        return Conversation(self.messages[:number], self.options)

    @property
    def as_json(self) -> str:
        """The messages as ASCII JSON, or an object of them and of the variables."""
        messages = list(self.messages)
        return json.dumps({"messages": messages, **self.options} if self.options else messages)


@dataclass(frozen=True, slots=True)
class Problem:
    """What a check finds: a cause, a conversation that shows it, and the shapes that do.

    ``smaller`` says of a conversation whether it shows the same; with it, the conversation is
    shrunk.
    """

    cause: Cause
    conversation: Conversation | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)
    shapes: tuple[str, ...] = ()
    smaller: Callable[[Conversation], bool] | None = None
    evidence_of: Callable[[Conversation], Mapping[str, Any]] | None = None


class Chat:
    """A template, its renderings, and the tokens of a tokenizer if there is one.

    Attributes:
        template: The template.
        renderer: The process that has loaded it.
        shapes: The conversations to try, of which some render.
        tokens: What encodes texts; None without a tokenizer.
        adds_begin: Whether a configuration says that the tokenizer adds a begin token.
        others: The renderers to compare, which have loaded the template.

    """

    def __init__(  # noqa: PLR0913 - most may be left out
        self,
        template: ChatTemplate,
        renderer: Renderer,
        *,
        other: Renderer | None = None,
        tokens: Tokens | None = None,
        adds_begin: bool = False,
        reference: Callable[[], Tokens | None] = lambda: None,
        given: Sequence[Shape] = (),
        others: Sequence[OtherRenderer] = (),
    ) -> None:
        self.template = template
        self.tokens, self.adds_begin = tokens, adds_begin
        self._load_reference = reference
        self.others = tuple(others)
        self.renderer, self._other = renderer, other
        self.shapes = tuple(given) or self._asked()
        self.is_given = bool(given)
        self.needs_parts = False
        self.needs_parts = self._needs_parts()
        self.needed = self._needed()

    @property
    def begin(self) -> str:
        """The text of the begin token, of the variables; "" if they have none."""
        return str(self.renderer.variables.get("bos_token") or "")

    @property
    def end(self) -> str:
        """The text of the end token, of the variables; "" if they have none."""
        return str(self.renderer.variables.get("eos_token") or "")

    @cached_property
    def reference(self) -> Tokens | None:
        """The reference of the tokenizer, loaded on use; None if it has none."""
        return self._load_reference()

    def _needs_parts(self) -> bool:
        """Whether it shows contents in parts only, as templates of models with images may."""
        mark = Marks().new("usr")
        whole = Conversation(({"role": "user", "content": mark},))
        parts = Conversation(({"role": "user", "content": [{"type": "text", "text": mark}]},))
        shown = self.text(whole)
        if (shown and mark in shown.lower()) or self.rendered(whole).failure == "refusal":
            return False
        return mark in (self.text(parts) or "")

    @cached_property
    def facts(self) -> Mapping[str, Any]:
        """What the syntax tree of the template shows; nothing if it cannot be parsed."""
        return self.renderer.facts_of(self.template.source)

    @cached_property
    def shows_calls(self) -> bool:
        """Whether it shows the arguments of calls, in any conversation."""
        return any(
            field.mark in text
            for _, one, text in self.standard
            for field in fields_of(one.messages, {})
            if field.what == "arguments of a call"
        )

    @property
    def gets_no_tools(self) -> bool:
        """Whether a loader takes another template of the set for a conversation with tools."""
        return self.template.name == DEFAULT and WITH_TOOLS in self.template.siblings

    def _asked(self) -> tuple[Shape, ...]:
        """Return the shapes for which a loader takes the template.

        ``transformers`` looks whether there are tools, and an empty list is some.
        """
        return tuple(
            shape for shape in shapes() if not (self.gets_no_tools and "tools" in shape.options)
        )

    def _needed(self) -> dict[str, Any]:
        """Return the variables that each conversation gets, as the template needs some.

        A loader passes tools to a template that is named ``tool_use``, and documents to one for
        answers from documents.
        """
        m = Marks()
        plain = Conversation((m.user(),))
        tools, documents = {"tools": [m.tool()]}, {"documents": [m.document()]}
        if self.template.name == WITH_TOOLS and self.template.siblings:
            return tools
        if self.rendered(plain).failure != "crash":
            return {}
        rows = (documents,) if self.gets_no_tools else (tools, documents, {**tools, **documents})
        return next((row for row in rows if self.text(replace(plain, options=row)) is not None), {})

    @cached_property
    def varies(self) -> bool:
        """Whether another process has another text for the same conversation."""
        return any(other.text != text for _, _, text, other in self.elsewhere)

    @property
    def gave_up(self) -> bool:
        """Whether conversations were not tried, as others exceeded a limit."""
        return self.renderer.gave_up

    @cached_property
    def all(self) -> list[tuple[Shape, Conversation]]:
        """The shapes, each with its conversation, and with what the template needs."""
        return self._conversations(self.shapes)

    def _conversations(self, of: Sequence[Shape]) -> list[tuple[Shape, Conversation]]:
        needed = {} if self.is_given else self.needed
        rows = [(one, Conversation(one.messages, {**needed, **one.options})) for one in of]
        self.fetch(conversation for _, conversation in rows)
        return rows

    def _rendered(
        self, rows: Iterable[tuple[Shape, Conversation]]
    ) -> list[tuple[Shape, Conversation, str]]:
        texts = ((shape, one, self.text(one)) for shape, one in rows)
        return [(shape, one, text) for shape, one, text in texts if text is not None]

    @cached_property
    def standard(self) -> list[tuple[Shape, Conversation, str]]:
        """All shapes that render, with the text, whatever conversation is to be tried."""
        return (
            self._rendered(self._conversations(self._asked()))
            if self.is_given
            else self.rendered_shapes
        )

    def fetch(self, conversations: Iterable[Conversation]) -> None:
        """Render conversations in one request to the worker, before they are asked for."""
        self.renderer.render_all(self.request(one) for one in conversations)

    @cached_property
    def rendered_shapes(self) -> list[tuple[Shape, Conversation, str]]:
        """The shapes that render, with the text."""
        return self._rendered(self.all)

    @cached_property
    def snapshots(self) -> list[tuple[Shape, Conversation, dict[int, str]]]:
        """The shapes that render, with the texts of their first messages, by the number of these.

        A number of messages that does not render is left out.
        """
        rows = [
            (shape, one, range(1, len(one.messages) + 1)) for shape, one, _ in self.rendered_shapes
        ]
        self.fetch(one.first(number) for _, one, numbers in rows for number in numbers)
        return [
            (
                shape,
                one,
                {
                    number: text
                    for number in numbers
                    if (text := self.text(one.first(number))) is not None
                },
            )
            for shape, one, numbers in rows
        ]

    def request(self, one: Conversation, now: str = "", altered: tuple[str, ...] = ()) -> Request:
        """Return what the template, perhaps altered, renders, at a time in ISO 8601."""
        return Request(self.sent(one).messages, one.options, now, altered)

    def sent(self, one: Conversation) -> Conversation:
        """Return a conversation as the template gets it, with parts for texts if it needs them."""
        if not self.needs_parts:
            return one
        return replace(one, messages=tuple(map(_in_parts, one.messages)))

    def compared(
        self, conversations: Sequence[Conversation], other: OtherRenderer
    ) -> list[tuple[Rendered, Rendered]]:
        """Return what the template's renderer and another one make of each conversation.

        The other one is not asked for a conversation with which the template exceeds a limit.
        """
        requests = [self.request(one, NOW) for one in conversations]
        self.renderer.render_all(requests)
        ours = [self.renderer.render(one) for one in requests]
        is_limited = [one.failure in (*LIMITS, NOT_TRIED) for one in ours]
        asked_for = [one for one, limited in zip(requests, is_limited, strict=True) if not limited]
        theirs = iter(other.render_all(asked_for))
        unknown = Rendered(None, failure=NOT_TRIED)
        return [
            (one, unknown if limited else next(theirs))
            for one, limited in zip(ours, is_limited, strict=True)
        ]

    def altered(self, rows: Sequence[tuple[Conversation, tuple[str, ...]]]) -> list[Rendered]:
        """Return what the template's renderer, altered, makes of each conversation."""
        requests = [self.request(one, NOW, names) for one, names in rows]
        self.renderer.render_all(requests)
        return [self.renderer.render(one) for one in requests]

    def rendered(self, one: Conversation, *, prompt: bool = False, now: str = "") -> Rendered:
        """Return what the template makes of a conversation, perhaps with a prompt to go on."""
        return self.renderer.render(self.request(asked(one, prompt=prompt), now))

    def text(self, one: Conversation, *, prompt: bool = False) -> str | None:
        """Return the text of a conversation, or None if there is none."""
        return self.rendered(one, prompt=prompt).text

    def texts(self, conversations: Sequence[Conversation]) -> list[str | None]:
        """Return the text of each conversation, in one request to the worker."""
        return [one.text for one in self.renderer.render_all(map(self.request, conversations))]

    @cached_property
    def elsewhere(self) -> list[tuple[Shape, Conversation, str, Rendered]]:
        """The shapes that render, with the text and what another process makes of them.

        A clock is set to the same time in both. Nothing without another process.
        """
        if self._other is None:
            return []
        now = NOW if CLOCK in self.template.source else ""
        requests = [self.request(one, now) for _, one, _ in self.rendered_shapes]
        ours = self.renderer.render_all(requests)
        theirs = self._other.render_all(requests)
        return [
            (shape, one, mine.text or "", other)
            for (shape, one, _), mine, other in zip(self.rendered_shapes, ours, theirs, strict=True)
        ]


def _in_parts(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a message whose content is a list of parts, as loaders make it of a text."""
    content = message.get("content")
    if not isinstance(content, str):
        return message
    return {**message, "content": [{"type": "text", "text": content}]}


def asked(one: Conversation, *, prompt: bool) -> Conversation:
    """Return a conversation with a prompt for the assistant's next message, or as it is."""
    return Conversation(one.messages, {**one.options, PROMPT: True}) if prompt else one
