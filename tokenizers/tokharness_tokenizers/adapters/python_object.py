"""A Python object with ``encode`` and ``decode``.

``python:FILE.py:FACTORY``   a file, which may import modules from its folder, like a script
``python:MODULE:FACTORY``    a module that is installed or in the current directory

FACTORY is the name of a function or class that takes no arguments and returns an object with the
methods ``encode(str) -> list[int]`` and ``decode(list[int]) -> str | bytes``.

These optional methods are used and checked if they exist: ``encode_ordinary``, ``encode_batch``,
``encode_special``, ``encode_bytes``, ``encode_with_offsets``, ``count``, ``decode_bytes``,
``decode_batch``, ``decode_stream``, ``decode_stream_calls``, ``decode_single_token_bytes``,
``encode_variants``, ``decode_variants``, ``pretokens``, ``with_unicode_version``, ``normalize``. So
are the attributes ``special_tokens``, ``n_vocab``, ``normalizer`` and ``unicode_version``. There is
no automatic reference; use --against.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib
import importlib.util
import os
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetError, UnknownNameError
from tokharness_tokenizers import programs
from tokharness_tokenizers.vocabularies.file_heads import read_head

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import ModuleType

__all__ = ["SCHEME", "alone", "factories_of", "load", "recognize"]


# The factories that a Python source seems to define; nothing is run or imported.

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


SCHEME = "python"
PLAIN_PROGRAM = Path(programs.__file__).with_name("plain_object.py")


def load(rest: str) -> Any:
    """Import the module and return the tokenizer that the factory makes.

    Raises:
        TargetError: the module cannot be imported, or the factory fails.
        UnknownNameError: the module does not have the factory.

    """
    # Split at the last colon, since the first may follow a drive letter.
    where, _, factory_name = rest.rpartition(":")
    if not where or not factory_name.isidentifier():
        raise TargetError(
            f"python:{rest} has no factory: write python:FILE.py:FACTORY or "
            "python:MODULE:FACTORY, where FACTORY() returns the tokenizer"
        )
    is_file = where.endswith(".py")
    folder = Path(os.path.realpath(where)).parent
    with _folder_first(folder) if is_file else contextlib.nullcontext():
        module = _import_file(Path(where)) if is_file else _import_module(where)
        factory = _factory(module, factory_name, where)
        tokenizer = _call(factory, f"{factory_name}() of {where}", is_factory=True)
    missing = [
        f"{name}()" for name in ("encode", "decode") if not callable(getattr(tokenizer, name, None))
    ]
    if missing:
        kind = type(tokenizer).__name__
        raise TargetError(
            f"{factory_name}() of {where} returned a {kind} without {' and '.join(missing)}"
        )
    return tokenizer


def alone(rest: str) -> tuple[str, ...]:
    """Return the arguments of an interpreter that loads the object, and has nothing of ours."""
    where, _, factory_name = rest.rpartition(":")
    source = PLAIN_PROGRAM.read_text("utf-8")
    return (sys.executable, "-P", "-c", source, where, factory_name)


def recognize(path: Path) -> list[str]:
    """Return the file with each factory that its source seems to define; nothing is run."""
    if path.suffix != ".py" or not path.is_file():
        return []
    return [f"{path}:{name}" for name in factories_of(path)]


@contextlib.contextmanager
def _folder_first(folder: Path) -> Iterator[None]:
    """Import from a folder first, as a script does; afterwards from it last.

    A regex.py of the folder would otherwise hide the library from the checks and the reference.
    """
    name = str(folder)
    if name in sys.path:
        yield
        return
    sys.path.insert(0, name)
    try:
        yield
    finally:
        sys.path.remove(name)
        sys.path.append(name)


def _import_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise TargetError(f"there is no file {path}: check the path")
    path = Path(os.path.realpath(path))
    # A unique name, since a loaded module may have the name of the file. It has to be in
    # sys.modules, where dataclasses look up their module.
    name = f"{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise TargetError(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader = spec.loader
    try:
        _call(lambda: loader.exec_module(module), f"importing {path}")
    except TargetError:
        del sys.modules[name]
        raise
    return module


def _import_module(name: str) -> ModuleType:
    # The last entry, so that the current directory does not hide installed modules.
    here = str(Path.cwd())
    if not {here, ""} & set(sys.path):
        sys.path.append(here)
    module: ModuleType = _call(lambda: importlib.import_module(name), f"importing {name}")
    return module


def _factory(module: ModuleType, name: str, where: str) -> Callable[[], Any]:
    if not hasattr(module, name):
        public = [other for other in vars(module) if not other.startswith("_")]
        factories = [other for other in public if callable(getattr(module, other))]
        raise UnknownNameError(f"factory in {where}", name, factories)
    factory: Callable[[], Any] = getattr(module, name)
    if not callable(factory):
        kind = type(factory).__name__
        raise TargetError(f"{name} of {where} is a {kind}, which cannot be called: name a factory")
    return factory


def _call(function: Callable[[], Any], what: str, *, is_factory: bool = False) -> Any:
    """Call foreign code; any exception except KeyboardInterrupt becomes a TargetError."""
    try:
        return function()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        found = is_factory and not isinstance(error, ImportError | OSError)
        failure = _name_of(type(error)) if found else ""
        raise TargetError(f"{what} failed: {_describe(error)}", failure=failure) from error


_name_of = type.__dict__["__name__"].__get__
"""The name of a class, whatever its metaclass says."""


def _describe(error: BaseException) -> str:
    try:
        message = " ".join(str(error).split())[:300]
    except KeyboardInterrupt:
        raise
    except BaseException:
        message = "(its message cannot be read)"
    name = _name_of(type(error))
    return f"{name}: {message}" if message else name
