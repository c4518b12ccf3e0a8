"""Normal forms (UAX #15), of the current and of older Unicode versions."""

from __future__ import annotations

from functools import cache
from typing import Final

import regex
import unicodedata2

__all__ = ["FORMS", "normalize"]

FORMS: Final = ("NFC", "NFD", "NFKC", "NFKD")
"""The four normal forms: composed and decomposed, canonical and compatibility."""


def normalize(form: str, text: str, *, version: str | None = None) -> str:
    """Return the normal form of a text; lone surrogates are unchanged.

    ``version``, one of :data:`tokharness.unicode.versions.VERSIONS`, is the version of the standard
    that applies, by default the current one.

    Raises:
        ValueError: ``form`` or ``version`` is unknown.

    """
    if version is None:
        return str(unicodedata2.normalize(form, text))
    pieces = _unassigned(version).split(text)
    if len(pieces) == 1:
        return str(unicodedata2.normalize(form, text))
    # By the stability policy, the normal form of characters that were assigned in a version never
    # changes. Unassigned characters had class 0 and no decomposition, so nothing crosses them.
    pieces[::2] = [unicodedata2.normalize(form, piece) for piece in pieces[::2]]
    return "".join(pieces)


@cache
def _unassigned(version: str) -> regex.Pattern[str]:
    from tokharness.unicode.versions import assigned_after

    later = assigned_after(version)
    return regex.compile(f"([{''.join(map(_escaped, later))}]+)" if later else r"((?!))")


def _escaped(run: range) -> str:
    return rf"\U{run[0]:08X}-\U{run[-1]:08X}"
