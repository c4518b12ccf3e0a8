"""The versions of everything that decides a result."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Any

from tokharness import plugins

__all__ = ["package_versions", "versions"]


def versions() -> dict[str, Any]:
    """Versions of tokharness, Python, Unicode data, dependencies and adapters' libraries."""
    return {
        "tokharness": _version("tokharness"),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "platform": f"{sys.platform} {platform.machine()}",
        "unicode": unicode_versions(),
        "packages": package_versions(),
        "targets": {scheme: one.versions() for scheme, one in plugins.adapters().items()},
    }


def unicode_versions() -> dict[str, str]:
    """Unicode versions of the tables in use, by who brings them, and the confusables' source."""
    from tokharness.unicode import confusables, properties
    from tokharness.unicode import versions as table

    return {
        "unicodedata2": properties.UNICODE_VERSION,
        "regex": table.REGEX_VERSION,
        "version table": f"{table.VERSIONS[0]} to {table.VERSIONS[-1]}",
        "confusables": confusables.DATA_SOURCE,
    }


def package_versions() -> dict[str, str]:
    """Versions of the packages that tokharness needs, as installed."""
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
