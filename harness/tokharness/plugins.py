"""Where checks, case families, target adapters and output formats come from.

Each kind has an entry-point group whose entries name *packages*; every public module directly in
such a package is one check, family, adapter or format. What is built in comes through the same
door as a stranger's plugin, so adding one is one new file and no edit elsewhere.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from tokharness.errors import PluginError, UnknownNameError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path
    from types import ModuleType

    from hypothesis.strategies import SearchStrategy

    from tokharness.model import Case, TargetFacts, Tokenizer
    from tokharness.training import Trained, Training

    Train: TypeAlias = Callable[[Iterable[str], Path, Training, Callable[[int], object]], Trained]

__all__ = ["Adapter", "Check", "Family", "Format", "adapters", "checks", "families", "formats"]


@dataclass(frozen=True, slots=True)
class Check:
    """One property: a module with ``CODE``, ``NAME``, and ``failing``/``diagnose`` or ``audit``.

    ``failing(batch, subject)`` gives the rows to look at, cheaply; ``diagnose(text, subject)``
    observes one text afresh and gives the causes that may explain it, the most specific first,
    none if it does not fail; ``audit(subject)`` looks at a whole target and yields failures.
    ``requires`` names capabilities of the target (or ``reference``, or ``cases``, the enumerated
    ones of families) without which it is skipped;
    ``columns`` those of a batch that ``failing`` reads beside texts, ids and errors. A check that
    takes seconds names the ``profiles`` that have it; others run it only where it is selected. A
    cause of a kind that it ``tells`` is told by this check also where a lower code finds it too.
    """

    code: str
    name: str
    page: str
    requires: tuple[str, ...]
    columns: tuple[str, ...]
    failing: Callable[..., Sequence[int]] | None
    diagnose: Callable[..., Sequence[Any]] | None
    audit: Callable[..., Iterable[Any]] | None
    profiles: tuple[str, ...] = ()
    tells: tuple[str, ...] = ()

    def matches(self, selector: str) -> bool:
        """Whether a code, the beginning of one (``TOK1``), or a name selects this check."""
        return self.name == selector or self.code.startswith(selector.upper())


@dataclass(frozen=True, slots=True)
class Family:
    """A module of cases: finite and ordered (``cases``) and random (``strategy``).

    ``texts(facts)`` gives the texts of the cases as a sequence that can be cut; a module of very
    many or very long texts has its own, which makes them as they are asked for. One that is
    ``exhaustive`` tries everything of a kind, so that checks which ask once more look at few of
    its texts; one that is not ``compared`` has texts too long for a reference in plain Python. One
    that is ``replayed`` has texts that failed once, of the project and not of the release: they are
    tried before all others, in every profile, each by all checks, and no baseline knows of them.
    """

    name: str
    page: str
    cases: Callable[[TargetFacts], Iterator[Case]]
    strategy: Callable[[TargetFacts], SearchStrategy[str]]
    texts: Callable[[TargetFacts], Sequence[str]]
    exhaustive: bool = False
    compared: bool = True
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Adapter:
    """What loads the targets of one scheme: a module with ``SCHEME`` and ``load``.

    It may have ``reference(rest)``, the spec of what a target is compared with unless the user
    says; ``names()`` of targets that it knows; and ``versions()`` of the libraries it rests on.
    ``guarded`` targets cannot take a process of ours with them: they have one of their own.
    ``train(texts, path, training, progress)`` trains a target on texts and writes it to a path, so
    that ``SCHEME:PATH`` is it; ``progress`` is told how many tokens there are. What cannot be
    trained is a UsageError, before the first text is asked for.
    """

    scheme: str
    page: str
    load: Callable[[str], Tokenizer]
    reference: Callable[[str], str | None]
    names: Callable[[], tuple[str, ...]]
    versions: Callable[[], dict[str, str]]
    guarded: bool = False
    train: Train | None = None


@dataclass(frozen=True, slots=True)
class Format:
    """An output format: ``render(report, width=..., color=...)`` gives the whole output.

    One that ``measures`` shows what was measured, so a run for it measures unless told not to; one
    that ``compares`` can show targets side by side.
    """

    name: str
    page: str
    render: Callable[..., str]
    measures: bool = False
    compares: bool = False


COLUMNS = ("decoded", "reference_ids")
"""Columns of a batch that cost something, all of which a check gets unless it names its own."""

Plugin = TypeVar("Plugin", Check, Family, Adapter, Format)


def summary(page: str) -> str:
    """First line of a page, without its full stop."""
    return page.strip().partition("\n")[0].rstrip(".")


@functools.cache
def checks() -> dict[str, Check]:
    """All checks by code, in the order of their codes."""
    return _by_name("checks", _check, lambda check: check.code)


@functools.cache
def families() -> dict[str, Family]:
    """All case families by name, in alphabetical order."""
    return _by_name("families", _family, lambda family: family.name)


@functools.cache
def adapters() -> dict[str, Adapter]:
    """All target adapters by scheme, in alphabetical order."""
    return _by_name("targets", _adapter, lambda adapter: adapter.scheme)


@functools.cache
def formats() -> dict[str, Format]:
    """All output formats by name, in alphabetical order."""
    return _by_name("formats", _format, lambda fmt: fmt.name)


def find(kind: str, name: str, known: dict[str, Plugin]) -> Plugin:
    """Return the plugin of this name, or offer the nearest names."""
    if name not in known:
        raise UnknownNameError(kind, name, known)
    return known[name]


def adapter(spec: str) -> Adapter:
    """Return the adapter of a target's spec, or offer what a spec without a scheme may mean."""
    scheme, colon, _ = spec.partition(":")
    known = adapters()
    if scheme not in known and not colon and ("." in spec or "_" in spec):
        meant = f"python:{spec}:FACTORY" if spec.endswith(".py") else f"tiktoken:{spec}"
        raise UsageError(f"a target is SCHEME:NAME, and {spec!r} has no scheme: try {meant!r}")
    return find("target scheme", scheme, known)


