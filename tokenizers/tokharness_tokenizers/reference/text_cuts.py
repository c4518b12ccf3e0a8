"""Texts that are cut before any stage: next to a class, after a length, or in long runs.

A program that reads a text line by line cuts it behind each line, and what a line is differs.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import chain, groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.limited_pretokens import LIMITS, LIMITS_OF_LONG, UNITS, chunks
from tokharness_tokenizers.reference.pattern_alterations import MOST_WORK, classes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping
    from collections.abc import Set as AbstractSet

MOST_CUT_WORK: Final = 16 * MOST_WORK
"""Most different characters, next to which a text is cut, times all its characters."""


def cut_texts(text: str, names: AbstractSet[str] | None = None) -> Iterator[tuple[str, list[str]]]:
    """Yield each way to cut a text behind or before a class of characters, and its parts.

    A program that encodes a text in parts cuts it before any pattern is applied, so that a
    pre-token begins at each cut. With ``names``, only the ways with these names are yielded;
    without, a long text with many characters has none.
    """
    classes_of = {char: _run_classes(char) for char in dict.fromkeys(text)}
    if names is None and len(classes_of) * len(text) > MOST_CUT_WORK:
        return
    for name in dict.fromkeys(name for char in classes_of for name in classes(char)):
        for where, offset in (("behind", 1), ("before", 0)):
            what = f"each text is cut {where} {name}"
            if names is not None and what not in names:
                continue
            places = (at + offset for at, char in enumerate(text) if name in classes_of[char])
            edges = [0, *(at for at in places if 0 < at < len(text)), len(text)]
            if len(edges) > 2:
                yield what, [text[start:end] for start, end in pairwise(edges)]
    for what, cut in (*LINES.items(), *_after_lengths(text)):
        if (names is None or what in names) and len(parts := cut(text)) > 1:
            yield what, parts
    yield from _cut_runs(text, classes_of, names)


def _after_lengths(text: str) -> Iterator[tuple[str, Callable[[str], list[str]]]]:
    for limit in LIMITS:
        for unit, size in UNITS:
            if size(text) > limit:
                what = f"each text is cut after {limit:,} {unit}"
                yield what, partial(chunks, limit=limit, size=size)


LINES: Final[Mapping[str, Callable[[str], list[str]]]] = {
    "each text is cut behind U+000A": re.compile(r"[^\n]*\n|[^\n]+").findall,
    "each text is cut behind U+000A, U+000D, or both": re.compile(
        r"[^\r\n]*(?:\r\n|[\r\n])|[^\r\n]+"
    ).findall,
    "each text is cut as Python's splitlines does": partial(str.splitlines, keepends=True),
}
"""Ways to cut a text into lines, which keep their ends."""

RUN_CUTS: Final = (
    "each text is cut behind each {:,} of {} in a row",
    "each text is cut around each {:,} of {} in a row",
    "each text is cut at each place behind {:,} of {} in a row",
)


def _cut_runs(
    text: str, classes_of: Mapping[str, Collection[str]], names: AbstractSet[str] | None
) -> Iterator[tuple[str, list[str]]]:
    """Yield each way to cut long runs of a class in a text, and the parts of the text."""
    for name in dict.fromkeys(chain.from_iterable(classes_of.values())):
        cuts_at = {limit: [cut.format(limit, name) for cut in RUN_CUTS] for limit in LIMITS_OF_LONG}
        if names is not None and names.isdisjoint(chain.from_iterable(cuts_at.values())):
            continue
        marked = ((name in classes_of[char], char) for char in text)
        runs = [
            (is_of_class, "".join(char for _, char in run))
            for is_of_class, run in groupby(marked, itemgetter(0))
        ]
        longest = max(len(run) for is_of_class, run in runs if is_of_class)
        for limit, cuts in cuts_at.items():
            if limit > longest or (names is not None and names.isdisjoint(cuts)):
                continue
            behind, around, each = [""], [""], [""]
            for is_of_class, run in runs:
                for part in chunks(run, limit, len) if is_of_class else [run]:
                    is_whole = is_of_class and len(part) == limit
                    behind[-1] += part
                    behind += [""] * is_whole
                    around[-1:] = [around[-1], part, ""] if is_whole else [around[-1] + part]
                head = limit if is_of_class else len(run)
                each[-1] += run[:head]
                each += run[head:]
            for what, parts in zip(cuts, (behind, around, each), strict=True):
                found = list(filter(None, parts))
                if len(found) > 1 and (names is None or what in names):
                    yield what, found


def _run_classes(char: str) -> tuple[str, ...]:
    """Return the names of the classes whose runs are cut, the narrowest class first."""
    is_word = char.isalnum() or char == "_"
    return (*classes(char), *(["word characters"] if is_word else []))
