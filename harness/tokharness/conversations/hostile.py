"""Hostile texts: what renderers are compared on, and what shows how a template changes it."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.conversations.shapes import fields_of, filled
from tokharness.model import TargetFacts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokharness.conversations.chat import Conversation
    from tokharness.conversations.shapes import Shape

NAMES = (
    "one round, and a user",
    "system and user",
    "user part",
    "reasoning, a call and reasoning",
    "result of JSON",
)
"""Shapes whose texts become hostile ones."""

SPACES = (
    *(*"\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0", "\u1680", "\u180e", "\u2003", "\u200b", "\u2028"),
    *("\u2029", "\u202f", "\u205f", "\u2060", "\u3000", "\ufeff", "\r\n", "\n\n", " "),
)
"""White space of Python, of Unicode and of JavaScript, and what is none in some of them."""

INSIDE = (
    *("", "<think>", "</think>", "a<b>&c'd\"e", "\\", '"', "'\"", "{{ 1 }}", "{% x %}", "{# x #}"),
    *("\x00", "\x1b", "\x7f", "\U0001f600", "e\u0301", "\u00e9\u4e2d", "\u0130", "\u1e9e"),
    *("\u00df", "\ufb01", "\u212b", "\ufffd", "\uffff", "\U0010ffff", "x\u202ey"),
    *("None", "null", "true", "0", "1.0", "[]", "{}", "a\n\n\nb", "  a", "<|im_end|>", "[/INST]"),
)

EACH, STEP, LONGEST = 160, 80, 40
"""Cases of each family: every eightieth of the first ones, if it is no longer than this."""


SURROGATES = re.compile("[\ud800-\udfff]")
"""Lone surrogates are not tried: a pipe of JSON joins them, and many languages have none."""


@functools.cache
def texts() -> tuple[str, ...]:
    """Return hostile texts: white space around a word, curated ones, and some of each family."""
    around = [text for one in SPACES for text in (f"{one}a", f"a{one}", f"a{one}b")]
    return (*dict.fromkeys([*around, *INSIDE, *_of_families()]),)


def _of_families() -> Iterator[str]:
    for family in plugins.families().values():
        if family.exhaustive:  # such as all code points, which take seconds to list
            continue
        cases = islice(family.cases(TargetFacts()), 0, EACH, STEP)
        found = (one.text for one in cases if len(one.text) <= LONGEST)
        yield from (text for text in found if not SURROGATES.search(text))


def with_hostile_texts(
    rows: Sequence[tuple[Shape, Conversation]],
) -> Iterator[tuple[Shape, Conversation, dict[str, str]]]:
    """Yield conversations with hostile texts for their marks, each field with each text once."""
    known = texts()
    for shape, one in rows:
        if shape.name in NAMES:
            marks = [*dict.fromkeys(field.mark for field in fields_of(one.messages, one.options))]
            for start in range(len(known)):
                given = {mark: known[(start + i) % len(known)] for i, mark in enumerate(marks)}
                yield shape, one, given


def with_texts(one: Conversation, given: Mapping[str, str]) -> Conversation:
    """Return a conversation with other texts for marks."""
    if not given:
        return one
    messages = tuple(filled(list(one.messages), given))
    return replace(one, messages=messages, options=filled(dict(one.options), given))


def with_less(
    one: Conversation, given: Mapping[str, str], shows: Callable[[Conversation], bool]
) -> dict[str, str]:
    """Return the fewest and shortest texts for marks with which a conversation still shows it."""
    if shows(one):
        return {}
    for mark, text in given.items():
        if shows(with_texts(one, {mark: text})):
            return {mark: _shortest(one, mark, text, shows)}
    return dict(given)


def _shortest(
    conversation: Conversation, mark: str, text: str, shows: Callable[[Conversation], bool]
) -> str:
    """Return a text without the characters that are not needed."""
    for one in dict.fromkeys(text):
        if shows(with_texts(conversation, {mark: one})):
            return one
    place = 0
    while place < len(text):
        less = text[:place] + text[place + 1 :]
        if shows(with_texts(conversation, {mark: less})):
            text = less
        else:
            place += 1
    return text
