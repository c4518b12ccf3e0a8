"""How long texts take that double: ``[{"unit", "sizes", "seconds"}]``, sizes in characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.checks.superlinear_growth import UNITS, prepared
from tokharness.diagnosis.probes.growth import measure_curve

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["measure"]

SHOWN = (
    *("words", "hostile text", "random lower-case letters", "U+0061 LATIN SMALL LETTER A"),
    *("U+0020 SPACE", "U+0031 DIGIT ONE", "a letter with a mark", "U+1F600 GRINNING FACE"),
)


def measure(subject: Subject) -> list[dict[str, Any]]:
    """Measure encoding on runs of some units, until each has taken long enough to show how."""
    wall = subject.target.has_own_process
    found = []
    for unit in SHOWN:
        curve = measure_curve(prepared("encode", unit, subject), wall=wall) if unit in UNITS else None
        if curve is not None:
            seconds = [round(one, 7) for one in curve.seconds]
            found.append({"unit": unit, "sizes": list(curve.sizes), "seconds": seconds})
    return found
