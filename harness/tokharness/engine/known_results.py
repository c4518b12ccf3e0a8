"""Results of earlier runs that a run knows: digests of units, and answers of the reference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Digests: TypeAlias = Mapping[tuple[str, int], str]
"""The packed digest of each unit, by its family and number."""


@dataclass(frozen=True, slots=True)
class KnownResults:
    """Digests and answers of earlier runs.

    ``before`` has digests of a run whose results must not change: texts whose results differ are
    reported. ``compared`` has digests of runs with the same reference: if the reference gave the
    target's ids for a text, and the target still gives them, the reference is not run again. These
    digests are never the source of a finding. ``answers`` has answers of the same reference
    (:mod:`tokharness.targets.answers`).
    """

    before: Digests = field(default_factory=dict)
    compared: Digests = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)


Known: TypeAlias = Callable[[str], KnownResults]
"""Returns the known results of a comparison with a reference, by its digest, which may be empty."""


def nothing_known(_: str) -> KnownResults:
    """Know of no earlier run."""
    return KnownResults()
