"""Another renderer makes another text of the same conversation.

Why it matters: a template is one program, and servers run it in several engines of Jinja, or have
written its text out in their own code. A model that was trained on one text is asked with another:
``None`` or nothing, a space that is stripped or not, quotes that are escaped or not. Some templates
fail in another engine for each call of a tool.

Oracle: differential: the rendering of transformers, by Jinja's own environment. ``--renderer``
names what is compared with it.

How it works: all shapes, with and without a prompt for the assistant, and conversations with
hostile texts are rendered by both, with the same clock. Where the texts differ, the reference is
altered in one place, such as what ``trim`` strips. An alteration with which it gives exactly the
text of the other renderer is the cause, unless it changes a text that both render alike, or the
engine by itself, with a template of one line, does otherwise. Where none explains it, the finding
says where the texts differ. An engine that cannot parse the template is one finding. If a renderer
gives ids, they are compared with the ids that the tokenizer has for the text. A renderer is started
again for what differs: if it then has another text, that is the only finding of its texts.

Verdicts: *risk*, as neither text is the right one by itself. *By design*: conversations that the
OpenAI schema does not permit or that loaders change, and conversations that transformers cannot
render.

Example::

    TOK518 risk  tojson escapes HTML: minijinja

What to do: write the template so that it needs nothing in which engines differ, or test the model
with the engine that serves it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness.conversations.alterations import ALTERATIONS
from tokharness.conversations.chat import Problem, asked
from tokharness.conversations.differences import (
    Difference,
    cause_for,
    error_of,
    explain,
    is_different,
    names_of,
    place_of,
    verdict_of,
)
from tokharness.conversations.excerpts import differing
from tokharness.conversations.hostile import with_hostile_texts, with_less, with_texts
from tokharness.conversations.other_renderers import OtherRenderer
from tokharness.conversations.renderer_ids import of_ids
from tokharness.conversations.rendering import NOW
from tokharness.conversations.shapes import fields_of
from tokharness.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from tokharness.conversations.chat import Chat, Conversation
    from tokharness.conversations.differences import Names, Place
    from tokharness.conversations.rendering import Rendered
    from tokharness.conversations.shapes import Shape
    from tokharness.model import Cause

    Shows = Callable[[Rendered, Rendered], bool]

CODE = "TOK518"
NAME = "renderers-differ"

MOST_ERRORS = 16
"""Errors of a renderer with a finding each; an error may quote the conversation."""

MOST_AGAIN = 400
"""Conversations that a renderer is asked again."""

MOST_CHANGED = 8
"""Hostile texts that are changed, of which the smallest is looked for."""


def not_applicable(chat: Chat) -> str:
    """Return why the check has nothing to see, or ""."""
    return "" if chat.others else "no other renderer is compared; name one with --renderer NAME"


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each cause of each renderer."""
    for other in chat.others:
        if other.refusal is not None:
            yield _not_loaded(chat, other, other.refusal)
            continue
        comparison = _Comparison(chat, other)
        yield from comparison.failures()
        yield from comparison.beyond()
        varies = comparison.varies()
        yield from comparison.texts() if varies is None else [varies]
        yield from of_ids(chat, other, comparison.all)


def _not_loaded(chat: Chat, other: OtherRenderer, refusal: Rendered) -> Problem:
    words, line = error_of(refusal), refusal.line
    place = f" in line {line}" if line else ""
    message = f"{other.shown} cannot parse the template{place}, and renders nothing: {words}"
    cause = cause_for(other, "does not parse", f"{words}{place}", Verdict.RISK, message)
    lines = chat.template.source.splitlines()
    shown = {"template": lines[line - 1].strip()[:200]} if 0 < line <= len(lines) else {}
    return Problem(cause, None, {"raised": words, **({"line": line} if line else {}), **shown})


