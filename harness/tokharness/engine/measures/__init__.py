"""Metrics of a target for the reader of a report; they never affect the verdict.

Each public module is one measure: ``measure(subject)`` returns plain data (JSON), or None if the
target lacks what it needs. The docstring of the module describes the keys.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokharness.targets.subject import Subject

    Measure: TypeAlias = Callable[[Subject], Any]

__all__ = ["measures"]


@cache
def measures() -> Mapping[str, Measure]:
    """Return all measures by name, in alphabetical order."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__))
    return {
        name: importlib.import_module(f"{__name__}.{name}").measure
        for name in names
        if not name.startswith("_")
    }
