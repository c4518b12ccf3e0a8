"""What the syntax tree of a template shows, as plain data: its texts, names, and lost assignments.

A template is a stranger's program, and its tree may be deep: this module runs in a worker process
only.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from jinja2 import nodes
from jinja2.defaults import DEFAULT_NAMESPACE

from tokharness.conversations.environment import parsed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GLOBALS = frozenset((*DEFAULT_NAMESPACE, "raise_exception", "strftime_now", "loop", "caller"))
"""Names that Jinja and loaders define in each template."""

_WRITTEN: dict[type[nodes.Node], tuple[str, ...]] = {
    nodes.Getitem: ("node",),
    nodes.Filter: ("node",),
    nodes.Call: ("node",),
    nodes.Pair: ("value",),
    nodes.CondExpr: ("expr1", "expr2"),
}
"""The parts of a node whose texts a template may write, where they are not all."""

STRIPS = ("strip", "lstrip", "rstrip", "trim")

SCOPES = (nodes.For, nodes.Macro, nodes.CallBlock, nodes.FilterBlock, nodes.With)
"""Nodes in which an assignment is gone where they end; ``if`` is none."""


def syntax_digest(source: str) -> str:
    """Return a digest of the syntax tree of a template, 16 hex digits.

    Comments and white space inside of tags make no difference; text does. Raises
    TemplateSyntaxError of Jinja, or RecursionError for a tree that is too deep.
    """
    return digest_of(tree_of(source))


def digest_of(tree: nodes.Node) -> str:
    """Return 16 hex digits of a part of a syntax tree."""
    return hashlib.sha256(repr(tree).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def tree_of(source: str) -> nodes.Template:
    """Return the syntax tree of a template, in which a comment does not split a text."""
    tree = parsed(source)
    for output in tree.find_all(nodes.Output):
        output.nodes = _without_borders(output.nodes)
    return tree


def _without_borders(rows: list[nodes.Expr]) -> list[nodes.Expr]:
    """Return the parts of an output, in which a comment does not split a text."""
    whole: list[nodes.Expr] = []
    for row in rows:
        last = whole[-1] if whole else None
        if isinstance(row, nodes.TemplateData) and isinstance(last, nodes.TemplateData):
            whole[-1] = nodes.TemplateData(last.data + row.data, lineno=last.lineno)
        else:
            whole.append(row)
    return whole


def facts_of(tree: nodes.Template) -> dict[str, Any]:
    """Return what a tree shows, as plain data; each row ends with a line.

    ``texts`` are the texts that it may write, ``reads`` the names that it reads and does not set,
    and whether it calls them, ``sets`` the names that it sets, ``strips`` the characters that a
    method strips, and ``lost`` the names whose value is gone where a loop ends, with the line of
    the assignment, and whether they have a value from before it. ``replaced`` are the names that a
    loop sets in the place of those of a namespace.
    """
    walk = _Walk()
    walk.node(tree)
    sets = {one.name for one in walk.names if one.is_set}
    asked = set(_asked_for(tree))
    rows = [
        (one.name, one.is_called, one.line)
        for one in walk.names
        if not one.is_set and one.name not in GLOBALS | sets | asked
    ]
    return {
        "texts": list(_texts(tree)),
        "sets": sorted(sets),
        "reads": [list(row) for row in {row[:2]: row for row in reversed(rows)}.values()],
        "strips": list(_strips(tree)),
        "lost": [row for row in _lost(walk.names) if row[3] or row[0] not in asked],
        "replaced": list(_for_namespace(tree, walk.names)),
    }


def _asked_for(tree: nodes.Node) -> Iterator[str]:
    """Yield names that may be undefined: the template asks, or gives a default."""
    for test in tree.find_all(nodes.Test):
        if test.name in ("defined", "undefined") and isinstance(test.node, nodes.Name):
            yield test.node.name
    for default in tree.find_all(nodes.Filter):
        if default.name in ("default", "d") and isinstance(default.node, nodes.Name):
            yield default.node.name


def _texts(tree: nodes.Node) -> Iterator[tuple[str, int]]:
    """Yield the texts of a template in their order, but keys and what contents are compared with.

    Such texts stand in comparisons, tests, subscripts and arguments.
    """
    if isinstance(tree, nodes.TemplateData):
        yield tree.data, tree.lineno
    elif isinstance(tree, nodes.Const):
        if isinstance(tree.value, str):
            yield tree.value, tree.lineno
    elif not isinstance(tree, nodes.Compare | nodes.Test):
        kept = _WRITTEN.get(type(tree))
        for one in tree.iter_child_nodes(only=kept):
            yield from _texts(one)


def _strips(tree: nodes.Node) -> Iterator[tuple[str, str, int]]:
    """Yield the methods that strip the characters of a text, the text, and the line."""
    calls = [(getattr(one.node, "attr", ""), one.args, one) for one in tree.find_all(nodes.Call)]
    filters = [(one.name, one.args, one) for one in tree.find_all(nodes.Filter)]
    for name, args, one in (*calls, *filters):
        text = args[0].value if args and isinstance(args[0], nodes.Const) else None
        if name in STRIPS and isinstance(text, str):
            yield name, text, one.lineno


@dataclass(frozen=True, slots=True)
class _Use:
    """A name that is set or read, in which scopes: the number of each, and whether it is a loop.

    ``is_constant`` says of a name that is set whether its value is a constant, or an empty list.
    """

    name: str
    line: int
    scopes: tuple[tuple[int, bool], ...]
    is_set: bool = False
    is_called: bool = False
    is_constant: bool = False


@dataclass(slots=True)
class _Walk:
    """The names of a tree in the order in which they are evaluated."""

    names: list[_Use] = field(default_factory=list)
    scopes: tuple[tuple[int, bool], ...] = ()
    count: int = 0

    def node(self, node: nodes.Node, *, is_called: bool = False) -> None:
        """Walk through a node."""
        if isinstance(node, nodes.Name):
            is_set = node.ctx != "load"
            self.names.append(_Use(node.name, node.lineno, self.scopes, is_set, is_called))
        elif isinstance(node, nodes.Assign | nodes.AssignBlock):
            self._all([node.node if isinstance(node, nodes.Assign) else None, *_body(node)])
            before = len(self.names)
            self.node(node.target)
            if isinstance(node, nodes.Assign) and _is_constant(node.node):
                self.names[before:] = [
                    replace(one, is_constant=True) for one in self.names[before:]
                ]
        elif isinstance(node, nodes.For):
            self.node(node.iter)
            self._scope([node.target, node.test, *node.body], is_loop=True)
            self._scope(node.else_, is_loop=False)
        elif isinstance(node, nodes.Macro):
            self.names.append(_Use(node.name, node.lineno, self.scopes, is_set=True))
            self._scope([*node.args, *node.defaults, *node.body], is_loop=False)
        elif isinstance(node, nodes.Call):
            self.node(node.node, is_called=True)
            self._all([*node.args, *node.kwargs, node.dyn_args, node.dyn_kwargs])
        elif isinstance(node, SCOPES):
            self._scope(list(node.iter_child_nodes()), is_loop=False)
        else:
            self._all(list(node.iter_child_nodes()))

    def _all(self, rows: Sequence[nodes.Node | None]) -> None:
        for one in rows:
            if one is not None:
                self.node(one)

    def _scope(self, rows: Sequence[nodes.Node | None], *, is_loop: bool) -> None:
        outer, self.count = self.scopes, self.count + 1
        self.scopes = (*outer, (self.count, is_loop))
        self._all(rows)
        self.scopes = outer


def _is_constant(value: nodes.Node) -> bool:
    is_empty = isinstance(value, nodes.List | nodes.Dict) and not value.items
    return is_empty or isinstance(value, nodes.Const)


def _body(node: nodes.Node) -> list[nodes.Node | None]:
    return [node.filter, *node.body] if isinstance(node, nodes.AssignBlock) else []


def _lost(names: list[_Use]) -> Iterator[tuple[str, int, int, bool]]:
    """Yield the names that a loop sets and that are read behind it, or in the next round.

    There they have the value from before the loop, if one was set in the scope around it. A round
    reads the value of the last one if it reads the name before it sets it, and not after. With
    each the line that reads it, the line that sets it, and whether there is a value from before.
    """
    seen = set()
    for place, one in enumerate(names):
        loops = [i for i, (_, is_loop) in enumerate(one.scopes) if is_loop]
        if not one.is_set or not loops or one.name in seen:
            continue
        outer, inner = one.scopes[: loops[-1]], one.scopes[: loops[-1] + 1]
        same = [(i, use) for i, use in enumerate(names) if use.name == one.name]
        before = [use for i, use in same if i < place and use.is_set]
        values = [use for use in before if outer[: len(use.scopes)] == use.scopes]
        has_value = bool(values)
        inside = [(i, use) for i, use in same if use.scopes[: len(inner)] == inner]
        last = inside[-1][0]
        behind = next((u for i, u in same if i > last and outer[: len(u.scopes)] == u.scopes), None)
        first = inside[0][1]
        is_read_later = any(i > place and not u.is_set for i, u in inside)
        is_chosen = len(values) > 1 or any(not use.is_constant for use in values)
        if is_chosen and first.is_set and is_read_later:
            continue  # a name of the loop's own, which it has for each round, and one around it
        is_read_first = has_value and not first.is_set and not is_read_later
        read = behind if behind is not None and not behind.is_set else None
        if read is not None or is_read_first:
            seen.add(one.name)
            yield one.name, (read or first).line, one.line, has_value


def _for_namespace(tree: nodes.Node, names: list[_Use]) -> Iterator[tuple[str, str, int]]:
    """Yield the names that a loop sets and nothing reads, while a namespace has one that is read.

    With each the namespace and the line.
    """
    spaces = {
        one.target.name
        for one in tree.find_all(nodes.Assign)
        if isinstance(one.target, nodes.Name)
        and isinstance(one.node, nodes.Call)
        and getattr(one.node.node, "name", "") == "namespace"
    }
    kept = {
        one.attr: one.node.name
        for one in tree.find_all(nodes.Getattr)
        if isinstance(one.node, nodes.Name) and one.node.name in spaces
    }
    of_loops = {
        one.name
        for loop in tree.find_all(nodes.For)
        for one in (loop.target, *loop.target.find_all(nodes.Name))
        if isinstance(one, nodes.Name)
    }
    read = {one.name for one in names if not one.is_set} | of_loops
    for one in names:
        in_loop = any(is_loop for _, is_loop in one.scopes)
        if one.is_set and in_loop and one.name in kept and one.name not in read:
            yield one.name, kept[one.name], one.line
