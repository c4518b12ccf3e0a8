"""The spec of what a caller names as a target.

A target runs in worker processes, which load it themselves. Therefore it needs a name that workers
know. An object of this process has no such name: it cannot be sent to a worker without pickle, and
a tokenizer of a compiled library often not even with pickle. A factory has a name if a worker can
import it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from tokharness.errors import UsageError
from tokharness.library.loading import LoadedTarget
from tokharness.model import Target, Tokenizer
from tokharness.plugins import bare_paths

if TYPE_CHECKING:
    from types import ModuleType

AnyTarget: TypeAlias = str | os.PathLike[str] | LoadedTarget | Target | Callable[[], Tokenizer]
"""A spec or a path, a loaded target, or a class or function that a worker can import."""

WRITE = "write a function that returns the tokenizer into a file, and pass python:FILE.py:FUNCTION"


def spec_of(target: AnyTarget) -> str:
    """Return the spec of a target; a factory has the spec ``python:MODULE:NAME``, or of its file.

    Raises:
        UsageError: a worker process cannot load the target, or it is neither a spec nor a path
            whose content says what loads it.

    """
    if isinstance(target, str | os.PathLike):
        return bare_paths.spec_of(os.fspath(target))
    if isinstance(target, LoadedTarget | Target):
        return target.spec
    return _spec_of_factory(target)


def spec_of_reference(reference: AnyTarget | None) -> str | None:
    """Return the spec of an explicit reference; ``"none"`` and None are returned unchanged."""
    if reference is None:
        return None
    return "none" if reference == "none" else spec_of(reference)


def _spec_of_factory(target: Callable[[], Tokenizer]) -> str:
    name = getattr(target, "__qualname__", None)
    if not callable(target) or not isinstance(name, str):
        kind = type(target).__name__
        raise UsageError(f"an object of type {kind} cannot be sent to a worker process: {WRITE}")
    module = sys.modules.get(target.__module__)
    if module is None or getattr(module, name, None) is not target:
        raise UsageError(f"{name} is not a name of its module, so no worker can import it: {WRITE}")
    return f"python:{_place(module, name)}:{name}"


def _place(module: ModuleType, name: str) -> str:
    """Return the dotted name of a module in a package; for any other module, its file's path."""
    spec = module.__spec__
    if spec is not None and spec.parent:  # also of a module that `python -m` runs
        return spec.name
    file = getattr(module, "__file__", None)
    if not isinstance(file, str) or not file.endswith(".py"):
        raise UsageError(
            f"{name} is of the module {module.__name__}, which is not a file that a worker can "
            f"import: {WRITE}"
        )
    path = Path(os.path.realpath(file))
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
