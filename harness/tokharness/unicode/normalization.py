"""Normal forms (UAX #15), today's and those of an older Unicode version."""

from __future__ import annotations

from functools import cache
from typing import Final

import regex
import unicodedata2

__all__ = ["FORMS", "normalize"]

FORMS: Final = ("NFC", "NFD", "NFKC", "NFKD")
"""The four normal forms, composed and decomposed, canonical and compatible."""


def normalize(form: str, text: str, *, version: str | None = None) -> str:
    """Normal form of a text; lone surrogates pass unchanged.

    With ``version``, a key of :data:`tokharness.unicode.versions.VERSIONS`, the answer is what
    that version of the standard gives.

    Raises:
        ValueError: ``form`` or ``version`` is not a known one.

    """
    if version is None:
        return str(unicodedata2.normalize(form, text))
    pieces = _unassigned(version).split(text)
    if len(pieces) == 1:
        return str(unicodedata2.normalize(form, text))
    # By the stability policy a text of characters that were assigned then normalizes today as it
    # did then; what was unassigned had class 0 and no decomposition, so nothing crossed it.
    pieces[::2] = [unicodedata2.normalize(form, piece) for piece in pieces[::2]]
    return "".join(pieces)


@cache
def _unassigned(version: str) -> regex.Pattern[str]:
    from tokharness.unicode.versions import assigned_after

    later = assigned_after(version)
    return regex.compile(f"([{''.join(map(_escaped, later))}]+)" if later else r"((?!))")


def _escaped(run: range) -> str:
    return rf"\U{run[0]:08X}-\U{run[-1]:08X}"
