"""The constants of a plugin's module, checked when the module is loaded.

Each function raises ValueError for a wrong value: a typo would otherwise skip a check in every run.
The patterns are those of ``schemas/report.json``: a report has no other codes and names.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness.model import OPTIONAL_METHODS, Target
from tokharness.plugins.kinds import COLUMNS

if TYPE_CHECKING:
    from types import ModuleType

__all__ = [
    "CODE",
    "FAMILY",
    "LINE",
    "NAME",
    "OR",
    "code_of",
    "columns_of",
    "family_name_of",
    "name_of",
    "requirements_of",
]

CODE = re.compile(r"[A-Z]+[0-9]+")
NAME = re.compile(r"[a-z0-9]+([-_][a-z0-9]+)*")
FAMILY = re.compile(r"[A-Za-z0-9-]+")
LINE = re.compile(
    r"[^\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff"
    r"\ue000-\uf8ff\ufeff\ufff9-\uffff\U000e0000-\U0010ffff]*"
)
"""Text in one line without controls, bidi controls and most invisible characters."""

OR = " or "
"""What stands between two names in ``REQUIRES`` if a check needs only one of them."""

NOT_OF_A_TARGET = ("reference", "cases", "corpus", "embeddings")


def code_of(module: ModuleType) -> str:
    """Return ``CODE``, capital letters and a number, such as ``TOK101``."""
    return _matching("CODE", module.CODE, CODE, "capital letters and a number, such as TOK101")


def name_of(module: ModuleType, constant: str = "NAME") -> str:
    """Return ``NAME`` or another constant that is a name: lower-case words, joined by hyphens."""
    value = getattr(module, constant)
    return _matching(constant, value, NAME, "lower-case words joined by hyphens")


def family_name_of(module: ModuleType) -> str:
    """Return the name of a family, that of its module with hyphens for underscores."""
    name = module.__name__.rpartition(".")[2].replace("_", "-")
    return _matching(
        "the name of the module", name, FAMILY, "ASCII letters, digits and underscores"
    )


def requirements_of(module: ModuleType) -> tuple[str, ...]:
    """Return ``REQUIRES``: names of optional methods, of attributes of a target, and the like."""
    names = _names("REQUIRES", getattr(module, "REQUIRES", ()))
    known = (*OPTIONAL_METHODS, *NOT_OF_A_TARGET)
    for name in chain.from_iterable(each.split(OR) for each in names):
        if name.removeprefix("reference.") not in known and not hasattr(Target, name):
            raise ValueError(f"REQUIRES has {name!r}, not one of {', '.join(known)}")
    return names


def columns_of(module: ModuleType) -> tuple[str, ...]:
    """Return ``COLUMNS``, or all of them if the module has no such constant."""
    names = _names("COLUMNS", getattr(module, "COLUMNS", COLUMNS))
    for name in names:
        if name not in COLUMNS:
            raise ValueError(f"COLUMNS has {name!r}, not one of {', '.join(COLUMNS)}")
    return names


def _matching(constant: str, value: Any, pattern: re.Pattern[str], what: str) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ValueError(f"{constant} is {value!r}, not {what}")
    return value


def _names(constant: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, tuple | list) or not all(isinstance(name, str) for name in value):
        raise ValueError(f"{constant} is {value!r}, not a tuple of names")
    return tuple(value)
