"""Texts that are cut before any stage: next to a class, after a length, or in long runs."""

from __future__ import annotations

from itertools import chain, groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.limited_pretokens import LIMITS, LIMITS_OF_LONG, UNITS, chunks
from tokharness_tokenizers.reference.pattern_alterations import MOST_WORK, classes

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_CUT_WORK: Final = 16 * MOST_WORK
"""Most different characters, next to which a text is cut, times all its characters."""


def cut_texts(text: str, *, bounded: bool = True) -> Iterator[tuple[str, list[str]]]:
    """Yield each way to cut a text behind or before a class of characters, and its parts.

    A program that encodes a text in parts cuts it before any pattern is applied, so that a
    pre-token begins at each cut. A long text with many characters has no way, if it is bounded.
    """
    chars = dict.fromkeys(text)
    if bounded and len(chars) * len(text) > MOST_CUT_WORK:
        return
    for name in dict.fromkeys(name for char in chars for name in classes(char)):
        members = {char for char in chars if name in classes(char)}
        for where, offset in (("behind", 1), ("before", 0)):
            places = (at + offset for at, char in enumerate(text) if char in members)
            edges = [0, *(at for at in places if 0 < at < len(text)), len(text)]
            if len(edges) > 2:
                parts = [text[start:end] for start, end in pairwise(edges)]
                yield f"each text is cut {where} {name}", parts
    for limit in LIMITS:
        for unit, size in UNITS:
            if size(text) > limit:
                yield f"each text is cut after {limit:,} {unit}", chunks(text, limit, size)
    yield from _cut_runs(text)


def _cut_runs(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each way to cut long runs of a class in a text, and the parts of the text."""
    classes_of = {char: _run_classes(char) for char in dict.fromkeys(text)}
    for name in dict.fromkeys(chain.from_iterable(classes_of.values())):
        marked = ((name in classes_of[char], char) for char in text)
        runs = [
            (is_of_class, "".join(char for _, char in run))
            for is_of_class, run in groupby(marked, itemgetter(0))
        ]
        longest = max(len(run) for is_of_class, run in runs if is_of_class)
        for limit in (limit for limit in LIMITS_OF_LONG if limit <= longest):
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
            for how, parts in (
                (f"behind each {limit:,} of {name} in a row", behind),
                (f"around each {limit:,} of {name} in a row", around),
                (f"at each place behind {limit:,} of {name} in a row", each),
            ):
                if len(found := list(filter(None, parts))) > 1:
                    yield f"each text is cut {how}", found


def _run_classes(char: str) -> tuple[str, ...]:
    """Return the names of the classes whose runs are cut, the narrowest class first."""
    is_word = char.isalnum() or char == "_"
    return (*classes(char), *(["word characters"] if is_word else []))
