"""Training without the garbage collector, which looks at millions of lasting objects in vain."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["without_collector"]


@contextmanager
def without_collector() -> Iterator[None]:
    """Turn off the collection of cycles, of which training makes none."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