class _Comparison:
    """What one renderer makes of all conversations, next to the reference."""

    def __init__(self, chat: Chat, other: OtherRenderer) -> None:
        self._chat, self._other = chat, other
        rows: list[tuple[Shape, Conversation, dict[str, str]]] = [
            (shape, asked(one, prompt=prompt), {})
            for shape, one in chat.all
            for prompt in (False, True)
        ]
        rows += [] if chat.is_given else with_hostile_texts(chat.all)
        results = chat.compared([with_texts(one, texts) for _, one, texts in rows], other)
        self.all = [
            Difference(*row, given, expected)
            for row, (expected, given) in zip(rows, results, strict=True)
        ]
        different = [row for row in self.all if is_different(row.given, row.expected)]
        self._different = sorted(different, key=lambda row: row.distance)

    def varies(self) -> Problem | None:
        """Return a problem if the renderer, started again, has another text of a conversation.

        The conversations that differ are asked in the other order. No other text of such a renderer
        has a known cause.
        """
        rows = [row for row in self._different if row.given.text is not None][:MOST_AGAIN][::-1]
        if not rows:
            return None
        with OtherRenderer(self._other.name) as again:
            again.load(self._chat.template.source, self._chat.renderer.variables)
            rendered = next(row for row in reversed(self.all) if row.given.text is not None)
            asked_for = [rendered, *rows]  # what differed as the first one is the second
            _, *results = again.render_all(
                self._chat.request(row.conversation, NOW) for row in asked_for
            )
        pairs = [
            (row, result.text)
            for row, result in zip(rows, results, strict=True)
            if result.text is not None and result.text != row.given.text
        ]
        if not pairs:
            return None
        row, text = min(pairs, key=lambda pair: pair[0].distance)
        message = (
            f"{self._other.shown} has another text of the same conversation when it is started "
            "again and asked in another order"
        )
        cause = cause_for(self._other, "not repeatable", "", verdict_of([row]), message)
        evidence = differing(row.given.text or "", text)
        return Problem(cause, row.conversation, evidence, names_of([one for one, _ in pairs]))

    def failures(self) -> Iterator[Problem]:
        """Yield a problem for each error of the renderer where the reference has none."""
        rows = [row for row in self._different if row.given.text is None]
        groups = _grouped(rows, lambda row: error_of(row.given))
        for words, group in [*groups.items()][:MOST_ERRORS]:
            verdict = verdict_of([row for row in group if row.expected.text is not None])
            message = f"{self._other.shown} fails where transformers renders: {words}"
            cause = cause_for(self._other, "fails", words, verdict, message)

            def shows(given: Rendered, expected: Rendered, words: str = words) -> bool:
                is_it = given.text is None and error_of(given) == words
                return is_it and is_different(given, expected)

            lines = sorted({row.given.line for row in group} - {0})
            yield self._problem(
                cause, group, shows, {"lines of the template": lines} if lines else {}
            )
        if rest := [*groups.values()][MOST_ERRORS:]:
            words = f"{len(rest)} other errors"
            message = f"{self._other.shown} fails where transformers renders with {words}"
            group = [row for group in rest for row in group]
            cause = cause_for(self._other, "fails", words, verdict_of(group), message)
            one = group[0].conversation
            yield Problem(cause, one, self._evidence({}, one), names_of(group))
        untried = sum(row.given.failure == "not tried" for row in self.all)
        if untried:
            message = f"{untried} conversations were not compared, as others exceeded a limit"
            yield Problem(cause_for(self._other, "not compared", "", Verdict.FACT, message))

    def beyond(self) -> Iterator[Problem]:
        """Yield a problem for each error of the reference where the renderer has none."""
        rows = [
            row
            for row in self._different
            if row.expected.text is None and row.given.text is not None
        ]
        keys = _grouped(rows, lambda row: (row.expected.failure, error_of(row.expected)))
        for (failure, words), group in keys.items():
            is_refusal = failure == "refusal"
            kind = "renders what the template refuses" if is_refusal else "renders nevertheless"
            verdict = verdict_of(group) if is_refusal else Verdict.FACT
            message = f"{self._other.shown} renders what transformers does not: {words}"
            cause = cause_for(self._other, kind, words, verdict, message)

            def shows(
                given: Rendered, expected: Rendered, key: Hashable = (failure, words)
            ) -> bool:
                known = (expected.failure, error_of(expected))
                return given.text is not None and expected.text is None and known == key

            yield self._problem(cause, group, shows, {"raised by transformers": words})

    def texts(self) -> Iterator[Problem]:
        """Yield a problem for each cause of another text."""
        rows = [
            row
            for row in self._different
            if row.given.text is not None and row.expected.text is not None
        ]
        alike = [
            (row.conversation, row.given.text)
            for row in self.all
            if row.given.text is not None and row.given.text == row.expected.text
        ]
        explanations = explain(self._chat, self._other, rows, alike)
        by_name: dict[str, list[tuple[Difference, Names]]] = {}
        unknown = []
        for number, row in enumerate(rows):
            names = explanations.of[number]
            unknown += [] if names else [row]
            for name in names:
                by_name.setdefault(name, []).append((row, names))
        for name, pairs in by_name.items():
            yield self._explained(name, pairs)
        yield from self._unexplained(unknown, explanations.candidates)

    def _explained(self, name: str, pairs: Sequence[tuple[Difference, Names]]) -> Problem:
        fewest = min(len(names) for _, names in pairs)
        row, names = next(pair for pair in pairs if len(pair[1]) == fewest)
        group = [row, *(other for other, _ in pairs if other is not row)]
        message = f"{self._other.shown}: {ALTERATIONS[name].message}"
        cause = cause_for(self._other, name, "", verdict_of(group), message)
        less = tuple(one for one in names if one != name)

        def shows(one: Conversation) -> bool:
            ((expected, given),) = self._chat.compared([one], self._other)
            whole, part = self._chat.altered([(one, names), (one, less)])
            is_whole = given.text is not None and given.text == whole.text != expected.text
            return is_whole and part.text != whole.text

        def evidence_of(one: Conversation) -> dict[str, Any]:
            """Return what this cause makes of the text, with the other causes in both."""
            whole, part = self._chat.altered([(one, names), (one, less)])
            return differing(whole.text or "", part.text or "")

        one = with_texts(row.plain, with_less(row.plain, row.texts, shows))
        return Problem(cause, one, evidence_of(one), names_of(group), shows, evidence_of)

    def _unexplained(self, rows: Sequence[Difference], known: Sequence[Names]) -> Iterator[Problem]:
        plain = [row for row in rows if not row.texts]
        shown = {row.shape.name for row in plain}
        for (kind, what), group in _grouped(plain, lambda row: place_of(row).key).items():
            message = f"{self._other.shown} has another text: {kind}, {what}"
            cause = cause_for(self._other, kind, what, verdict_of(group), message)

            def place(
                one: Conversation, key: Hashable = (kind, what), first: Difference = group[0]
            ) -> Place | None:
                row = self._at(first, one)
                is_it = row is not None and self._is_unknown(one, row, known)
                found = place_of(row) if row is not None and is_it else None
                return found if found is not None and found.key == key else None

            def evidence_of(
                one: Conversation, place: Callable[..., Place | None] = place
            ) -> dict[str, Any]:
                found = place(one)
                return {"given": found.given, "expected": found.expected} if found else {}

            def shows(one: Conversation, place: Callable[..., Place | None] = place) -> bool:
                return place(one) is not None

            one = group[0].conversation
            yield Problem(cause, one, evidence_of(one), names_of(group), shows, evidence_of)
        changed = [row for row in rows if row.texts and row.shape.name not in shown]
        yield from self._changed(changed, known, is_empty=any("empty" in name for name in shown))

    def _changed(
        self, rows: Sequence[Difference], known: Sequence[Names], *, is_empty: bool
    ) -> Iterator[Problem]:
        """Yield a problem for each field whose hostile texts are changed, with some of them.

        ``is_empty`` says that empty contents are reported already.
        """
        found: dict[str, list[tuple[Difference, str, Conversation]]] = {}
        rest = list(rows)
        for _ in range(MOST_CHANGED):
            if not rest:
                break
            row = rest[0]
            shows = partial(self._is_changed, row, known)
            texts = with_less(row.plain, row.texts, shows)
            fields = fields_of(row.plain.messages, row.plain.options)
            what = next((one.what for one in fields if one.mark in texts), "a text")
            text = next(iter(texts.values()), "")
            if text or not is_empty:
                found.setdefault(what, []).append((row, text, with_texts(row.plain, texts)))
            rest = [row for row in rest[1:] if text not in row.texts.values()]
        for what, changed in found.items():
            message = f"{self._other.shown} has another text where hostile texts are in: {what}"
            verdict = verdict_of([row for row, _, _ in changed])
            cause = cause_for(self._other, "a text is changed", what, verdict, message)
            row, _, one = changed[0]
            smallest = [text for _, text, _ in changed]
            evidence_of = partial(self._evidence, {"texts": smallest})
            shows = partial(self._is_of_text, row, known, changed[0][1])
            shows = shows if shows(one) else partial(self._is_changed, row, known)
            yield Problem(cause, one, evidence_of(one), (row.shape.name,), shows, evidence_of)

    def _is_changed(self, row: Difference, known: Sequence[Names], one: Conversation) -> bool:
        found = self._at(row, one)
        return found is not None and self._is_unknown(one, found, known)

    def _is_of_text(
        self, row: Difference, known: Sequence[Names], text: str, one: Conversation
    ) -> bool:
        """Whether a conversation differs, and does not with a word in the place of a text."""
        plain = replace(one, messages=tuple(_without(list(one.messages), text)))
        plain = replace(plain, options=_without(dict(one.options), text))
        is_it = plain != one and self._is_changed(row, known, one)
        return is_it and not self._is_changed(row, known, plain)

    def _at(self, row: Difference, one: Conversation) -> Difference | None:
        """Return the difference of a conversation whose texts both renderers have, or None."""
        ((expected, given),) = self._chat.compared([one], self._other)
        if None in (given.text, expected.text) or given.text == expected.text:
            return None
        return Difference(row.shape, one, {}, given, expected)

    def _is_unknown(self, one: Conversation, row: Difference, known: Sequence[Names]) -> bool:
        rows = self._chat.altered([(one, names) for names in known])
        return all(result.text != row.given.text for result in rows)

    def _problem(
        self, cause: Cause, group: Sequence[Difference], shows: Shows, evidence: dict[str, Any]
    ) -> Problem:
        def shows_it(one: Conversation) -> bool:
            ((expected, given),) = self._chat.compared([one], self._other)
            return shows(given, expected)

        return self._shrunk(cause, group, shows_it, evidence)

    def _shrunk(
        self,
        cause: Cause,
        group: Sequence[Difference],
        shows: Callable[[Conversation], bool],
        evidence: dict[str, Any],
    ) -> Problem:
        row = group[0]
        one = with_texts(row.plain, with_less(row.plain, row.texts, shows))
        evidence_of = partial(self._evidence, evidence)
        return Problem(cause, one, evidence_of(one), names_of(group), shows, evidence_of)

    def _evidence(self, more: Mapping[str, Any], one: Conversation) -> dict[str, Any]:
        """Return both results, from a little before the first difference on."""
        ((expected, given),) = self._chat.compared([one], self._other)
        ours = (
            f"({expected.failure}: {expected.message})" if expected.text is None else expected.text
        )
        theirs = f"({given.failure}: {given.message})" if given.text is None else given.text
        if None in (expected.text, given.text):
            return {"given": theirs[:200], "expected": ours[:200], **more}
        return {**differing(theirs, ours), **more}


def _grouped(
    rows: Sequence[Difference], key: Callable[[Difference], Any]
) -> dict[Any, list[Difference]]:
    groups: dict[Any, list[Difference]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def _without(value: Any, text: str) -> Any:
    """Return plain data with a word in the place of a text."""
    if isinstance(value, str):
        return value.replace(text, "word") if text else value or "word"
    if isinstance(value, dict):
        return {key: _without(item, text) if key != "role" else item for key, item in value.items()}
    return [_without(item, text) for item in value] if isinstance(value, list | tuple) else value
