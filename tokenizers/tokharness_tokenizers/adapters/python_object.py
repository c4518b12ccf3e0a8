"""Any Python object that encodes and decodes.

``python:FILE.py:FACTORY``   a file, which may import its neighbours as a script may
``python:MODULE:FACTORY``    a module that is installed or in the current directory

FACTORY names a function (or class) that takes no argument and returns an object with the methods
``encode(str) -> list[int]`` and ``decode(list[int]) -> str | bytes``. Whatever else it has of
``encode_ordinary``, ``encode_batch``, ``encode_special``, ``encode_bytes``,
``encode_with_offsets``, ``count``, ``decode_bytes``, ``decode_stream``,
``decode_single_token_bytes``, ``pretokens``, ``with_unicode_version``, ``normalize``, and of the
attributes ``special_tokens``, ``n_vocab``, ``normalizer``, ``unicode_version``, is used and
checked. It is compared with nothing unless you say with what.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

__all__ = ["SCHEME", "load"]

SCHEME = "python"


def load(rest: str) -> Any:
    """Import the module, call the factory and return what it made.

    Raises TargetError if that cannot be done, UnknownNameError if the module has no such name.
    """
    # At the last colon: the first may belong to a drive.
    where, _, factory_name = rest.rpartition(":")
    if not where or not factory_name.isidentifier():
        raise TargetError(
            f"python:{rest} names no factory: write python:FILE.py:FACTORY or "
            "python:MODULE:FACTORY, where FACTORY() returns the tokenizer"
        )
    module = _from_file(Path(where)) if where.endswith(".py") else _from_name(where)
    tokenizer = _guarded(_factory(module, factory_name, where), f"{factory_name}() of {where}")
    missing = [
        f"{name}()" for name in ("encode", "decode") if not callable(getattr(tokenizer, name, None))
    ]
    if missing:
        kind = type(tokenizer).__name__
        raise TargetError(
            f"{factory_name}() of {where} returned a {kind} without {' and '.join(missing)}"
        )
    return tokenizer


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise TargetError(f"there is no file {path}: check the path")
    path = path.resolve()
    # Not under its own name, which a module that is already loaded may have; dataclasses and
    # others look their module up, so it has to be in sys.modules.
    name = f"{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise TargetError(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    sys.modules[name] = module
    loader = spec.loader
    try:
        _guarded(lambda: loader.exec_module(module), f"importing {path}")
    except TargetError:
        del sys.modules[name]
        raise
    return module


def _from_name(name: str) -> ModuleType:
    # Last, so that nothing in the current directory hides what is installed.
    here = str(Path.cwd())
    if not {here, ""} & set(sys.path):
        sys.path.append(here)
    module: ModuleType = _guarded(lambda: importlib.import_module(name), f"importing {name}")
    return module


def _factory(module: ModuleType, name: str, where: str) -> Callable[[], Any]:
    if not hasattr(module, name):
        public = [each for each in vars(module) if not each.startswith("_")]
        known = [each for each in public if callable(getattr(module, each))]
        raise UnknownNameError(f"factory in {where}", name, known)
    factory = getattr(module, name)
    if not callable(factory):
        kind = type(factory).__name__
        raise TargetError(f"{name} of {where} is a {kind} and cannot be called: name a factory")
    made: Callable[[], Any] = factory
    return made


def _guarded(call: Callable[[], Any], what: str) -> Any:
    """Call what is not ours: whatever it raises, but for the user's Ctrl-C, is a TargetError."""
    try:
        return call()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise TargetError(f"{what} failed: {_told(error)}") from error


def _told(error: BaseException) -> str:
    try:
        message = " ".join(str(error).split())[:300]
    except Exception:
        message = "(its message cannot be read)"
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
