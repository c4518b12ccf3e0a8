"""Versions of everything that affects a result."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Any

from tokharness import plugins


def versions() -> dict[str, Any]:
    """Return the versions of tokharness, Python, Unicode data, dependencies and adapters."""
    return {
        "tokharness": _version("tokharness"),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "platform": f"{sys.platform} {platform.machine()}",
        "unicode": unicode_versions(),
        "packages": package_versions(),
        "targets": {scheme: adapter.versions() for scheme, adapter in plugins.adapters().items()},
    }


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


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
