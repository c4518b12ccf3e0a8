"""Hostile texts: what renderers are compared on, and what shows how a template changes it."""

from __future__ import annotations

import functools
import re
from collections import Counter
from dataclasses import dataclass, replace
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


# Texts around a mark, which show what a template changes.

CUT, WITH = "a text is cut that has", "a text with "
READ = "the syntax of Jinja is dropped"


@dataclass(frozen=True, slots=True)
class Probe:
    """A text around a mark, and what is said of it if it is not in the rendering as it is.

    ``dropped`` is said if ``sign`` is gone and nothing else stands in its place; if ``sign`` is "",
    whatever was changed.
    """

    before: str
    after: str
    subject: str
    dropped: str = "is dropped"
    sign: str = ""
    is_text: bool = True

    def of(self, mark: str) -> str:
        """Return the text around a mark."""
        return f"{self.before}{mark}{self.after}"

    def change(self, given: str, mark: str) -> str:
        """Return what became of the text around the mark."""
        wanted = self.of(mark)
        if mark not in given.lower():
            return f"{CUT} {self.subject.removeprefix(WITH)}"
        if Counter(_ESCAPE.findall(given)) - Counter(_ESCAPE.findall(wanted)):
            return f"{self.subject} is escaped"
        is_gone = self.sign not in given and (self is LONG or _is_left_of(given, wanted))
        return f"{self.subject} {self.dropped if is_gone or not self.sign else 'is changed'}"


def _is_left_of(given: str, wanted: str) -> bool:
    """Whether a text is what is left of another one if characters are deleted."""
    rest = iter(wanted)
    return all(char in rest for char in given)


_ESCAPE = re.compile(r"\\[\\\"'nrxu]|&(?:\w+|#\w+);|%[0-9A-F]{2}")

_AROUND = (
    Probe("  ", "", "white space before it", "is stripped", is_text=False),
    Probe("", "  ", "white space after it", "is stripped", is_text=False),
)
_LINES = (
    Probe("\n", "", "a line feed before it", "is stripped", is_text=False),
    Probe("", "\n", "a line feed after it", "is stripped", is_text=False),
)
"""What stands at the ends of a content; each is tried alone, as one hides the other."""

CASE = Probe("ABC\u0130", "", "the case of letters", sign="bc")
_WITHIN = (
    Probe("x\r\n", "\ry", "a line end of Windows", sign="\r"),
    Probe("x\n\n\n   \t", "  y", "white space inside", sign="   ", is_text=False),
    CASE,
    Probe("<b>&amp;'", "'</b>", "a character of HTML", sign="b"),
    Probe('"\\"', '"\\n', "a quote or a backslash", sign='"'),
    Probe("\u00e9\u4e2d\U0001f600", "x", "a character beyond ASCII", sign="x"),
    Probe("e\u0301\u212b\ufb01", "x", "a character with another normal form", sign="x"),
    Probe("x\u200b\u200d\ufeff\u00ad", "y", "an invisible character", sign="\u200b"),
    Probe("x\u202e\u2066", "\u2069\u202cy", "a bidirectional control", sign="\u202e"),
    Probe("x\U000e0041\ufe0f", "y", "a tag or a variation selector", sign="\U000e0041"),
    Probe("x\u2028\u0085\x0c", "y", "a line end of Unicode", sign="\u2028"),
    Probe("x\x00\x1b", "y", "a control character", sign="\x00"),
    Probe("x\ud800", "y", "a lone surrogate", sign="\ud800"),
    Probe("{0} {x.y}", " %s %d 5%", "a format of Python", sign="%"),
    Probe("before</think>", "", f"{WITH}</think>", "loses what is before it", "before"),
    Probe("", "<think>after", f"{WITH}<think>", "loses what is behind it", "after"),
    Probe("{{ 1 }}{% if 1 %}", "{# a #}", "the syntax of Jinja", sign="{{ 1 }}"),
)
"""What stands inside of a content, from the kinds of text that the families have."""

LONG = Probe("", " word" * 800 + " end", "a text of 4,000 characters", "is cut", sign=" end")

GENERAL = {
    "a line feed before it": "white space before it",
    "a line feed after it": "white space after it",
    f"{WITH}</think>": "a character of HTML",
    f"{WITH}<think>": "a character of HTML",
}
"""A change that another one explains: it is of the same characters."""

_MARKS = (Probe("...(", ")!.", "punctuation around it", "is stripped"),)

GROUPS = (_AROUND, _LINES, _MARKS, _WITHIN, (LONG,))
"""The probes; the texts of a group are first tried together."""
