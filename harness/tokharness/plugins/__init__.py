"""Load checks, case families, target adapters and output formats from entry points.

Each kind has an entry point group whose entries name *packages*. Every public module directly in
such a package is one check, family, adapter or format. Built-in modules are loaded in the same way
as those of other packages, so a new module in one of them is found without registration.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, TypeVar

from tokharness.errors import PluginError, UnknownNameError, UsageError
from tokharness.plugins.kinds import Adapter, Check, Family, Format
from tokharness.plugins.modules import adapter_of, check_of, family_of, format_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

__all__ = [
    "Adapter",
    "Check",
    "Family",
    "Format",
    "adapter",
    "adapters",
    "checks",
    "families",
    "family",
    "find",
    "formats",
    "summary",
]

Plugin = TypeVar("Plugin", Check, Family, Adapter, Format)


def summary(page: str) -> str:
    """Return the first line of a page, without its full stop, with code in single backticks."""
    return page.strip().partition("\n")[0].rstrip(".").replace("``", "`")


@functools.cache
def checks() -> dict[str, Check]:
    """Return all checks by code, sorted by code."""
    return _by_name("checks", check_of, lambda check: check.code)


@functools.cache
def families() -> dict[str, Family]:
    """Return all case families by name, in alphabetical order."""
    return _by_name("families", family_of, lambda family: family.name)


@functools.cache
def adapters() -> dict[str, Adapter]:
    """Return all target adapters by scheme, in alphabetical order."""
    return _by_name("targets", adapter_of, lambda adapter: adapter.scheme)


@functools.cache
def formats() -> dict[str, Format]:
    """Return all output formats by name, in alphabetical order."""
    return _by_name("formats", format_of, lambda fmt: fmt.name)


def find(kind: str, name: str, available: dict[str, Plugin]) -> Plugin:
    """Return the plugin of a name; raises UnknownNameError, which suggests similar names."""
    if name not in available:
        raise UnknownNameError(kind, name, available)
    return available[name]


def adapter(spec: str) -> Adapter:
    """Return the adapter of a target's spec.

    Raises:
        UsageError: the spec has no known scheme; the message suggests a spec.

    """
    scheme, colon, _ = spec.partition(":")
    by_scheme = adapters()
    if scheme not in by_scheme and not colon and ("." in spec or "_" in spec):
        guess = f"python:{spec}:FACTORY" if spec.endswith(".py") else f"tiktoken:{spec}"
        raise UsageError(f"a target is SCHEME:NAME, and {spec!r} has no scheme: try {guess!r}")
    return find("target scheme", scheme, by_scheme)


def family(name: str) -> Family:
    """Return the family of a name, or of a module, ``package.module``.

    Raises:
        UsageError: the name is unknown, or the module is not a family.

    """
    by_name = families()
    if name in by_name or "." not in name:
        return find("family", name, by_name)
    try:
        return family_of(importlib.import_module(name))
    except Exception as error:
        raise UsageError(f"the module {name} is not a family: {error}") from error


def _by_name(
    kind: str, make: Callable[[ModuleType], Plugin], key: Callable[[Plugin], str]
) -> dict[str, Plugin]:
    plugins: dict[str, Plugin] = {}
    for module in _modules(f"tokharness.{kind}"):
        try:
            plugin = make(module)
        except (AttributeError, ValueError) as error:
            raise PluginError(f"the plugin {module.__name__} of {kind} fails: {error}") from error
        if key(plugin) in plugins:
            modules = f"{plugins[key(plugin)].module} and {module.__name__}"
            raise PluginError(
                f"two plugins of {kind} are called {key(plugin)!r}: {modules}; remove or rename one"
            )
        plugins[key(plugin)] = plugin
    return dict(sorted(plugins.items()))


def _modules(group: str) -> Iterator[ModuleType]:
    for entry in sorted(entry_points(group=group)):
        try:
            package = entry.load()
            names = [info.name for info in pkgutil.iter_modules(package.__path__)]
        except Exception as error:  # raised by the package
            raise PluginError(
                f"the package {entry.value} of {entry.name!r} in {group} cannot be loaded: {error}"
            ) from error
        yield from (_module(f"{entry.value}.{name}") for name in names if name[0] != "_")


def _module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as error:  # raised by the module
        raise PluginError(f"the plugin {name} cannot be loaded: {error}") from error
