"""The factories that a Python source seems to define; nothing is run or imported."""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING

from tokharness_tokenizers.vocabularies.file_heads import read_head

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ["factories_of"]

LIMIT = 1 << 18
"""Bytes of a Python file that are parsed; a longer one is not."""
REQUIRED = {"encode", "decode"}
ABSTRACT = {"Protocol", "ABC"}


def factories_of(path: Path) -> list[str]:
    """Return the names of functions and classes that may make a tokenizer without arguments.

    These are functions that return something, and classes with ``encode`` and ``decode``.
    ``FACTORY`` stands for the name if there is none.
    """
    tree = _parse(read_head(path, LIMIT + 1))
    classes = {one.name: one for one in tree.body if isinstance(one, ast.ClassDef)}
    names = [
        one.name
        for one in tree.body
        if (isinstance(one, ast.FunctionDef) and _makes_something(one))
        or (isinstance(one, ast.ClassDef) and _is_tokenizer(one, classes))
    ]
    return [name for name in dict.fromkeys(names) if name[0] != "_"] or ["FACTORY"]


def _parse(source: bytes) -> ast.Module:
    """Parse a source; one that is too long or has an error gives an empty module."""
    empty = ast.Module([], [])
    if len(source) > LIMIT:
        return empty
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return empty


def _makes_something(function: ast.FunctionDef) -> bool:
    returns = any(
        isinstance(one, ast.Return) and one.value is not None for one in _own_nodes(function)
    )
    is_generator = any(isinstance(one, ast.Yield | ast.YieldFrom) for one in _own_nodes(function))
    return returns and not is_generator and _required(function.args) == 0


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function without those of functions and classes in it."""
    pending = [*ast.iter_child_nodes(node)]
    while pending:
        one = pending.pop()
        if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            yield one
            pending += ast.iter_child_nodes(one)


def _required(arguments: ast.arguments) -> int:
    """Return the number of arguments that have no default."""
    positional = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    return positional + arguments.kw_defaults.count(None)


def _is_tokenizer(cls: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> bool:
    """Whether a class, with its bases of the same file, has the methods and needs no argument."""
    members: dict[str, ast.stmt] = {}
    for base in _with_bases(cls, classes):
        for one in base.body:
            if isinstance(one, ast.FunctionDef):
                members.setdefault(one.name, one)
    init = members.get("__init__")
    takes_none = not isinstance(init, ast.FunctionDef) or _required(init.args) == 1
    is_abstract = ABSTRACT & {_last_name(base) for base in cls.bases}
    return members.keys() >= REQUIRED and takes_none and not is_abstract and not _has_fields(cls)


def _with_bases(cls: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> list[ast.ClassDef]:
    found = [cls]
    for one in found:  # grows
        bases = (classes.get(_last_name(base)) for base in one.bases)
        found += [base for base in bases if base and base not in found]
    return found


def _has_fields(cls: ast.ClassDef) -> bool:
    """Whether a dataclass has a field without a default."""
    decorators = (one.func if isinstance(one, ast.Call) else one for one in cls.decorator_list)
    is_dataclass = any(_last_name(one) == "dataclass" for one in decorators)
    fields = [one for one in cls.body if isinstance(one, ast.AnnAssign) and one.value is None]
    return is_dataclass and bool(fields)


def _last_name(node: ast.expr) -> str:
    """Return the last name of ``abc.ABC`` or ``Protocol[T]``."""
    if isinstance(node, ast.Subscript):
        node = node.value
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
