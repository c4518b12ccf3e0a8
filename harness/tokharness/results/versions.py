"""Versions of everything that affects a result."""

from __future__ import annotations

import platform
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from typing import TYPE_CHECKING, Any

from tokharness import plugins

if TYPE_CHECKING:
    from collections.abc import Iterable


def versions(specs: Iterable[str] = ()) -> dict[str, Any]:
    """Return the versions of tokharness, Python, Unicode data, dependencies and adapters.

    ``specs`` are targets: there are the releases of libraries that they name, and their engines.
    """
    return {
        "tokharness": _version("tokharness"),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "platform": f"{sys.platform} {platform.machine()}",
        "unicode": unicode_versions(),
        "packages": package_versions(),
        "targets": _versions_of_targets(specs),
    }


def _versions_of_targets(specs: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the versions of libraries by scheme, or by scheme and release."""
    found = {scheme: adapter.versions() for scheme, adapter in plugins.adapters().items()}
    for spec in filter(plugins.has_known_scheme, specs):
        adapter = plugins.adapter(spec)
        if own := adapter.versions_of(spec.partition(":")[2]):
            found[adapter.scheme] = found.get(adapter.scheme, {}) | own
    return found


def unicode_versions() -> dict[str, str]:
    """Return the Unicode versions of the data in use, by its source."""
    from tokharness.unicode import confusables, properties
    from tokharness.unicode import versions as table

    return {
        "unicodedata2": properties.UNICODE_VERSION,
        "regex": table.REGEX_VERSION,
        "version table": f"{table.VERSIONS[0]} to {table.VERSIONS[-1]}",
        "confusables": confusables.DATA_SOURCE,
    }


def package_versions() -> dict[str, str]:
    """Return the installed versions of the dependencies of tokharness."""
    names = [
        requirement.partition(">")[0].strip()
        for requirement in requires("tokharness") or ()
        if "extra ==" not in requirement
    ]
    return {name: _version(name) for name in sorted(names)}


@cache
def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
