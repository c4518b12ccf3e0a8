"""What a run is asked to do, and how thoroughly."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

__all__ = ["PROFILES", "FailOn", "Options", "Profile"]

FailOn = Literal["bug", "risk", "never"]


@dataclass(frozen=True, slots=True)
class Profile:
    """How thorough a run is.

    Of each family the ``first`` texts are tried, and every ``every``-th of the rest; ``examples``
    random ones are drawn. A check that asks the target once more about a text does so for every
    ``again``-th; for every ``again_exhaustive``-th in families that try everything of a kind, which
    themselves have fewer texts in a quick run, and more in a thorough one. At most ``diagnosed``
    texts that fail a check are diagnosed.
    """

    name: str
    page: str
    first: int
    every: int
    examples: int
    again: int
    again_exhaustive: int
    diagnosed: int


_ALL = (
    Profile(
        "quick",
        "Seconds, for a pre-commit hook: the first 200 texts of each family and every sixth of the "
        "rest, 20 random ones; the ends and the middle of each range of characters; every string "
        "of two classes of characters; no growth of time, nothing of a million characters",
        first=200,
        every=6,
        examples=20,
        again=8,
        again_exhaustive=64,
        diagnosed=10_000,
    ),
    Profile(
        "standard",
        "For CI: every text of each family, 100 random ones; all 1,112,064 scalar values, alone "
        "and in the contexts that reveal a split; every string of three classes of characters; "
        "growth of time; texts of a million characters",
        first=0,
        every=1,
        examples=100,
        again=4,
        again_exhaustive=256,
        diagnosed=60_000,
    ),
    Profile(
        "thorough",
        "For the night: as standard, with 2,000 random texts of each family, all scalar values in "
        "each context apart, every string of four classes of characters, and every check on every "
        "text of the curated families",
        first=0,
        every=1,
        examples=2000,
        again=1,
        again_exhaustive=64,
        diagnosed=60_000,
    ),
)

PROFILES = MappingProxyType({profile.name: profile for profile in _ALL})
"""Profiles by name, the quickest first."""


@dataclass(frozen=True, slots=True)
class Options:
    """Options of one run.

    ``against`` is a spec, ``"none"``, or None for the target's automatic reference; ``reference``
    is that of a target whose scheme has none, and of the target's Unicode version too. ``select``,
    ``ignore`` and ``families`` are empty for everything. ``profile`` names one of
    :data:`PROFILES`. ``examples`` random texts are drawn from each family's strategy with
    ``seed``, beside its enumerated cases; as many as the profile says where it is None. A target
    has ``time_limit`` seconds for a text, beside an allowance for its length, and ``memory_limit``
    bytes. Without ``enumerated`` no check looks at enumerated cases. ``regressions`` is the folder
    of the texts that are replayed first, None for none; it need not be there.
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
    regressions: str | None = None
