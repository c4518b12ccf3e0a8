"""Find the matches of a text or a pattern, replace them, or split at them, as Hugging Face does.

A pattern is in the dialect of :mod:`~.oniguruma`. The matches are as in ``find_iter`` of the crate
``onig``: an empty match right after another match is left out, and the next search begins after the
character that follows an empty match. Therefore "" and "|a" find the same empty matches, while
``re`` finds an "a" after each of them. An empty text has no matches, not even empty matches.

Classes belong to a Unicode version: Oniguruma has 14.0 in ``tokenizers`` 0.20.3, and 16.0 in
0.23.3. Version 1.0.0rc3 has another dialect, of the crate ``fancy-regex``.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from tokharness_tokenizers.reference.compiled_pattern import compiled

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness_tokenizers.reference.aligned import Span

Find: TypeAlias = "Callable[[str], list[Span]]"
"""Returns the spans of all matches in a text, in order."""

Substitute: TypeAlias = "Callable[[str], str]"
"""Returns a text with all matches replaced."""

Pieces: TypeAlias = "Callable[[str], list[str]]"
"""Returns all pieces of a text: the matches, and the text between them (behavior ``Isolated``)."""


def find_text(text: str) -> Find:
    """Return a function that finds a literal text; "" is found like an empty pattern."""
    if not text:
        return find_pattern("")
    size = len(text)

    def find(content: str) -> list[Span]:
        spans = []
        at = content.find(text)
        while at >= 0:
            spans.append((at, at + size))
            at = content.find(text, at + size)
        return spans

    return find


def find_pattern(pattern: str, version: str | None = None) -> Find:
    """Return a function that finds a pattern, with the classes of a Unicode version.

    Raises:
        ValueError: the pattern is wrong or has no faithful translation, or the version is unknown.

    """
    return compiled(pattern, version).find


def substitute_text(text: str, content: str) -> Substitute:
    """Return a function that replaces a literal text."""
    if not text:
        return substitute_pattern("", content)
    return lambda old: old.replace(text, content)


def substitute_pattern(pattern: str, content: str, version: str | None = None) -> Substitute:
    """Return a function that replaces a pattern by a content without references to groups.

    Raises:
        ValueError: as :func:`find_pattern`.

    """
    matcher = compiled(pattern, version)
    template = content.replace("\\", r"\\")

    def substitute(text: str) -> str:
        engine = matcher.engine(text)
        if engine is None:
            return _replaced(text, matcher.find(text), content)
        return str(engine.sub(template, text))

    return substitute


def pieces_of_text(text: str) -> Pieces:
    """Return a function that splits at a literal text, and keeps it."""
    find = find_text(text)
    return lambda content: _pieces(content, find(content))


def pieces_of_pattern(pattern: str, version: str | None = None) -> Pieces:
    """Return a function that splits at the matches of a pattern, and keeps them.

    Raises:
        ValueError: as :func:`find_pattern`.

    """
    matcher = compiled(pattern, version)

    def pieces(text: str) -> list[str]:
        found = matcher.pieces(text)
        return _pieces(text, matcher.find(text)) if found is None else found

    return pieces


def _pieces(text: str, spans: list[Span]) -> list[str]:
    ends = [0, *chain.from_iterable(spans), len(text)]
    return list(filter(None, map(text.__getitem__, map(slice, ends, ends[1:]))))


def _replaced(text: str, spans: list[Span], content: str) -> str:
    ends = [0, *chain.from_iterable(spans), len(text)]
    return content.join(map(text.__getitem__, map(slice, ends[::2], ends[1::2])))
