"""What a run knows of earlier ones: digests of units, and answers of the reference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Digests: TypeAlias = Mapping[tuple[str, int], str]
"""The packed digest of each unit, by its family and number."""


@dataclass(frozen=True, slots=True)
class KnownResults:
    """Digests and answers of earlier runs.

    ``before`` are of a run whose results are not to change: texts with other results are reported.
    ``compared`` are of runs with the same reference: where it gave the ids of the target, and the
    target still gives them, it is not run again. They never are the source of a finding.
    ``answers`` are what the same reference answered (:mod:`tokharness.targets.answers`).
    """

    before: Digests = field(default_factory=dict)
    compared: Digests = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)


Known: TypeAlias = Callable[[str], KnownResults]
"""Returns what is known of a comparison with a reference, by its digest, which may be empty."""


def nothing_known(_: str) -> KnownResults:
    """Know of no earlier run."""
    return KnownResults()
