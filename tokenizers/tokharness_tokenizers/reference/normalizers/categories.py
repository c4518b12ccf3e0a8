"""The characters of general categories, in any Unicode version."""

from __future__ import annotations

from functools import cache

from tokharness.unicode.properties import members
from tokharness.unicode.versions import REGEX_VERSION, VERSIONS, category_in, changed

__all__ = ["of_categories"]


@cache
def of_categories(version: str | None, *categories: str) -> frozenset[str]:
    """Return all characters of general categories in a version (None: the current one)."""
    version = version or VERSIONS[-1]
    known = set(members("[" + "".join(rf"\p{{{category}}}" for category in categories) + "]"))
    other = changed(version, REGEX_VERSION)
    joined = {char for char in map(chr, other) if category_in(char, version) in categories}
    return frozenset(joined).union(map(chr, known.difference(other)))
