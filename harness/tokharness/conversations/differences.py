"""Where another renderer differs from the reference, and why.

The reference is altered in one place at a time (:mod:`~tokharness.conversations.alterations`). An
alteration with which it gives exactly the text of the other renderer explains the difference; of
those that explain the same, the ones that explain most are taken.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import combinations
from typing import TYPE_CHECKING

from tokharness.conversations.alterations import ALTERATIONS
from tokharness.conversations.excerpts import common, differing, excerpt
from tokharness.conversations.hostile import with_texts
from tokharness.conversations.other_renderers import OtherRenderer
from tokharness.conversations.rendering import NOW, Renderer, Request
from tokharness.conversations.shapes import MARKS, fields_of
from tokharness.conversations.turns import WORD
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.conversations.chat import Chat, Conversation
    from tokharness.conversations.rendering import Rendered
    from tokharness.conversations.shapes import Shape

Names = tuple[str, ...]
"""Names of alterations."""

SAMPLE, MOST_TOGETHER, MOST_RELEVANT = 32, 3, 8
"""Differences of a round for which all alterations are tried, and how many of them together."""

MOST_WORDS = 24
"""Characters of the words of a template that differ, in a cause."""

MOST_GAP = 2_000
"""Characters between two texts that are compared, from the first difference on."""

WORDS = re.compile(rf"{WORD.pattern}|\w+|\s|.")
"""The parts of a text that a difference consists of."""

UNKNOWN_LIMITS = ("time limit", "memory limit", "death", "not tried")


@dataclass(frozen=True, slots=True)
class Difference:
    """A conversation that two renderers do not render alike.

    Attributes:
        shape: Its shape.
        plain: The conversation with marks for texts.
        texts: The hostile texts for some of the marks.
        given: What the other renderer makes of it.
        expected: What the reference makes of it.

    """

    shape: Shape
    plain: Conversation
    texts: Mapping[str, str]
    given: Rendered
    expected: Rendered

    @property
    def conversation(self) -> Conversation:
        """The conversation that both renderers got."""
        return with_texts(self.plain, self.texts)

    @property
    def distance(self) -> tuple[bool, bool, int]:
        """How far it is from a small conversation that clients send."""
        return not self.is_promised, bool(self.texts), len(self.plain.as_json)

    @property
    def is_promised(self) -> bool:
        """Whether clients send it and no loader changes it first."""
        return self.shape.is_permitted and not self.shape.is_converted


def is_different(given: Rendered, expected: Rendered) -> bool:
    """Whether two results differ: in the text, or in that the words of a refusal are lost."""
    if expected.failure in UNKNOWN_LIMITS or given.failure == "not tried":
        return False
    if given.text is None and expected.text is None:
        is_lost = expected.message not in given.message
        return expected.failure == "refusal" != given.failure and is_lost
    return given.text != expected.text


def error_of(result: Rendered) -> str:
    """Return what an exception says, without places and texts of the conversation."""
    words = MARKS.sub("TEXT", " ".join(result.message.split()))
    words = re.sub(r" \(in \S+:\d+\)", "", words)
    words = re.sub(r"position \d+(-\d+)?", "a position", words)
    words = re.sub(r"'(\\\\?u[0-9a-f]{4}|\\\\?x[0-9a-f]{2})+'", "a character", words)
    return (words or result.failure)[:120]


def cause_for(other: OtherRenderer, kind: str, words: str, verdict: Verdict, message: str) -> Cause:
    """Return a cause of differences of a renderer; ``words`` say what differs, or are ""."""
    parameters = (("renderer", other.name), *([("what", words)] if words else []))
    return Cause(kind, parameters, verdict, message)


def verdict_of(rows: Sequence[Difference]) -> Verdict:
    """Return the verdict of differences: a fact if clients send none of the conversations."""
    return Verdict.RISK if any(row.is_promised for row in rows) else Verdict.FACT


def names_of(rows: Sequence[Difference]) -> tuple[str, ...]:
    """Return the names of the shapes of differences."""
    return tuple(dict.fromkeys(row.shape.name for row in rows))


# Which alterations explain differences of texts.


@dataclass
class Explanations:
    """The sets of alterations that explain differences.

    Attributes:
        of: By the number of a difference, the alterations that together explain it; no names if
            none do.
        candidates: All sets that explain some difference.

    """

    of: dict[int, Names] = field(default_factory=dict)
    candidates: list[Names] = field(default_factory=list)


def explain(
    chat: Chat,
    other: OtherRenderer,
    rows: Sequence[Difference],
    alike: Sequence[tuple[Conversation, str]] = (),
) -> Explanations:
    """Return what explains the differences of texts, with as few alterations as possible.

    An alteration that changes the text of one of the conversations that both renderers render
    ``alike`` is not what the other renderer does. Nor is one of the environment if an engine shows
    by a template of one line that it does not do this.
    """
    rest = set(range(len(rows)))
    explained: dict[Names, set[int]] = {}
    refuted: dict[str, bool] = {}
    while rest:
        numbers = sorted(rest)[:: max(1, len(rest) // SAMPLE)][:SAMPLE]
        found = [one for sets in _sets_of(chat, [rows[i] for i in numbers]) for one in sets]
        for name in (name for names in found for name in names if name not in refuted):
            refuted[name] = _is_refuted(chat, name, alike) or _shows_otherwise(other, name)
        new = [one for one in found if one not in explained and not any(map(refuted.get, one))]
        if not new:
            break
        rest -= set(numbers)
        for names in dict.fromkeys(new):
            explained[names] = _explained(chat, rows, names)
            rest -= explained[names]
    return Explanations(_fewest(explained, len(rows)), list(explained))


def _is_refuted(chat: Chat, name: str, alike: Sequence[tuple[Conversation, str]]) -> bool:
    results = chat.altered([(one, (name,)) for one, _ in alike])
    return any(result.text != text for result, (_, text) in zip(results, alike, strict=True))


def _shows_otherwise(other: OtherRenderer, name: str) -> bool:
    """Whether an engine renders the probe of an alteration as the reference does, unaltered.

    A renderer that takes no template renders it in neither way, and shows nothing.
    """
    alteration = ALTERATIONS[name]
    if not alteration.probe:
        return False
    messages = [{"role": "user", "content": content} for content in alteration.contents]
    request = Request(messages, {}, NOW)
    with Renderer() as reference, OtherRenderer(other.name) as alone:
        reference.load(alteration.probe, {})
        alone.load(alteration.probe, {})
        (given,) = alone.render_all([request])
        return given.text is not None and given.text == reference.render(request).text


def _explained(chat: Chat, rows: Sequence[Difference], names: Names) -> set[int]:
    results = chat.altered([(row.conversation, names) for row in rows])
    return {
        number
        for number, (row, result) in enumerate(zip(rows, results, strict=True))
        if result.text == row.given.text
    }


def _sets_of(chat: Chat, rows: Sequence[Difference]) -> list[list[Names]]:
    """Return the smallest sets of alterations that explain each difference."""
    asked = [[(row.conversation, (name,)) for name in _applicable(row)] for row in rows]
    results = iter(chat.altered([one for group in asked for one in group]))
    found: list[list[Names]] = []
    for row, group in zip(rows, asked, strict=True):
        texts: dict[Names, str | None] = {names: next(results).text for _, names in group}
        single = [names for names, text in texts.items() if text == row.given.text]
        relevant = [
            names[0]
            for names, text in texts.items()
            if text is not None and text != row.expected.text
        ]
        found.append(single or _together(chat, row, relevant[:MOST_RELEVANT]))
    return found


def _applicable(row: Difference) -> list[str]:
    """Return the alterations that may change what becomes of a conversation."""
    roles = {message.get("role") for message in row.plain.messages}
    return [name for name, one in ALTERATIONS.items() if not one.role or one.role in roles]


def _together(chat: Chat, row: Difference, relevant: Sequence[str]) -> list[Names]:
    for size in range(2, MOST_TOGETHER + 1):
        sets = list(combinations(relevant, size))
        results = chat.altered([(row.conversation, names) for names in sets])
        if found := [
            names
            for names, result in zip(sets, results, strict=True)
            if result.text == row.given.text
        ]:
            return found
    return []


def _fewest(explained: Mapping[Names, set[int]], number: int) -> dict[int, Names]:
    """Return a set for each difference: the smallest, and of these the one that explains most."""
    of: dict[int, Names] = dict.fromkeys(range(number), ())
    rest = set(of)
    order = list(ALTERATIONS)
    for size in sorted({len(names) for names in explained}):
        sets = [names for names in explained if len(names) == size]
        while True:
            counts = {names: len(explained[names] & rest) for names in sets}
            best = min(
                sets, key=lambda names: (-counts[names], [order.index(one) for one in names])
            )
            if not counts[best]:
                break
            for one in explained[best] & rest:
                of[one] = best
            rest -= explained[best]
    return of


# Differences that no alteration explains: where they are.


@dataclass(frozen=True, slots=True)
class Place:
    """Where two texts differ: what is different, of which text, and both texts around it."""

    kind: str
    what: str
    given: str
    expected: str

    @property
    def key(self) -> tuple[str, str]:
        """What two places of the same cause share."""
        return self.kind, self.what


def place_of(row: Difference) -> Place:
    """Return where the texts of a conversation, which are marks, are lost or added.

    If all of them are there, it is where the words next to them differ.
    """
    given, expected = row.given.text or "", row.expected.text or ""
    fields = fields_of(row.plain.messages, row.plain.options)
    what = {one.mark: one.what for one in fields}
    theirs, ours = MARKS.findall(given), MARKS.findall(expected)
    for kind, rest, text in (
        ("a text is lost", Counter(ours) - Counter(theirs), expected),
        ("a text is added", Counter(theirs) - Counter(ours), given),
    ):
        if rest:
            mark = next(iter(rest))
            shown = excerpt(text, text.index(mark))
            pair = (given[-48:], shown) if text is expected else (shown, expected[-48:])
            return Place(kind, what.get(mark, "text"), *pair)
    if theirs != ours:
        mark = next(one for one, other in zip(ours, theirs, strict=True) if one != other)
        theirs_, ours_ = (excerpt(text, text.index(mark)) for text in (given, expected))
        return Place("texts in another order", what.get(mark, "text"), theirs_, ours_)
    gaps = zip(MARKS.split(given), MARKS.split(expected), strict=True)
    one, other = next((one, other) for one, other in gaps if one != other)
    words = " in the place of ".join(json.dumps(text[:MOST_WORDS]) for text in _edit(one, other))
    return Place("other words", words, *differing(given, expected).values())


def _edit(one: str, other: str) -> tuple[str, str]:
    """Return what the first has in the place of what of the second, where they differ first."""
    place = common(one, other)
    found = next((row for row in WORDS.finditer(one) if row.end() > place), None)
    start = min(place, place if found is None else found.start())
    theirs, ours = (
        [found.group() for found in WORDS.finditer(text[start : start + MOST_GAP])]
        for text in (one, other)
    )
    matcher = SequenceMatcher(None, theirs, ours, autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "equal":
            return "".join(theirs[i:j]), "".join(ours[k:m])
    return one[start:], other[start:]
