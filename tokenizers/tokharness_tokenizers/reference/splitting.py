"""Split a text into pre-tokens, by a pattern and the Unicode version of its character classes.

The size of a pattern is counted before it is compiled. A repeat of a fixed number is compiled to
that number of copies: ``(a{1000}){1000}`` takes as much memory as a million characters, and a
pattern of a megabyte takes minutes.
"""

from __future__ import annotations

import functools
import re
from itertools import accumulate, chain, groupby
from typing import TYPE_CHECKING, Any, TypeAlias

import regex

from tokharness.unicode import versions
from tokharness_tokenizers.reference.patterns import ASCII_TWINS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


MOST_CHARACTERS = 1 << 14
"""Most characters of a pattern; the longest pattern in llama.cpp has 829."""

MOST_COPIES = 100_000
"""Most characters, classes and escapes of a pattern, counted with their copies."""

_PARTS = regex.compile(
    r"\\.|\[\^?\]?(?:[^\]\\]|\\.)*+\]|\{(?P<least>[0-9]+)(?:,[0-9]*)?\}|(?P<group>[()])|.",
    regex.DOTALL,
)


class LargeError(ValueError):
    """A value exceeds a bound; a library that gets it may take any time and memory, too."""


def refuse_large(pattern: str) -> None:
    """Raise LargeError if a pattern is too large to be compiled."""
    if len(pattern) > MOST_CHARACTERS:
        number = f"{len(pattern):,} characters, more than {MOST_CHARACTERS:,}"
        raise LargeError(f"the pattern has {number}: it begins with {pattern[:60]!r}")
    outer: list[int] = []
    size, last = 0, 0  # of the group that is open, and of the part before
    for part in _PARTS.finditer(pattern):
        if part["group"] == "(":
            outer.append(size)
            size = 0
        elif part["group"]:
            last, size = size, size + (outer.pop() if outer else 0)
        elif part["least"]:
            copies = max(int(part["least"].lstrip("0")[:9] or "0"), 1)
            size, last = size + last * (copies - 1), last * copies
        else:
            size, last = size + 1, 1
        if size > MOST_COPIES:
            raise LargeError(
                f"the pattern has more than {MOST_COPIES:,} parts, as its repeats are copied: "
                f"it begins with {pattern[:60]!r}"
            )


Splitter: TypeAlias = "Callable[[str], list[str]]"

# A long run of ASCII, or all text up to the next such run. Both end before a space, where patterns
# with a twin always split.
_RUNS = re.compile(
    r"[\x00-\x7f]{99,}(?:[!-~](?= )|\Z)|[\x00-\U0010ffff]+?(?:[!-~](?= [\x00-\x7f]{99})|\Z)"
)

_MIN_CHARACTERS = 200
"""Least length of a text for which searching for runs of ASCII saves time."""

_SURROGATE = re.compile("[\ud800-\udfff]")


@functools.lru_cache(maxsize=64)
def splitter(pattern: str, unicode_version: str) -> Splitter:
    """Return a function that splits a text into the pre-tokens of ``pattern``, in order.

    Text that the pattern does not match is left out, as in tiktoken. General categories come from
    ``unicode_version`` (``"16.0"``), whichever version the installed ``regex`` has.

    Raises:
        ValueError: the pattern does not compile, or the Unicode version is unknown.

    """
    compiled = _compile(pattern)
    find = _pin(compiled, versions.canonical(unicode_version))
    if pattern not in ASCII_TWINS:
        return find
    find_ascii: Splitter = re.compile(ASCII_TWINS[pattern], re.ASCII).findall

    def find_either(text: str) -> list[str]:
        return find_ascii(text) if text.isascii() else find(text)

    def split(text: str) -> list[str]:
        if text.isascii():
            return find_ascii(text)
        if len(text) < _MIN_CHARACTERS:
            return find(text)
        return list(chain.from_iterable(map(find_either, _RUNS.findall(text))))

    return split


def join_surrogates(text: str) -> str:
    """Join the surrogate pairs of a text and replace lone surrogates by U+FFFD, as tiktoken does.

    Python strings may hold surrogates, UTF-8 may not. UTF-16 decides which surrogates are pairs.
    """
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _compile(pattern: str) -> Any:
    refuse_large(pattern)
    try:
        return regex.compile(pattern, regex.VERSION0)
    except RecursionError:
        raise ValueError(f"the pre-token pattern is nested too deep: {pattern[:60]!r}...") from None
    except regex.error as error:
        message = f"the pre-token pattern does not compile ({error}): {pattern!r}"
        raise ValueError(message) from error


def _finder(compiled: Any) -> Splitter:
    if compiled.groups == 0:
        findall: Splitter = compiled.findall
        return findall
    # With groups, findall returns the groups and not the match.
    return lambda text: [match.group() for match in compiled.finditer(text)]


def _pin(compiled: Any, version: str) -> Splitter:
    find = _finder(compiled)
    points = versions.changed(version, versions.REGEX_VERSION)
    if not points:
        return find
    # A pattern takes a hundredth of the memory of a set of characters, and there is one a version.
    changed = re.compile(f"[{''.join(_ranges(points))}]")
    standin = versions.standin_of(version)

    def find_pinned(text: str) -> list[str]:
        if text.isascii() or not changed.search(text):
            return find(text)
        # Each stand-in is one character, so positions are the same in both texts.
        translated = changed.sub(lambda match: standin(match[0]), text)
        ends = list(accumulate(map(len, find(translated)), initial=0))
        if ends[-1] == len(text):
            return list(map(text.__getitem__, map(slice, ends, ends[1:])))
        spans = compiled.finditer(translated)  # the pattern leaves some of the text out
        return [text[match.start() : match.end()] for match in spans]

    return find_pinned


def _ranges(points: Sequence[int]) -> Iterator[str]:
    """Yield the runs of ordered code points as ranges of a character class."""
    for _, run in groupby(enumerate(points), key=lambda item: item[1] - item[0]):
        numbers = [point for _, point in run]
        yield f"\\U{numbers[0]:08x}-\\U{numbers[-1]:08x}"
