"""Cutting a text into pre-tokens, by a pattern and the Unicode version its classes are read at."""

from __future__ import annotations

import functools
import re
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any, TypeAlias

import regex

from tokharness.unicode import versions
from tokharness_tokenizers.reference.patterns import ASCII_TWINS

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Splitter", "joined_surrogates", "splitter"]

Splitter: TypeAlias = "Callable[[str], list[str]]"

# A long stretch of ASCII, and all up to the next one. Both end before a space, where patterns with
# a twin cut whatever stands around.
_STRETCHES = re.compile(
    r"[\x00-\x7f]{99,}(?:[!-~](?= )|\Z)|[\x00-\U0010ffff]+?(?:[!-~](?= [\x00-\x7f]{99})|\Z)"
)

_WORTH_IT = 200
"""Characters from which looking for stretches of ASCII costs less than it saves."""

_SURROGATE = re.compile("[\ud800-\udfff]")


@functools.lru_cache(maxsize=64)
def splitter(pattern: str, unicode_version: str) -> Splitter:
    """Return the function that cuts a text into the pre-tokens of ``pattern``, in order.

    Text that the pattern does not match is left out, as tiktoken does. General categories are
    those of ``unicode_version`` (``"16.0"``), whatever version the installed ``regex`` has.
    Raises ValueError for a pattern that does not compile or a Unicode version without data.
    """
    compiled = _compiled(pattern)
    find = _pinned(compiled, _standins(unicode_version))
    if pattern not in ASCII_TWINS:
        return find
    find_ascii: Splitter = re.compile(ASCII_TWINS[pattern], re.ASCII).findall

    def find_either(text: str) -> list[str]:
        return find_ascii(text) if text.isascii() else find(text)

    def split(text: str) -> list[str]:
        if text.isascii():
            return find_ascii(text)
        if len(text) < _WORTH_IT:
            return find(text)
        return list(chain.from_iterable(map(find_either, _STRETCHES.findall(text))))

    return split


def joined_surrogates(text: str) -> str:
    """Join the surrogate pairs of a text and put U+FFFD for each lone surrogate, as tiktoken does.

    Python strings may hold surrogates, UTF-8 may not; reading the text as UTF-16 decides.
    """
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _compiled(pattern: str) -> Any:
    try:
        return regex.compile(pattern, regex.VERSION0)
    except regex.error as error:
        message = f"the pre-token pattern does not compile ({error}): {pattern!r}"
        raise ValueError(message) from error


def _finder(compiled: Any) -> Splitter:
    if compiled.groups == 0:
        findall: Splitter = compiled.findall
        return findall
    # With groups, findall gives the groups and not the match.
    return lambda text: [match.group() for match in compiled.finditer(text)]


def _pinned(compiled: Any, table: dict[int, int]) -> Splitter:
    find = _finder(compiled)
    if not table:
        return find
    changed = frozenset(map(chr, table))

    def find_pinned(text: str) -> list[str]:
        if text.isascii() or changed.isdisjoint(text):
            return find(text)
        # A stand-in is one character too, so what is cut off it is cut off the text.
        disguised = text.translate(table)
        ends = list(accumulate(map(len, find(disguised)), initial=0))
        if ends[-1] == len(text):
            return list(map(text.__getitem__, map(slice, ends, ends[1:])))
        spans = compiled.finditer(disguised)  # the pattern leaves some of the text out
        return [text[match.start() : match.end()] for match in spans]

    return find_pinned


def _standins(unicode_version: str) -> dict[int, int]:
    version = versions.canonical(unicode_version)
    base = versions.REGEX_VERSION
    return {} if version == base else versions.standins(version, base)
