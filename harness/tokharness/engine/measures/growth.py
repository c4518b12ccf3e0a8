"""Encoding time of texts of doubling size: ``[{"unit", "sizes", "seconds"}]``.

``unit`` is the repeated part of the text; ``sizes`` are in characters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.checks.superlinear_growth import UNITS, prepare_call
from tokharness.diagnosis.probes.growth import measure_curve
from tokharness.targets.processes.limits import processor_clock

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["measure"]

SHOWN = (
    *("words", "hostile text", "random lower-case letters", "U+0061 LATIN SMALL LETTER A"),
    *("U+0020 SPACE", "U+0031 DIGIT ONE", "a letter with a mark", "U+1F600 GRINNING FACE"),
)


def measure(subject: Subject) -> list[dict[str, Any]]:
    """Time encoding on repetitions of some units, until the growth is measurable."""
    clock = processor_clock(with_descendants=subject.target.has_own_process)
    rows = []
    for unit in SHOWN:
        if unit not in UNITS:
            continue
        curve = measure_curve(prepare_call("encode", unit, subject), clock)
        if curve is not None:
            seconds = [round(time, 7) for time in curve.seconds]
            rows.append({"unit": unit, "sizes": list(curve.sizes), "seconds": seconds})
    return rows