def family(name: str) -> Family:
    """Return the family of a name, or the one that a module, ``package.module``, is."""
    known = families()
    if name in known or "." not in name:
        return find("family", name, known)
    try:
        return _family(importlib.import_module(name))
    except Exception as error:
        raise UsageError(f"the module {name} is no family: {error}") from error


def _by_name(
    kind: str, make: Callable[[ModuleType], Plugin], key: Callable[[Plugin], str]
) -> dict[str, Plugin]:
    found: dict[str, Plugin] = {}
    for module in _modules(f"tokharness.{kind}"):
        try:
            plugin = make(module)
        except AttributeError as error:
            raise PluginError(
                f"plugin {module.__name__} of {kind} is incomplete: {error}"
            ) from error
        if key(plugin) in found:
            raise PluginError(f"two plugins of {kind} are called {key(plugin)!r}; remove one")
        found[key(plugin)] = plugin
    return dict(sorted(found.items()))


def _modules(group: str) -> Iterator[ModuleType]:
    for entry in sorted(entry_points(group=group)):
        try:
            package = entry.load()
            for info in pkgutil.iter_modules(package.__path__):
                if not info.name.startswith("_"):
                    yield importlib.import_module(f"{package.__name__}.{info.name}")
        except Exception as error:  # whatever a stranger's module does
            raise PluginError(
                f"plugin {entry.name!r} ({entry.value}) of {group} cannot be loaded: {error}"
            ) from error


def _page(module: ModuleType) -> str:
    if not module.__doc__:
        raise AttributeError(f"{module.__name__} has no docstring to be its page")
    return inspect.cleandoc(module.__doc__)


def _check(module: ModuleType) -> Check:
    audit = getattr(module, "audit", None)
    failing = getattr(module, "failing", None)
    if not (audit or failing):
        raise AttributeError(f"{module.__name__} has neither audit nor failing")
    return Check(
        code=module.CODE,
        name=module.NAME,
        page=_page(module),
        requires=tuple(getattr(module, "REQUIRES", ())),
        columns=tuple(getattr(module, "COLUMNS", COLUMNS)) if failing else (),
        failing=failing,
        diagnose=module.diagnose if failing else None,
        audit=audit,
        profiles=tuple(getattr(module, "PROFILES", ())),
        tells=tuple(getattr(module, "TELLS", ())),
    )


def _family(module: ModuleType) -> Family:
    name = module.__name__.rpartition(".")[2].replace("_", "-")
    cases = module.cases

    def texts(facts: TargetFacts) -> Sequence[str]:
        return [case.text for case in cases(facts)]

    return Family(
        name,
        _page(module),
        cases,
        module.strategy,
        getattr(module, "texts", texts),
        exhaustive=bool(getattr(module, "EXHAUSTIVE", False)),
        compared=bool(getattr(module, "COMPARED", True)),
        replayed=bool(getattr(module, "REPLAYED", False)),
    )


def _adapter(module: ModuleType) -> Adapter:
    return Adapter(
        module.SCHEME,
        _page(module),
        module.load,
        getattr(module, "reference", lambda _: None),
        getattr(module, "names", tuple),
        getattr(module, "versions", dict),
        bool(getattr(module, "GUARDED", False)),
        getattr(module, "train", None),
    )


def _format(module: ModuleType) -> Format:
    measures, compares = (bool(getattr(module, name, False)) for name in ("MEASURES", "COMPARES"))
    return Format(module.NAME, _page(module), module.render, measures, compares)
