"""Changes of a gate: what a chat template makes of conversations, against that of a baseline.

The baseline has the template itself, so both render the same conversations, and the smallest one
that they render differently shows the change. Its digests show whether the same template makes
another text now, as with another release of Jinja.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.changes import (
    CHANGED_FILE,
    RENDERED,
    Change,
    Renderings,
    change_fingerprint,
    change_of,
)
from tokharness.conversations.chat import Chat, Conversation
from tokharness.conversations.rendering import Renderer
from tokharness.conversations.shapes import Marks, fields_of, filled
from tokharness.conversations.shrinking import smallest
from tokharness.conversations.states import growing, made, rendered_at
from tokharness.conversations.templates import ChatTemplate
from tokharness.conversations.turns import WORD
from tokharness.edits.long_texts import places_that_differ

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokharness.targets.snapshot import TemplateState

OPEN_FIELD = "open-field"
MOST = 4_000
"""Characters of a rendering that a change keeps."""

MOST_WORDS = 12
"""Control tokens that one text has."""

TEXTS = (
    ("white space around texts", " \n{}\n "),
    ("line feeds in texts", "{}\r\n\n\n\tx"),
    ("tags of thoughts", "<think>x</think>{}"),
    ("HTML, quotes and backslashes", "{}<b>&amp;'\"\\n</b>"),
    ("other letters", "{}\u00c9\u4e2d\U0001f600e\u0301\u200b\u202e"),
    ("the syntax of Jinja", "{}{{ 1 }}{% if 1 %}"),
    ("long texts", f"{{}}{' word' * 800} end"),
)
"""Forms of texts with the word of a shape, and what is special in them."""


def template_changes(
    old: Sequence[TemplateState], new: Sequence[TemplateState]
) -> Iterator[Change]:
    """Yield the changes of the chat templates of a target since its baseline."""
    before, now = ({one.name: one for one in states} for states in (old, new))
    for name in sorted(before.keys() | now.keys()):
        if name not in now:
            message = f"the target no longer has the chat template {name}"
            yield change_of(CHANGED_FILE, f"template {name} is gone", message)
        elif name not in before:
            message = f"the target has the chat template {name}, and had none of this name"
            yield change_of(CHANGED_FILE, f"template {name} is new", message, fails=True)
        else:
            others = (frozenset(before) - {name}, frozenset(now) - {name})
            yield from _of_template(before[name], now[name], others)


def _of_template(
    old: TemplateState, new: TemplateState, others: tuple[frozenset[str], frozenset[str]]
) -> Iterator[Change]:
    yield from _opened(old, new)
    if (old.source, old.variables) == (new.source, new.variables):
        yield from _rendered_otherwise(old, new)
        return
    with Renderer() as first, Renderer() as second:
        pair = _Pair(_chat(old, first, others[0]), _chat(new, second, others[1]))
        change = pair.change(old, new)
        # Both are read by this release of Jinja, whose syntax tree may be another than then.
        digests = {second.syntax_of(state.source) for state in (old, new)}
    is_same = len(digests) == 1 and "" not in digests
    yield _unseen(old, new, is_same=is_same) if change is None else change


def _chat(state: TemplateState, renderer: Renderer, siblings: frozenset[str]) -> Chat:
    renderer.load(state.source, state.variables)
    return Chat(ChatTemplate(state.name, state.source, "", siblings=siblings), renderer)


class _Pair:
    """The template of a baseline and that of a run, on the same conversations."""

    def __init__(self, old: Chat, new: Chat) -> None:
        self._old, self._new = old, new

    def fetch(self, conversations: Iterable[Conversation]) -> None:
        """Render conversations in one request to each worker."""
        rows = list(conversations)
        for chat in (self._old, self._new):
            rendered_at(chat, rows)

    def made(self, one: Conversation) -> tuple[list[str], list[str]]:
        """Return what both templates make of a conversation."""
        before, now = (made(rendered_at(chat, [one])[0]) for chat in (self._old, self._new))
        return before, now

    def differs(self, one: Conversation) -> bool:
        """Whether they make something else of it."""
        before, now = self.made(one)
        return before != now

    def _different(
        self, rows: Sequence[tuple[str, Conversation]]
    ) -> tuple[list[str], list[Conversation]]:
        """Return the conversations that differ, and first their names, each once."""
        self.fetch(part for _, part in rows)
        found = [(name, part) for name, part in rows if self.differs(part)]
        return list(dict.fromkeys(name for name, _ in found)), [part for _, part in found]

    def _order(self, one: Conversation) -> tuple[bool, int, int]:
        """Sort key: first conversations that both render, small ones before others."""
        before, now = self.made(one)
        return before[0] != now[0], len(one.messages), len(one.as_json)

    def change(self, old: TemplateState, new: TemplateState) -> Change | None:
        """Return the change of the renderings, or None if none differs."""
        rows = [
            (shape.name, part)
            for chat in (self._old, self._new)
            for shape, one in chat.all
            for part in growing(one)
        ]
        names, parts = self._different(rows)
        what = f"{len(names)} of {len(self._old.shapes)} shapes of conversations"
        if not names:
            names, parts = self._different(list(_with_texts(self._old, self._new)))
            what = f"conversations with {', '.join(names)}"
        if not names:
            return None
        best = min(parts, key=self._order)
        kinds = tuple(row[0] for row in self.made(best))

        def shows(one: Conversation) -> bool:
            before, now = self.made(one)
            return before != now and (before[0], now[0]) == kinds

        best = smallest(best, shows, self)
        before, now = self.made(best)
        return Change(
            RENDERED,
            f"template {new.name}: {what}",
            f"{_sentence(before, now)}{_of_state(old, new)}",
            change_fingerprint(
                RENDERED, old.source, new.source, [*old.variables.items()], [*new.variables.items()]
            ),
            count=len(names),
            renderings=Renderings(best.as_json, _shown(before), _shown(now)),
        )


def _with_texts(*chats: Chat) -> Iterator[tuple[str, Conversation]]:
    """Yield conversations with other texts than the words of shapes, and what is special in them.

    Control tokens are the words in brackets of both templates.
    """
    sources = [chat.template.source for chat in chats]
    words = list(dict.fromkeys(word for source in sources for word in WORD.findall(source)))
    needed = {key: value for chat in chats for key, value in chat.needed.items()}
    is_without_tools = all(chat.gets_no_tools for chat in chats)
    texts = [*TEXTS, *(("control tokens", f"{{}}{word}") for word in words[:MOST_WORDS])]
    for name, text in texts:
        m = Marks()
        plain = (m.system(), m.user(), m.assistant(), m.user(), m.assistant())
        tools = {} if is_without_tools else {"tools": [m.tool()]}
        calls = m.calls(m.call(), reasoning_content=m.new("rsn"))
        calling = (m.user(), calls, m.result(), m.assistant(), m.user())
        for one in (Conversation(plain, needed), Conversation(calling, {**needed, **tools})):
            marks = {field.mark for field in fields_of(one.messages, one.options)}
            given = {mark: text.replace("{}", mark) for mark in marks}
            whole = Conversation(
                tuple(filled(list(one.messages), given)), filled(dict(one.options), given)
            )
            yield from ((name, part) for part in growing(whole))


def _shown(row: list[str]) -> str:
    return row[1][:MOST] if row[0] == "text" else f"({row[1]})"


def _sentence(before: list[str], now: list[str]) -> str:
    if now[0] == "failure" == before[0]:
        return f"a conversation that failed with a {before[1]} fails with a {now[1]}"
    if now[0] == "failure":
        return f"a conversation that was rendered fails with a {now[1]}"
    if before[0] == "failure":
        return f"a conversation that failed with a {before[1]} is rendered"
    return "a model gets other text than before for the same conversation"


def _of_state(old: TemplateState, new: TemplateState) -> str:
    """Name the variables and the places of the template that differ.

    The smallest rendering may show one of several.
    """
    variables = [
        f"{key} is {new.variables.get(key, 'missing')}, was {old.variables.get(key, 'missing')}"
        for key in sorted({*old.variables, *new.variables})
        if old.variables.get(key) != new.variables.get(key)
    ]
    found = [f"the variable {', '.join(variables)}"] if variables else []
    if places := places_that_differ(old.source, new.source):
        found.append(f"in the template: {places}")
    return "".join(f"; {one}" for one in found)


def _unseen(old: TemplateState, new: TemplateState, *, is_same: bool) -> Change:
    """Return the change of a template of which no rendering shows it."""
    shapes = f"{len(new.renderings)} shapes of conversations"
    message = (
        "only comments, white space that tags have or strip, or variables that no rendering shows "
        f"differ: its syntax is the same, and so is every rendering of {shapes}"
        if is_same
        else f"its syntax differs, and no rendering of {shapes} shows it: read what was changed"
        f"{_of_state(old, new)}"
    )
    fingerprint = change_fingerprint(CHANGED_FILE, old.source, new.source)
    return Change(
        CHANGED_FILE, f"template {new.name}", message, fingerprint, fails=not is_same, count=0
    )


def _rendered_otherwise(old: TemplateState, new: TemplateState) -> Iterator[Change]:
    """Yield a change if the same template makes other text of the same conversations."""
    names = [
        shape
        for shape, (conversation, digest) in old.renderings.items()
        if shape in new.renderings
        and new.renderings[shape][0] == conversation
        and new.renderings[shape][1] != digest
    ]
    if names:
        message = (
            f"the same template makes another text of {len(names)} of {len(new.renderings)} shapes "
            f"of conversations than for the baseline, such as {names[0]}: another release of Jinja "
            "or of tokharness renders it"
        )
        yield change_of(RENDERED, f"template {new.name}, unchanged", message, identity="unchanged")


def _opened(old: TemplateState, new: TemplateState) -> Iterator[Change]:
    if old.open_fields is None or new.open_fields is None:
        return
    if opened := [one for one in new.open_fields if one not in old.open_fields]:
        fields = ", ".join(opened)
        message = (
            f"text of {fields} becomes control tokens in the whole rendering, and did not with the "
            "template of the baseline: a person who writes it can speak as another role"
        )
        yield change_of(OPEN_FIELD, f"template {new.name}: {fields}", message)
