"""The patterns of the references as automata."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from tokharness.unicode import versions
from tokharness_tokenizers.reach.pattern_syntax import Repeat, parse
from tokharness_tokenizers.seams.pattern_automaton import (
    NoAutomatonError,
    PatternAutomaton,
    automaton_of,
)

if TYPE_CHECKING:
    from tokharness_tokenizers.reach.pattern_syntax import Node
    from tokharness_tokenizers.reference.compiled_pattern import CompiledPattern

__all__ = [
    "VERSIONS",
    "NoAutomatonError",
    "automaton_of_matcher",
    "automaton_of_pattern",
    "class_of_matcher",
    "only",
]

VERSIONS = regex.VERSION0 | regex.VERSION1


def automaton_of_pattern(pattern: str, version: str | None) -> PatternAutomaton:
    """Return the automaton of a pattern of tiktoken, at a Unicode version.

    Raises:
        NoAutomatonError: there is none.

    """
    table: dict[int, int] = {}
    if version is not None and version != versions.REGEX_VERSION:
        table = versions.standins(version, versions.REGEX_VERSION)
    return automaton_of(pattern, regex.VERSION0, tuple(table.items()))


def automaton_of_matcher(matcher: CompiledPattern) -> PatternAutomaton:
    """Return the automaton of a pattern of Oniguruma.

    Raises:
        NoAutomatonError: there is none.

    """
    if matcher.has_groups:
        raise NoAutomatonError("a back reference")
    return automaton_of(matcher.full.pattern, matcher.full.flags, tuple(matcher.table.items()))


def class_of_matcher(matcher: CompiledPattern) -> tuple[str, bool] | None:
    """Return the expression of the one class of a pattern, and whether it takes all of a run.

    None for any other pattern, and for classes of another Unicode version.
    """
    if matcher.table or matcher.has_groups:
        return None
    try:
        node = only(parse(matcher.full.pattern, nested=bool(matcher.full.flags & regex.VERSION1)))
    except ValueError:
        return None
    is_run = isinstance(node, Repeat) and (node.least, node.most) == (1, None) and node.mode != "?"
    if isinstance(node, Repeat) and is_run:
        node = only(node.inner)
    return (node, is_run) if isinstance(node, str) else None


def only(node: Node) -> Node:
    """Return the node that a row of a single node stands for."""
    while isinstance(node, tuple) and len(node) == 1:
        node = node[0]
    return node
