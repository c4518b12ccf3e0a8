"""A template as a row of statements, so that two templates can be compared in parts.

How a template is written makes no difference: ``{{ 'a' + x }}`` is what ``a{{ x }}`` is, and a long
text is a statement a line. A template is a stranger's program, and its tree may be deep: this
module runs in a worker process only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import nodes

from tokharness.conversations.known_templates import ELSE, END, TEXT, Statement, digest_of, part_of
from tokharness.conversations.syntax import GLOBALS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_STATEMENTS = 4_000
"""Most statements of a template that are compared; a real one has less than 700."""

KINDS: dict[type[nodes.Node], str] = {
    nodes.If: "a condition",
    nodes.For: "a loop",
    nodes.Macro: "a macro",
    nodes.Assign: "an assignment",
    nodes.AssignBlock: "an assignment",
    nodes.CallBlock: "a block",
    nodes.FilterBlock: "a block",
}
OUTPUT, FURTHER, OTHER = "an output", "an elif", "a statement"


def statements_of(tree: nodes.Template) -> list[Statement]:
    """Return the statements of a template, whose tree is changed; none if there are too many."""
    rows = list(_in_body(tree.body))
    return rows if len(rows) <= MOST_STATEMENTS else []


def _in_body(body: Sequence[nodes.Node]) -> Iterator[Statement]:
    parts: list[nodes.Node] = []
    for node in body:
        if isinstance(node, nodes.Output):
            parts += [part for one in node.nodes for part in _parts(one)]
            continue
        yield from _written(parts)
        parts = []
        yield from _in_node(node)
    yield from _written(parts)


def _parts(node: nodes.Node) -> list[nodes.Node]:
    """Return what a chain of ``+`` or ``~`` writes, part by part."""
    if isinstance(node, nodes.Concat):
        return [part for one in node.nodes for part in _parts(one)]
    if isinstance(node, nodes.Add):
        return [*_parts(node.left), *_parts(node.right)]
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        return [nodes.TemplateData(node.value, lineno=node.lineno)]
    return [node]


def _written(parts: Sequence[nodes.Node]) -> Iterator[Statement]:
    """Yield what is written; texts next to each other are one, and then one a line."""
    text, start = "", 0
    for node in (*parts, None):
        if isinstance(node, nodes.TemplateData):
            start = start if text else node.lineno
            text += node.data
            continue
        for number, line in enumerate(text.splitlines(keepends=True)):
            yield _statement(TEXT, nodes.Const(line), start + number, text=line)
        text = ""
        if node is not None:
            yield _statement(OUTPUT, node, node.lineno)


def _in_node(node: nodes.Node) -> Iterator[Statement]:
    kind = KINDS.get(type(node), OTHER)
    shown, names, body, further, otherwise = _block(node)
    head = _statement(kind, shown, node.lineno, names)
    yield head
    if kind == OTHER or isinstance(node, nodes.Assign):
        return
    rows = list(_in_body(body))
    for one in further:
        rows += [_statement(FURTHER, one.test, one.lineno), *_in_body(one.body)]
    if otherwise:
        rows.append(Statement(ELSE, part_of(ELSE, head.digest), otherwise[0].lineno))
        rows += _in_body(otherwise)
    yield from rows
    yield Statement(END + kind, part_of(END, head.digest), rows[-1].line if rows else head.line)


def _block(
    node: nodes.Node,
) -> tuple[nodes.Node, tuple[str, ...], list[nodes.Node], list[nodes.If], list[nodes.Node]]:
    """Return what begins a block, its name, its body, and what stands in its elif and its else."""
    if isinstance(node, nodes.If):
        return node.test, (), node.body, node.elif_, node.else_
    if isinstance(node, nodes.For):
        shown = nodes.List([node.target, node.iter, *([node.test] if node.test else [])])
        return shown, (), node.body, [], node.else_
    if isinstance(node, nodes.Macro):
        return nodes.List([*node.args, *node.defaults]), (node.name,), node.body, [], []
    if isinstance(node, nodes.CallBlock | nodes.FilterBlock | nodes.AssignBlock):
        body, node.body = node.body, []
        return node, (), body, [], []
    return node, (), [], [], []


def _statement(
    kind: str, node: nodes.Node, line: int, names: tuple[str, ...] = (), text: str = ""
) -> Statement:
    shown = nodes.List([nodes.Const(kind), *map(nodes.Const, names), node])
    found = dict.fromkeys((*names, *_names(node)))
    return Statement(kind, digest_of(repr(shown)), line, tuple(found), text)


def _names(node: nodes.Node) -> Iterator[str]:
    """Yield the names of variables, with attributes and keys, in the order in which they stand."""
    path = _path(node)
    if path and path not in GLOBALS:
        yield path
    while path and isinstance(node, nodes.Getattr | nodes.Getitem):
        yield from _names(node.arg) if isinstance(node, nodes.Getitem) else ()
        node = node.node
    for one in node.iter_child_nodes():
        yield from _names(one)


def _path(node: nodes.Node) -> str:
    """Return a variable with its attributes and keys, such as ``message.content``, or ""."""
    if isinstance(node, nodes.Name):
        return node.name
    if not isinstance(node, nodes.Getattr | nodes.Getitem) or not (path := _path(node.node)):
        return ""
    key = node.attr if isinstance(node, nodes.Getattr) else getattr(node.arg, "value", None)
    return f"{path}.{key}" if isinstance(key, str) and key.isidentifier() else path
