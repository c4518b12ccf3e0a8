"""The shape of a text: runs of characters of one major category, with their lengths.

Texts of one shape as a text that ends or hangs a process are likely to do so too.
"""

from __future__ import annotations

import re

__all__ = ["Shape", "shape_contains", "shape_of"]

MAX_RUNS, MAX_STARTS = 64, 4096
"""Runs of a shape to compare, and places in another shape to compare them at."""

Shape = tuple[tuple[str, int], ...]


class _Majors(dict[int, str]):
    """Major category of each code point, looked up on first use."""

    def __missing__(self, point: int) -> str:
        from tokharness.unicode.properties import category

        return self.setdefault(point, category(chr(point))[0])


_MAJORS = _Majors()
_RUN = re.compile(r"(.)\1*", re.DOTALL)


def shape_of(text: str) -> Shape:
    """Return the runs of characters of one major category, with their lengths."""
    runs = (run.group() for run in _RUN.finditer(text.translate(_MAJORS)))
    return tuple((run[0], len(run)) for run in runs)


def shape_contains(shape: Shape, part: Shape) -> bool:
    """Whether a shape has runs of the same categories as ``part`` in a row, each at least as long.

    Only the first runs are compared: the others would be compared at each place of a text that
    repeats.
    """
    runs = part[:MAX_RUNS]
    starts = range(min(len(shape) - len(part) + 1, MAX_STARTS))
    return any(
        all(
            category == part_category and length >= part_length
            for (part_category, part_length), (category, length) in zip(
                runs, shape[start : start + len(runs)], strict=True
            )
        )
        for start in starts
    )
