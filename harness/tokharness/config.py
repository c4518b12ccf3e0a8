"""The options of a run, and the profiles."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

__all__ = ["PROFILES", "RUN_LIMIT", "FailOn", "Options", "Profile"]

RUN_LIMIT = "--run-limit"
"""The option of the processor time of a run, which the reason of each skip for that time names."""

FailOn = Literal["bug", "risk", "never"]


@dataclass(frozen=True, slots=True)
class Profile:
    """How thorough a run is.

    Attributes:
        name: The name of the profile.
        page: What the profile runs, for users.
        first: The number of texts at the start of each family that all run.
        every: Of the other texts of a family, every N-th runs.
        examples: The number of random texts that are drawn from each family.
        recheck_every: Checks that call the target again for a text do so for every N-th text.
        recheck_every_exhaustive: The same for exhaustive families, which themselves have fewer
            texts in a quick run and more in a thorough run.
        max_diagnosed: The number of failing texts of a check that are diagnosed at most.
        audit_seconds: The time of an audit, of the processor if the target is in its process.
        max_parts: The number of texts that packed texts of a part of a family are taken apart into.
        worker_memory: The bytes of a worker that has loaded the target from which on there is only
            one, or None.
        run_seconds: The processor time of the whole run of a target on a usual machine, or None.

    """

    name: str
    page: str
    first: int
    every: int
    examples: int
    recheck_every: int
    recheck_every_exhaustive: int
    max_diagnosed: int
    audit_seconds: float
    max_parts: int = 32_768
    worker_memory: int | None = None
    run_seconds: float | None = None


_ALL = (
    Profile(
        "quick",
        "For a pre-commit hook, in seconds: of each family, the first 200 texts, every sixth of "
        "the others and 20 random ones; all 1,112,064 scalar values, 64 in a text; every token of "
        "the vocabulary, and up to 65,536 of its merges; every string of two character classes; no "
        "growth tests and no texts of a million characters",
        first=200,
        every=6,
        examples=20,
        recheck_every=8,
        recheck_every_exhaustive=64,
        max_diagnosed=10_000,
        audit_seconds=60.0,
        max_parts=8192,
        worker_memory=700_000_000,
        run_seconds=90.0,
    ),
    Profile(
        "standard",
        "For CI: every text of each family and 100 random ones; all 1,112,064 scalar values, 64 in "
        "a text, the assigned ones alone too and in contexts that reveal a different split; every "
        "token and every merge of the vocabulary; every string of three character classes; growth "
        "tests; texts of a million characters",
        first=0,
        every=1,
        examples=100,
        recheck_every=4,
        recheck_every_exhaustive=256,
        max_diagnosed=60_000,
        audit_seconds=1800.0,
    ),
    Profile(
        "thorough",
        "For nightly runs: like standard, but with 2,000 random texts of each family, all scalar "
        "values in each context separately, every string of four character classes, and every "
        "check on every text of the curated families",
        first=0,
        every=1,
        examples=2000,
        recheck_every=1,
        recheck_every_exhaustive=64,
        max_diagnosed=60_000,
        audit_seconds=1800.0,
    ),
)

PROFILES = MappingProxyType({profile.name: profile for profile in _ALL})
"""Profiles by name, fastest first."""


@dataclass(frozen=True, slots=True)
class Options:
    """Options of one run.

    Attributes:
        against: The spec of the reference, ``"none"``, or None for the automatic reference.
        reference: The spec of the automatic reference of a target whose scheme has none; it is set
            to the Unicode version of the target.
        select: Codes or names of the checks to run; empty for all.
        ignore: Codes or names of checks to leave out.
        families: Names of the families to run; empty for all.
        fail_on: The least severe verdict that fails the run.
        fail_on_library: Whether findings that are the library's, whatever the file, fail the run,
            too.
        profile: A key of :data:`PROFILES`.
        seed: The seed of all random texts.
        examples: The number of random texts per family; None for that of the profile.
        enumerated: Whether checks may use the enumerated cases of families.
        time_limit: Seconds for one text, without the allowance for its length.
        memory_limit: Bytes that the target may allocate for one text.
        run_limit: Processor seconds of the run on a usual machine, 0 for no limit; None for the
            limit of the profile.
        load_limit: Seconds for loading the target and its reference: of the processor, and of the
            clock while the process is idle.
        regressions: The folder of the texts that are replayed first, if it exists; None for none.
        corpus: The file or folder of texts that the vocabulary was trained on, or similar ones,
            for checks that count its tokens; None for none.
        embeddings: The file of the model's embeddings, and perhaps a tensor after a colon, for
            checks that look for untrained rows; None for none.
        keep_going: Whether a target is run further if it answers none of the first texts.

    """

    against: str | None = None
    reference: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    fail_on: FailOn = "bug"
    profile: str = "standard"
    seed: int = 0
    examples: int | None = None
    enumerated: bool = True
    time_limit: float = 5.0
    memory_limit: int = 2 << 30
    load_limit: float = 60.0
    run_limit: float | None = None
    regressions: str | None = None
    corpus: str | None = None
    embeddings: str | None = None
    keep_going: bool = False
    fail_on_library: bool = False

    @property
    def run_seconds(self) -> float | None:
        """Processor seconds of the run on a usual machine, or None."""
        limit = PROFILES[self.profile].run_seconds if self.run_limit is None else self.run_limit
        return limit or None

    @property
    def audit_seconds(self) -> float:
        """Seconds that an audit may take: as the profile says, or more if a run may take more."""
        seconds = PROFILES[self.profile].audit_seconds
        if self.run_limit is None:
            return seconds
        return max(seconds, self.run_limit) if self.run_limit else math.inf
