"""Read a regular expression into the characters that it matches, their order and their repeats."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Alternatives:
    """One of several branches."""

    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """An inner expression, repeated; ``most`` is None if there is no limit."""

    inner: Node
    least: int
    most: int | None
    mode: str = ""
    """"" greedy, "?" lazy, "+" possessive; an atomic group is repeated once, possessively."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A look-around or an anchor: it has no character, and may prevent a match.

    ``kind`` is the anchor, or what opens the look-around, such as ``(?!``.
    """

    kind: str
    inner: Node = ()


Node: TypeAlias = "str | tuple[Node, ...] | Alternatives | Repeat | Condition"
"""The expression of one character, nodes in a row, alternatives, a repeat, or a condition."""

MOST_TIMES = 64
"""Largest number of repetitions that is written out; a larger repeat has no graph."""

GROUP = re.compile(
    r"\((?P<look>\?<?[=!])|\(\?(?P<flags>[a-zA-Z0-9]*(?:-[a-z]+)?):"
    r"|\((?P<other>\?>|\?P?<[^\W\d]\w*>)?(?!\?)"
)
ANCHOR = re.compile(r"[$^]|\\[AzZbBGmM]")
ESCAPE = re.compile(
    r"\\(?:[pP]\{[^}]*\}|[pP]\w|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|N\{[^}]*\}"
    r"|0[0-7]{0,2}|[^0-9pPxuUNkgXKRL])"
)
COUNT = re.compile(r"[*+?]|\{(?=,?\d)(\d*)(,?)(\d*)\}")


def parse(expression: str, *, nested: bool = False) -> Node:
    """Parse an expression of ``regex``; sets are ``nested`` in its version 1.

    Raises:
        ValueError: it has a construct that is not made of single characters, such as a back
            reference.

    """
    reader = _Reader(expression, nested)
    node = reader.alternatives("")
    if reader.at < len(expression):
        raise ValueError(f"an unmatched parenthesis at {reader.at}")
    return node


class _Reader:
    def __init__(self, expression: str, nested: bool) -> None:
        self.expression, self.nested, self.at = expression, nested, 0

    def alternatives(self, flags: str) -> Node:
        branches = [self._branch(flags)]
        while self.expression.startswith("|", self.at):
            self.at += 1
            branches.append(self._branch(flags))
        return branches[0] if len(branches) == 1 else Alternatives(tuple(branches))

    def _branch(self, flags: str) -> Node:
        nodes: list[Node] = []
        while self.at < len(self.expression) and self.expression[self.at] not in "|)":
            nodes.append(self._repeated(self._atom(flags)))
        return tuple(nodes)

    def _atom(self, flags: str) -> Node:
        if anchor := ANCHOR.match(self.expression, self.at):
            self.at = anchor.end()
            return Condition(anchor[0])
        char = self.expression[self.at]
        if char == "(":
            return self._group(flags)
        if char == "[":
            atom = self._bracket()
        elif char == "\\":
            escape = ESCAPE.match(self.expression, self.at)
            if not escape:
                raise ValueError(f"an escape without a single character at {self.at}")
            atom = escape[0]
        else:
            atom = char
        self.at += len(atom)
        return f"(?{flags}:{atom})" if flags else atom

    def _group(self, flags: str) -> Node:
        opening = GROUP.match(self.expression, self.at)
        if not opening:
            raise ValueError(f"a group of an unknown kind at {self.at}")
        self.at = opening.end()
        inner = self.alternatives(_joined_flags(flags, opening["flags"] or ""))
        if not self.expression.startswith(")", self.at):
            raise ValueError("a group without an end")
        self.at += 1
        if opening["look"]:
            return Condition(f"({opening['look']}", inner)
        return Repeat(inner, 1, 1, "+") if opening["other"] == "?>" else inner

    def _bracket(self) -> str:
        """Return the set that begins here; sets may be nested."""
        depth, at = 0, self.at
        while at < len(self.expression):
            char = self.expression[at]
            if char == "\\":
                at += 1
            elif self.expression.startswith("[:", at) and depth:
                at = self.expression.index(":]", at) + 1
            elif char == "[" and (self.nested or not depth):
                depth += 1
                at += self.expression.startswith("^", at + 1)
                at += self.expression.startswith("]", at + 1)
            elif char == "]":
                depth -= 1
                if not depth:
                    return self.expression[self.at : at + 1]
            at += 1
        raise ValueError("a set without an end")

    def _repeated(self, node: Node) -> Node:
        while count := COUNT.match(self.expression, self.at):
            self.at = count.end()
            least, most = _times(count)
            if max(least, most or 0) > MOST_TIMES:
                raise ValueError(f"a repeat of more than {MOST_TIMES} times")
            mode = self.expression[self.at : self.at + 1]
            mode = mode if mode in ("?", "+") else ""
            node = Repeat(node, least, most, mode)
            self.at += len(mode)
        return node


def _times(count: re.Match[str]) -> tuple[int, int | None]:
    symbols = {"*": (0, None), "+": (1, None), "?": (0, 1)}
    if count[0] in symbols:
        return symbols[count[0]]
    least = int(count[1] or 0)
    if not count[2]:
        return least, least
    return least, int(count[3]) if count[3] else None


def _joined_flags(flags: str, new: str) -> str:
    if "-" in new:
        raise ValueError("flags that are switched off")
    return "".join(sorted({*flags, *new}))


def is_unconditional(node: Node) -> bool:
    """Whether an expression has no look-around and no anchor."""
    if isinstance(node, Condition | str):
        return isinstance(node, str)
    if isinstance(node, Repeat):
        return is_unconditional(node.inner)
    return all(map(is_unconditional, node.branches if isinstance(node, Alternatives) else node))
