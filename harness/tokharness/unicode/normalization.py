"""Normal forms (UAX #15), of the current and of older Unicode versions."""

from __future__ import annotations

import sys
from functools import cache
from itertools import chain, groupby
from typing import Final

import unicodedata2

FORMS: Final = ("NFC", "NFD", "NFKC", "NFKD")
"""The four normal forms: composed and decomposed, canonical and compatibility."""


def normalize(form: str, text: str, *, version: str | None = None) -> str:
    """Return the normal form of a text; lone surrogates are unchanged.

    ``version``, one of :data:`tokharness.unicode.versions.VERSIONS`, is the version of the standard
    that applies, by default the current version.

    Raises:
        ValueError: ``form`` or ``version`` is unknown.

    """
    if version is None:
        return str(unicodedata2.normalize(form, text))
    later = _assigned_after(version)
    if later.isdisjoint(text):
        return str(unicodedata2.normalize(form, text))
    # By the stability policy, the normal form of characters that were assigned in a version never
    # changes. Unassigned characters had class 0 and no decomposition, so nothing crosses them.
    runs = ((is_later, "".join(run)) for is_later, run in groupby(text, later.__contains__))
    return "".join(run if is_later else unicodedata2.normalize(form, run) for is_later, run in runs)


@cache
def _assigned_after(version: str) -> frozenset[str]:
    from tokharness.unicode.versions import assigned_after

    points = chain.from_iterable(assigned_after(version))
    return frozenset(map(sys.intern, map(chr, points)))  # versions share the strings
