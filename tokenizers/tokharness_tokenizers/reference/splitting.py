"""Cutting a text into pre-tokens, by a pattern and the Unicode version its classes are read at."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any, TypeAlias

import regex

from tokharness.unicode import versions
from tokharness_tokenizers.reference.patterns import ASCII_TWINS

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Splitter", "joined_surrogates", "splitter"]

Splitter: TypeAlias = "Callable[[str], list[str]]"

_SURROGATE = re.compile("[\ud800-\udfff]")


@functools.lru_cache(maxsize=64)
def splitter(pattern: str, unicode_version: str) -> Splitter:
    """Return the function that cuts a text into the pre-tokens of ``pattern``, in order.

    Text that the pattern does not match is left out, as tiktoken does. General categories are
    those of ``unicode_version`` (``"16.0"``), whatever version the installed ``regex`` has.
    Raises ValueError for a pattern that does not compile or a Unicode version without data.
    """
    compiled = _compiled(pattern)
    find = _finder(compiled)
    find_ascii = find
    if pattern in ASCII_TWINS:
        find_ascii = re.compile(ASCII_TWINS[pattern], re.ASCII).findall
    table = _standins(unicode_version)
    changed = frozenset(map(chr, table))

    def split(text: str) -> list[str]:
        return find_ascii(text) if text.isascii() else find(text)

    def split_pinned(text: str) -> list[str]:
        if text.isascii():
            return find_ascii(text)
        if changed.isdisjoint(text):
            return find(text)
        # A stand-in is one character too, so what is cut off it is cut off the text.
        spans = compiled.finditer(text.translate(table))
        return [text[match.start() : match.end()] for match in spans]

    return split_pinned if changed else split


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


def _standins(unicode_version: str) -> dict[int, int]:
    version = versions.canonical(unicode_version)
    base = versions.REGEX_VERSION
    return {} if version == base else versions.standins(version, base)
