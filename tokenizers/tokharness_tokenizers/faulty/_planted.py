"""The planted faults, and what each module says must be found of it.

``EXPECTED``  the code of the one check that tells it, and the beginning of its cause
``FAMILIES``  the fewest families that show it, none where an audit does without texts
``AGAINST``   what it is compared with, ``"none"`` where no comparison is needed
``LONGEST``   characters that its smallest text may have; 8 where the module does not say
``DEADLY``    whether it is run in a process apart: it may end that, or a fresh one tells it
``PROFILE``   the quickest profile that shows it; ``"quick"`` where the module does not say
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass

from tokharness_tokenizers import faulty

__all__ = ["Planted", "planted"]


@dataclass(frozen=True, slots=True)
class Planted:
    """One planted fault, and how it shows."""

    name: str
    code: str
    cause: str
    families: tuple[str, ...]
    against: str
    longest: int = 8
    deadly: bool = False
    profile: str = "quick"

    @property
    def spec(self) -> str:
        """What the command checks."""
        return f"python:{faulty.__name__}.{self.name}:tokenizer"


def planted() -> list[Planted]:
    """All planted faults, in alphabetical order."""
    names = [module.name for module in pkgutil.iter_modules(faulty.__path__)]
    return [_planted(name) for name in sorted(names) if not name.startswith("_")]


def _planted(name: str) -> Planted:
    module = importlib.import_module(f"{faulty.__name__}.{name}")
    told = {
        field: getattr(module, field.upper())
        for field in ("longest", "deadly", "profile")
        if hasattr(module, field.upper())
    }
    code, cause = module.EXPECTED
    return Planted(name, code, cause, module.FAMILIES, module.AGAINST, **told)
