"""Metrics of a target for the reader of a report; they never affect the verdict.

Each public module is one measure: ``measure(subject)`` returns plain data (JSON), or None if the
target lacks what it needs. The docstring of the module describes the keys.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.errors import PluginError
from tokharness.plugins.calls import PluginFunction
from tokharness.targets.processes.json_lines import to_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokharness.targets.subject import Subject

    Measure: TypeAlias = Callable[[Subject], Any]

__all__ = ["measures"]


@cache
def measures() -> Mapping[str, Measure]:
    """Return all measures by name, in alphabetical order."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__))
    return {name: _measure(name) for name in names if not name.startswith("_")}


def _measure(name: str) -> Measure:
    path = f"{__name__}.{name}"
    with PluginFunction("measure", path, "its import"):
        module = importlib.import_module(path)
    if not hasattr(module, "measure"):
        raise PluginError(f"the measure {path} has no function measure")

    def measure(subject: Subject) -> Any:
        with PluginFunction("measure", path, "measure", "subject"):
            value = module.measure(subject)
            to_line(value)  # raises if this is not plain data
        return value

    return measure
