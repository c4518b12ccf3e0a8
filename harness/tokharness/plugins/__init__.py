"""Load checks, case families, target adapters and output formats from entry points.

Each kind has an entry point group whose entries name *packages*. Every public module directly in
such a package is a check, family, adapter or format. Built-in modules are loaded in the same way as
modules of other packages, so that a new module in a package is found without registration.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from dataclasses import replace
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, TypeVar

from tokharness.errors import PluginError, UnknownNameError, UsageError, message_of
from tokharness.plugins.calls import PluginFunction, checked_describe
from tokharness.plugins.kinds import (
    Adapter,
    ChatCheck,
    Check,
    ChunkCheck,
    Family,
    Format,
    ParserCheck,
    Trainer,
)
from tokharness.plugins.modules import (
    adapter_of,
    chat_check_of,
    check_of,
    chunk_check_of,
    family_of,
    format_of,
    parser_check_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path
    from types import ModuleType

__all__ = [
    "Adapter",
    "ChatCheck",
    "Check",
    "ChunkCheck",
    "Family",
    "Format",
    "ParserCheck",
    "Trainer",
    "adapter",
    "adapters",
    "all_checks",
    "chat_checks",
    "checks",
    "chunk_checks",
    "descriptions",
    "families",
    "family",
    "find",
    "formats",
    "has_known_scheme",
    "release_in",
    "renderer_command",
    "runs_code",
    "summary",
]

Plugin = TypeVar("Plugin", Check, Family, Adapter, Format, Trainer)


def summary(page: str) -> str:
    """Return the first line of a page, without its full stop, with code in single backticks."""
    return page.strip().partition("\n")[0].rstrip(".").replace("``", "`")


@functools.cache
def checks() -> dict[str, Check]:
    """Return all checks by code, sorted by code; no two have the same name."""
    found = _by_name("checks", check_of, lambda check: check.code)
    by_name: dict[str, Check] = {}
    for check in found.values():
        _refuse_two("checks", check.name, by_name.setdefault(check.name, check), check)
    return found


@functools.cache
def chat_checks() -> dict[str, ChatCheck]:
    """Return the checks of chat templates by code, sorted by code; they are ours alone."""
    found = map(chat_check_of, _our_modules("tokharness.conversations.checks"))
    return {check.code: check for check in sorted(found, key=lambda check: check.code)}


@functools.cache
def chunk_checks() -> dict[str, ChunkCheck]:
    """Return the checks of chunkers by code, sorted by code; they are ours alone."""
    found = map(chunk_check_of, _our_modules("tokharness.chunking.checks"))
    return {check.code: check for check in sorted(found, key=lambda check: check.code)}


@functools.cache
def parser_checks() -> dict[str, ParserCheck]:
    """Return the checks of stream parsers by code, sorted by code; they are ours alone."""
    found = map(parser_check_of, _our_modules("tokharness.parsing.checks"))
    return {check.code: check for check in sorted(found, key=lambda check: check.code)}


def _our_modules(package: str) -> Iterator[ModuleType]:
    path = importlib.import_module(package).__path__
    return (_module(f"{package}.{info.name}") for info in pkgutil.iter_modules(path))


def all_checks() -> dict[str, Check | ChatCheck | ChunkCheck | ParserCheck]:
    """Return the checks of texts, of chat templates, of chunkers and of parsers by code."""
    return {**checks(), **chat_checks(), **chunk_checks(), **parser_checks()}


@functools.cache
def families() -> dict[str, Family]:
    """Return all case families by name, in alphabetical order."""
    return _by_name("families", family_of, lambda family: family.name)


@functools.cache
def adapters() -> dict[str, Adapter]:
    """Return all target adapters by scheme, in alphabetical order."""
    return _by_name("targets", adapter_of, lambda adapter: adapter.scheme)


@functools.cache
def descriptions() -> tuple[Callable[[Path], str | None], ...]:
    """Return ``describe`` of the packages of adapters that have one.

    ``describe(path)`` describes a file or a folder that no adapter recognizes, or returns None.
    """
    packages = [
        package for package in _packages("tokharness.targets") if hasattr(package, "describe")
    ]
    return tuple(
        checked_describe(
            PluginFunction("package of adapters", one.__name__, "describe", "path"), one.describe
        )
        for one in packages
    )


def renderer_command(name: str) -> list[str]:
    """Return the command of a renderer of conversations, without the file with its template.

    ``renderer_command`` of a package of adapters knows it.

    Raises:
        TargetError: what it needs is not installed.
        UnknownNameError: there is no renderer of this name.

    """
    for package in _packages("tokharness.targets"):
        if hasattr(package, "renderer_command"):
            return [*map(str, package.renderer_command(name))]
    raise UsageError(f"no package has the renderer {name}: install tokharness as a whole")


@functools.cache
def formats() -> dict[str, Format]:
    """Return all output formats by name, in alphabetical order."""
    return _by_name("formats", format_of, lambda fmt: fmt.name)


def find(kind: str, name: str, available: Mapping[str, Plugin]) -> Plugin:
    """Return the plugin of a name; raises UnknownNameError, which suggests similar names."""
    if name not in available:
        raise UnknownNameError(kind, name, available)
    return available[name]


def adapter(spec: str) -> Adapter:
    """Return the adapter of a target's spec, which may name a release: ``SCHEME@RELEASE:REST``.

    Raises:
        UsageError: the spec has no known scheme, or one without releases; the message suggests
            a spec.

    """
    by_scheme = adapters()
    scheme = spec.partition(":")[0]
    if (named := release_in(spec)) is not None:
        return _at_release(*named)
    if scheme not in by_scheme:
        from tokharness.plugins.bare_paths import spec_of

        raise UsageError(
            f"a target is SCHEME:REST, and {spec!r} has no scheme: try {spec_of(spec)!r}"
        )
    return by_scheme[scheme]


def has_known_scheme(spec: str) -> bool:
    """Whether a word is a spec: its scheme, without a release, is that of an adapter."""
    return spec.partition(":")[0].partition("@")[0] in adapters()


def runs_code(spec: str) -> bool:
    """Whether the target of a spec is code of the user, not a file that a library reads."""
    adapter = adapters().get(spec.partition(":")[0].partition("@")[0])
    return adapter is None or adapter.runs_code


def release_in(spec: str) -> tuple[str, str] | None:
    """Return the scheme and the release of a spec that names a release; else None."""
    scheme, at, release = spec.partition(":")[0].partition("@")
    return (scheme, release) if at and scheme in adapters() else None


@functools.cache
def _at_release(scheme: str, release: str) -> Adapter:
    """Return the adapter whose targets are those of another release of its library."""
    one = adapters()[scheme]
    load = one.load_release
    if load is None:
        known = [f"{name}@" for name, other in adapters().items() if other.load_release]
        raise UsageError(
            f"{scheme}@{release}: {scheme} has no releases: "
            + (f"choose from {', '.join(known)}" if known else "no adapter has them")
        )
    return replace(
        one,
        scheme=f"{scheme}@{release}",
        load=functools.partial(load, release),
        versions=lambda: {one.library: release},
        versions_of=lambda _: {one.library: release},
        guarded=True,
        trainers=dict,
        plain_files=False,
        recognize=lambda _: (),
        also_reads=lambda _: (),
        alone=lambda _: (),
    )


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
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise UsageError(f"the module {name} is not a family: {_why(error)}") from error


def _by_name(
    kind: str, make: Callable[[ModuleType], Plugin], key: Callable[[Plugin], str]
) -> dict[str, Plugin]:
    plugins: dict[str, Plugin] = {}
    for module in _modules(f"tokharness.{kind}"):
        try:
            plugin = make(module)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            why = f"the plugin {module.__name__} of {kind} fails: {_why(error)}"
            raise PluginError(why) from error
        _refuse_two(kind, key(plugin), plugins.setdefault(key(plugin), plugin), plugin)
    return dict(sorted(plugins.items()))


def _refuse_two(kind: str, name: str, first: Plugin, second: Plugin) -> None:
    """Raise PluginError if two plugins have one name."""
    if first is not second:
        modules = f"{first.module} and {second.module}"
        raise PluginError(
            f"two plugins of {kind} are called {name!r}: {modules}; remove or rename one"
        )


def _modules(group: str) -> Iterator[ModuleType]:
    for package in _packages(group):
        names = [info.name for info in pkgutil.iter_modules(package.__path__)]
        yield from (_module(f"{package.__name__}.{name}") for name in names if name[0] != "_")


def _packages(group: str) -> Iterator[ModuleType]:
    for entry in sorted(entry_points(group=group)):
        try:
            package = entry.load()
            _ = package.__path__
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            what = f"the package {entry.value} of {entry.name!r} in {group}"
            raise PluginError(f"{what} cannot be loaded: {_why(error)}") from error
        yield package


def _module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise PluginError(f"the plugin {name} cannot be loaded: {_why(error)}") from error


def _why(error: BaseException) -> str:
    exits = isinstance(error, SystemExit)  # it would end the command
    message = message_of(error)
    return f"it exits with {message!r}" if exits else message or f"it raises {type(error).__name__}"
