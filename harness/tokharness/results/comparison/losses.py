"""What each target of a comparison loses of prose and source code, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.costs.lost_text import is_form
from tokharness.results.comparison.lengths import PROSE, SOURCE_CODE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["losses"]


def losses(targets: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield a sentence for each target that loses some of these texts, by its spec."""
    for spec, measures in targets.items():
        texts = {PROSE: [measures.get("prose") or {}], SOURCE_CODE: measures.get("code") or ()}
        lost = {name: _kinds(rows) for name, rows in texts.items()}
        parts = [f"{', '.join(kinds)} of {name}" for name, kinds in lost.items() if kinds]
        if parts:
            yield f"{spec} loses {'; '.join(parts)}."


def _kinds(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what texts lose, each form once, and the longest list of characters.

    An old report does not say it.
    """
    kinds = list(dict.fromkeys(kind for row in rows for kind in row.get("lost") or ()))
    characters = [kind for kind in kinds if not is_form(kind)]
    return [*filter(is_form, kinds), *sorted(characters, key=len)[-1:]]
