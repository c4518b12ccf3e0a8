r"""A pattern as an automaton over classes of characters, with the character that follows a match.

A pattern cuts a text at its matches, each of which begins where the last one ended. The automaton
reads one character after the other, with all ways to match that are left, in the order in which a
backtracking engine prefers them (Thompson 1968; Cox 2009, "Regular Expression Matching: the Virtual
Machine Approach"). There are few such states, so all texts can be looked at.

A condition on the next character, such as ``(?!\S)``, is kept with a way until this character is
read. A look-behind, a back reference, a condition on more than one character, a match without a
character, and an atomic group of more than one character have no automaton here.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeAlias

import regex

from tokharness_tokenizers.reach.pattern_syntax import Alternatives, Condition, Repeat, parse
from tokharness_tokenizers.seams.partition import Partition, spans_of_atom

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness_tokenizers.reach.pattern_syntax import Node

MATCH = 0
"""The place of a program at which a match is complete."""

MOST_STATES = 4000
MOST_MOVED = 32
"""Characters of which a match may not end, and is still looked for."""

Threads: TypeAlias = "tuple[tuple[int, int], ...]"
"""The ways to match that are left, the preferred first: a place of the program, and the classes of
the next character with which it counts, as bits; the highest bit is the end of the text."""


class NoAutomatonError(Exception):
    """A pattern has a construct for which there is no automaton."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A place of a program: it takes a character of some classes, or goes on at other places.

    ``allowed`` are the classes of the next character; nothing is known if one is ``refused``.
    """

    takes: int = 0
    allowed: int = -1
    refused: int = 0
    targets: tuple[int, ...] = ()


@dataclass(frozen=True)
class PatternAutomaton:
    """A pattern.

    Attributes:
        partition: The classes of characters that the pattern distinguishes.
        program: The steps; the first is the end of a match.
        start: Where a match begins.

    """

    partition: Partition = field(repr=False)
    program: tuple[_Step, ...] = field(repr=False)
    start: int

    @cached_property
    def end(self) -> int:
        """The symbol of the end of a text."""
        return self.partition.size

    @cached_property
    def beginning(self) -> Threads:
        """The state before the first character of a match.

        Raises:
            NoAutomatonError: a match may be empty.

        """
        threads = self._closure((self.start,))
        if any(place == MATCH for place, _ in threads):
            raise NoAutomatonError("a match may be empty")
        return threads

    def _closure(self, places: tuple[int, ...]) -> Threads:
        """Follow the steps that take no character."""
        everything = (1 << (self.end + 1)) - 1
        found: list[tuple[int, int]] = []
        seen: dict[int, list[int]] = {}
        pending = [(place, everything) for place in reversed(places)]
        while pending:
            place, allowed = pending.pop()
            step = self.program[place]
            if allowed & step.refused:
                raise NoAutomatonError("a condition on two characters")
            allowed &= step.allowed
            if not allowed or any(allowed & ~other == 0 for other in seen.get(place, ())):
                continue
            seen.setdefault(place, []).append(allowed)
            if place == MATCH or step.takes:
                found.append((place, allowed))
                if place == MATCH and allowed == everything:
                    break  # no way after this one is ever preferred
            else:
                pending += [(target, allowed) for target in reversed(step.targets)]
        return tuple(found)

    def step(self, threads: Threads, symbol: int) -> tuple[bool, Threads]:
        """Read a symbol; return whether a match ends before it, and the ways that are preferred."""
        left: list[int] = []
        for place, allowed in threads:
            if not allowed >> symbol & 1:
                continue
            if place == MATCH:
                return True, self._closure(tuple(left))
            if symbol != self.end and self.program[place].takes >> symbol & 1:
                left += self.program[place].targets
        return False, self._closure(tuple(left))

    @cached_property
    def _states(self) -> set[tuple[Threads, int, bool]]:
        """All states, each with the last class, and whether a match was found before.

        Raises:
            NoAutomatonError: there are too many.

        """
        found: set[tuple[Threads, int, bool]] = set()
        pending = deque([(self.beginning, False)])
        while pending:
            threads, has_match = pending.popleft()
            for symbol in range(self.end):
                ends, left = self.step(threads, symbol)
                state = (left, symbol, has_match or ends)
                if state not in found:
                    found.add(state)
                    if left:
                        pending.append((left, has_match or ends))
                if len(found) > MOST_STATES * self.end:
                    raise NoAutomatonError("the pattern has too many states")
        return found

    @cached_property
    def cuts(self) -> list[list[bool]]:
        """Whether the matches of a text are its own also before another text.

        By the class of the last character of the text, and of the first character after it. False
        means that a match of some text that ends so may go on, or may end earlier.
        """
        rows = [[True] * self.end for _ in range(self.end)]
        for threads, last, _ in self._states:
            ends_here, _ = self.step(threads, self.end)
            for symbol in range(self.end):
                ends, left = self.step(threads, symbol)
                if left or ends is not ends_here:
                    rows[last][symbol] = False
        return rows

    @cached_property
    def is_total(self) -> bool:
        """Whether there is a match at every place of every text."""
        for threads, _, has_match in self._states:
            if not has_match and not self.step(threads, self.end)[0]:
                return False
        return True

    @cached_property
    def most_undecided(self) -> int | None:
        """The most matches at the end of a text that more text may change; None if not known."""
        most = 0
        seen: set[tuple[Threads, bool, Threads]] = set()
        pending: deque[tuple[Threads, bool, Threads]] = deque([(self.beginning, False, ())])
        while pending:
            threads, has_match, inner = pending.popleft()
            for symbol in range(self.end):
                ends, left = self.step(threads, symbol)
                # The inner state reads what is behind the last match, as a text of its own.
                behind = self.step(self.beginning if ends else inner, symbol)[1]
                state = (left, has_match or ends, behind if has_match or ends else ())
                if state in seen:
                    continue
                seen.add(state)
                if len(seen) > MOST_STATES:
                    return None
                if left:
                    pending.append(state)
                    if self._is_undecided(left):
                        count = self._count(state)
                        if count is None:
                            return None
                        most = max(most, count)
        return most

    def _count(self, state: tuple[Threads, bool, Threads]) -> int | None:
        """Return how many matches are in the text of a state that ends here."""
        threads, has_match, inner = state
        if self.step(threads, self.end)[0]:
            return 1
        return 2 if has_match and self.step(inner, self.end)[0] else None

    @cached_property
    def most_moved(self) -> int | None:
        r"""The most characters by which the end of the last match moves back if more text follows.

        None if there is no such number, as for ``\s*[\r\n]+`` on a line feed and spaces.
        """
        most = 0
        seen: set[tuple[Threads, int]] = set()
        pending: deque[tuple[Threads, int]] = deque([(self.beginning, -1)])
        while pending:
            threads, since = pending.popleft()  # characters since a match was found; -1 before
            for symbol in range(self.end):
                ends, left = self.step(threads, symbol)
                now = 1 if ends else since + (since >= 0)
                if now > MOST_MOVED or len(seen) > MOST_STATES:
                    return None
                if left and (left, now) not in seen:
                    seen.add((left, now))
                    pending.append((left, now))
                    most = max(most, now)
        return most

    def _is_undecided(self, threads: Threads) -> bool:
        at_end, _ = self.step(threads, self.end)
        steps = (self.step(threads, symbol) for symbol in range(self.end))
        return any(left or ends is not at_end for ends, left in steps)


@lru_cache(maxsize=32)
def automaton_of(
    expression: str, flags: int, standins: tuple[tuple[int, int], ...] = ()
) -> PatternAutomaton:
    """Return the automaton of an expression of ``regex``.

    Args:
        expression: The expression.
        flags: Its flags.
        standins: Code points that are matched as others are.

    Raises:
        NoAutomatonError: there is none.

    """
    try:
        root = parse(expression, nested=bool(flags & regex.VERSION1))
    except ValueError as error:
        raise NoAutomatonError(str(error)) from None
    atoms: dict[str, int] = {}
    _collect(root, atoms)
    if flags & regex.VERSION1 and any(atom.startswith("(?") and "i" in atom for atom in atoms):
        raise NoAutomatonError("several characters may be one in another case")
    sets = [spans_of_atom(atom, flags & (regex.VERSION0 | regex.VERSION1)) for atom in atoms]
    partition = Partition.of_sets(sets, dict(standins))
    classes = _classes_of(partition, sets, dict(standins))
    compiler = _Compiler(dict(zip(atoms, classes, strict=True)), partition)
    start = compiler.build(root, MATCH)
    return PatternAutomaton(partition, tuple(compiler.steps), start)


def _classes_of(
    partition: Partition, sets: list[tuple[tuple[int, int], ...]], standins: Mapping[int, int]
) -> list[int]:
    """Return the classes of each set, as bits."""
    points = [ord(char) for char in partition.representatives]
    points = [standins.get(point, point) for point in points]
    return [
        sum(
            1 << label
            for label, point in enumerate(points)
            if any(start <= point < end for start, end in spans)
        )
        for spans in sets
    ]


def _collect(node: Node, atoms: dict[str, int]) -> None:
    if isinstance(node, str):
        atoms.setdefault(node, len(atoms))
    elif isinstance(node, Repeat | Condition):
        _collect(node.inner, atoms)
    else:
        for one in node.branches if isinstance(node, Alternatives) else node:
            _collect(one, atoms)
    if isinstance(node, Condition) and node.kind == "$":
        atoms.setdefault(r"\n", len(atoms))


def _may_be_empty(node: Node) -> bool:
    if isinstance(node, str):
        return False
    if isinstance(node, Condition):
        return True
    if isinstance(node, Repeat):
        return node.least == 0 or _may_be_empty(node.inner)
    if isinstance(node, Alternatives):
        return any(map(_may_be_empty, node.branches))
    return all(map(_may_be_empty, node))


class _Compiler:
    """Writes the steps of nodes, each from its last to its first."""

    def __init__(self, classes: Mapping[str, int], partition: Partition) -> None:
        self.classes, self.size = classes, partition.size
        self.every = (1 << (self.size + 1)) - 1
        self.steps = [_Step()]

    def _add(self, step: _Step) -> int:
        self.steps.append(step)
        return len(self.steps) - 1

    def build(self, node: Node, after: int) -> int:
        """Add the steps of a node that goes on at a place; return where it begins."""
        if isinstance(node, str):
            return self._add(_Step(takes=self.classes[node], targets=(after,)))
        if isinstance(node, Condition):
            return self._condition(node, after)
        if isinstance(node, Alternatives):
            return self._add(_Step(targets=tuple(self.build(one, after) for one in node.branches)))
        if isinstance(node, Repeat):
            return self._repeat(node, after)
        for one in reversed(node):
            after = self.build(one, after)
        return after

    def _repeat(self, node: Repeat, after: int) -> int:
        ends = after
        if node.mode == "+" and (node.least, node.most) != (1, 1):
            ends = self._add(_Step(allowed=self.every & ~self._atom(node.inner), targets=(after,)))
        elif node.mode == "+" and not isinstance(_single(node.inner), str):
            raise NoAutomatonError("an atomic group of more than a character")
        if node.most is None:
            if _may_be_empty(node.inner):
                raise NoAutomatonError("a repeat of what may be empty")
            start = self._add(_Step())
            body = self.build(node.inner, start)
            self.steps[start] = _Step(targets=_ordered(body, ends, node.mode))
        else:
            start = after  # after the last time nothing more is taken
            for _ in range(node.most - node.least):
                body = self.build(node.inner, start)
                start = self._add(_Step(targets=_ordered(body, ends, node.mode)))
        for _ in range(node.least):
            start = self.build(node.inner, start)
        return start

    def _atom(self, node: Node) -> int:
        """Return the classes of a node that is one character."""
        single = _single(node)
        if isinstance(single, str):
            return self.classes[single]
        if isinstance(single, Alternatives):
            found = 0
            for one in single.branches:
                found |= self._atom(one)
            return found
        raise NoAutomatonError("a look-ahead or a possessive repeat of more than a character")

    def _condition(self, node: Condition, after: int) -> int:
        at_end, refused = 1 << self.size, 0
        if node.kind == "(?=":
            allowed = self._atom(node.inner)
        elif node.kind == "(?!":
            allowed = self.every & ~self._atom(node.inner)
        elif node.kind in (r"\Z", "$"):
            allowed = at_end
            if node.kind == "$":  # it also matches before a line feed at the end
                refused = self.classes[r"\n"]
        else:
            raise NoAutomatonError(f"the condition {node.kind}")
        return self._add(_Step(allowed=allowed, refused=refused, targets=(after,)))


def _ordered(body: int, ends: int, mode: str) -> tuple[int, int]:
    return (ends, body) if mode == "?" else (body, ends)


def _single(node: Node) -> Node:
    while isinstance(node, tuple) and len(node) == 1:
        node = node[0]
    return node
