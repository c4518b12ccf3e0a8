"""What a target makes of ordinary and of odd text, measured for a reader and judged by nobody.

Each public module is one measure: ``measure(subject)`` gives plain data (JSON), or None where the
target lacks what it needs; its docstring says what the keys mean. A report shows them.
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
    """All measures by name, in alphabetical order."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__))
    return {
        name: importlib.import_module(f"{__name__}.{name}").measure
        for name in names
        if not name.startswith("_")
    }
