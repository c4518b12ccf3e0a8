"""The registry of planted faults, and the decorator that adds one."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import SimpleNamespace

    Factory = Callable[[], SimpleNamespace]

_FAULTS: dict[str, PlantedFault] = {}


@dataclass(frozen=True, slots=True)
class PlantedFault:
    """A planted fault, and how a run reports it.

    ``name``      name of the factory that returns the faulty tokenizer
    ``spec``      spec of that tokenizer as a target
    ``code``      code of the check that reports the fault
    ``cause``     how the reported cause begins
    ``families``  the fewest families that show it; empty if an audit needs no texts
    ``against``   spec of the reference; ``"none"`` if no comparison is needed
    ``longest``   most characters that its smallest text may have
    ``crashes``   whether it needs a worker process, which it may end or hang
    ``profile``   the quickest profile that shows it
    ``corpus``    the corpus of the run, if the check needs one
    """

    name: str
    spec: str
    code: str
    cause: str
    families: tuple[str, ...] = ()
    against: str = "none"
    longest: int = 8
    crashes: bool = False
    profile: str = "quick"
    corpus: str = ""


def fault(
    code: str,
    *,
    cause: str,
    families: Sequence[str] = (),
    against: str = "none",
    longest: int = 8,
    crashes: bool = False,
    profile: str = "quick",
    corpus: str = "",
) -> Callable[[Factory], Factory]:
    """Register a factory of a faulty tokenizer; the arguments are fields of PlantedFault."""

    def register(factory: Factory) -> Factory:
        name = factory.__name__
        spec = f"python:{factory.__module__}:{name}"
        if name in _FAULTS:
            raise ValueError(f"{spec} has the same name as {_FAULTS[name].spec}")
        _FAULTS[name] = PlantedFault(
            name, spec, code, cause, tuple(families), against, longest, crashes, profile, corpus
        )
        return factory

    return register


def planted_faults() -> list[PlantedFault]:
    """Import all modules of faults, and return the faults in alphabetical order of their names."""
    package = importlib.import_module("planted")
    for module in pkgutil.iter_modules(package.__path__):
        if not module.name.startswith("_"):
            importlib.import_module(f"{package.__name__}.{module.name}")
    return sorted(_FAULTS.values(), key=lambda planted: planted.name)
