"""Trainers of vocabularies: each public module here trains one model.

A module has ``NAME``, the name of the model; ``OPTIONS``, the names of the fields of
``TrainingOptions`` that it uses, without ``vocab_size`` and ``jobs``; ``train(texts, path, options,
progress)``, which writes a vocabulary to ``path`` and returns a ``TrainingResult``; and
``spec(path)``, the spec of the target that loads it. It may have ``SIDE_SUFFIXES``, what is added
to ``path`` for each other file that it writes. Its docstring says what is trained, from which
source, and in which format it is saved.

``train`` raises UsageError for invalid options before it reads the first text, and writes files
with :func:`..reference.atomic_file.write`.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["modules"]


@functools.cache
def modules() -> tuple[ModuleType, ...]:
    """Return the modules of the trainers, in alphabetical order."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    public = (name for name in names if not name.startswith("_"))
    return tuple(importlib.import_module(f"{__name__}.{name}") for name in public)
