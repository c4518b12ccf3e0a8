"""Load checks, case families, target adapters and output formats from entry points.

Each kind has an entry point group whose entries name *packages*. Every public module directly in
such a package is one check, family, adapter or format. Built-in modules are loaded in the same way
as those of other packages, so a new module in one of them is found without registration.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
from collections import deque
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from tokharness.errors import PluginError, UnknownNameError, UsageError
from tokharness.plugin_calls import (
    PluginFunction,
    checked_audit,
    checked_cases,
    checked_diagnose,
    checked_failing,
    checked_render,
    checked_texts,
    named_errors,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path
    from types import ModuleType

    from hypothesis.strategies import SearchStrategy

    from tokharness.model import Case, TargetFacts, Tokenizer
    from tokharness.training import TrainingOptions, TrainingResult

    Progress: TypeAlias = Callable[[int], object]
    Train: TypeAlias = Callable[[Iterable[str], Path, TrainingOptions, Progress], TrainingResult]

__all__ = ["Adapter", "Check", "Family", "Format", "adapters", "checks", "families", "formats"]


@dataclass(frozen=True, slots=True)
class Check:
    """One property: a module with ``CODE``, ``NAME``, and ``failing``/``diagnose`` or ``audit``.

    Attributes:
        code: Its code, such as ``TOK101``.
        name: Its name.
        page: The docstring of the module, which is its documentation.
        requires: Optional methods of the target without which the check is skipped; also
            ``reference``, and ``cases`` for the enumerated cases of families.
        columns: The columns of a batch that ``failing`` reads in addition to texts, ids and errors.
        failing: ``failing(batch, subject)`` returns the rows that fail. It has to be cheap.
        diagnose: ``diagnose(text, subject)`` calls the target again for one text and returns the
            causes that may explain a failure, the most specific first; none if it does not fail.
        audit: ``audit(subject)`` examines the whole target and yields failures.
        profiles: The profiles that run the check; empty for all. Other profiles run it only if it
            is selected.
        owned_causes: Kinds of causes that this check reports even if a check with a lower code
            finds them too.
        module: The dotted name of its module.

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
    owned_causes: tuple[str, ...] = ()
    module: str = ""

    def matches(self, selector: str) -> bool:
        """Whether a selector, a code, a prefix of a code (``TOK1``) or a name, has this check."""
        return self.name == selector or self.code.startswith(selector.upper())


@dataclass(frozen=True, slots=True)
class Family:
    """A module of cases, enumerated (``cases``) and random (``strategy``).

    Attributes:
        name: Its name.
        page: The docstring of the module, which is its documentation.
        cases: ``cases(facts)`` yields the cases, always in the same order.
        strategy: ``strategy(facts)`` returns the Hypothesis strategy of random texts.
        texts: ``texts(facts)`` returns the texts of the cases as a sequence. A module with very
            many or very long texts has a lazy sequence of its own.
        exhaustive: The family has all texts of a kind. Checks that call the target again use few
            of them.
        compared: False if the texts are too long for a reference in plain Python.
        replayed: The texts are regressions of the user's project. They run before all others, in
            every profile and with all checks, and no baseline includes them.
        module: The dotted name of its module.

    """

    name: str
    page: str
    cases: Callable[[TargetFacts], Iterator[Case]]
    strategy: Callable[[TargetFacts], SearchStrategy[str]]
    texts: Callable[[TargetFacts], Sequence[str]]
    exhaustive: bool = False
    compared: bool = True
    replayed: bool = False
    module: str = ""


@dataclass(frozen=True, slots=True)
class Adapter:
    """A loader of targets: a module with ``SCHEME`` and ``load``.

    Attributes:
        scheme: The part of a spec before the first colon.
        page: The docstring of the module, which is its documentation.
        load: ``load(rest)`` returns the tokenizer for the rest of a spec.
        reference: ``reference(rest)`` returns the spec of the automatic reference, or None.
        names: ``names()`` returns the names of known targets.
        versions: ``versions()`` returns the versions of the libraries that it uses, by name.
        guarded: Its targets cannot crash our process, as they run in a separate one.
        train: ``train(texts, path, options, progress)`` trains a target on texts and writes it to a
            path, which ``SCHEME:PATH`` then loads. It calls ``progress`` with the number of tokens
            so far. It raises UsageError for invalid options before it reads the first text.
        module: The dotted name of its module.

    """

    scheme: str
    page: str
    load: Callable[[str], Tokenizer]
    reference: Callable[[str], str | None]
    names: Callable[[], tuple[str, ...]]
    versions: Callable[[], dict[str, str]]
    guarded: bool = False
    train: Train | None = None
    module: str = ""


@dataclass(frozen=True, slots=True)
class Format:
    """An output format: a module with ``NAME`` and ``render``.

    Attributes:
        name: Its name.
        page: The docstring of the module, which is its documentation.
        render: ``render(report, width=..., color=...)`` returns the whole output.
        measures: The format shows metrics, so a run for it collects them by default.
        compares: The format can show targets side by side.
        module: The dotted name of its module.

    """

    name: str
    page: str
    render: Callable[..., str]
    measures: bool = False
    compares: bool = False
    module: str = ""


COLUMNS = ("decoded", "reference_ids")
"""Columns of a batch that cost time; a check without ``COLUMNS`` gets all of them."""

Plugin = TypeVar("Plugin", Check, Family, Adapter, Format)


def summary(page: str) -> str:
    """Return the first line of a page, without its full stop, with code in single backticks."""
    return page.strip().partition("\n")[0].rstrip(".").replace("``", "`")


@functools.cache
def checks() -> dict[str, Check]:
    """Return all checks by code, sorted by code."""
    return _by_name("checks", _check, lambda check: check.code)


@functools.cache
def families() -> dict[str, Family]:
    """Return all case families by name, in alphabetical order."""
    return _by_name("families", _family, lambda family: family.name)


@functools.cache
def adapters() -> dict[str, Adapter]:
    """Return all target adapters by scheme, in alphabetical order."""
    return _by_name("targets", _adapter, lambda adapter: adapter.scheme)


@functools.cache
def formats() -> dict[str, Format]:
    """Return all output formats by name, in alphabetical order."""
    return _by_name("formats", _format, lambda fmt: fmt.name)


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
        return _family(importlib.import_module(name))
    except Exception as error:
        raise UsageError(f"the module {name} is not a family: {error}") from error


def _by_name(
    kind: str, make: Callable[[ModuleType], Plugin], key: Callable[[Plugin], str]
) -> dict[str, Plugin]:
    plugins: dict[str, Plugin] = {}
    for module in _modules(f"tokharness.{kind}"):
        try:
            plugin = make(module)
        except AttributeError as error:
            raise PluginError(
                f"plugin {module.__name__} of {kind} is incomplete: {error}"
            ) from error
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
            for info in pkgutil.iter_modules(package.__path__):
                if not info.name.startswith("_"):
                    yield importlib.import_module(f"{package.__name__}.{info.name}")
        except Exception as error:  # raised by the module
            raise PluginError(
                f"plugin {entry.name!r} ({entry.value}) of {group} cannot be loaded: {error}"
            ) from error


def _page(module: ModuleType) -> str:
    if not module.__doc__:
        raise AttributeError(f"{module.__name__} has no docstring, which is its page")
    return inspect.cleandoc(module.__doc__)


def _check(module: ModuleType) -> Check:
    audit = getattr(module, "audit", None)
    failing = getattr(module, "failing", None)
    if not (audit or failing):
        raise AttributeError(f"{module.__name__} has neither audit nor failing")
    call = functools.partial(PluginFunction, "check", module.__name__)
    return Check(
        code=module.CODE,
        name=module.NAME,
        page=_page(module),
        requires=tuple(getattr(module, "REQUIRES", ())),
        columns=tuple(getattr(module, "COLUMNS", COLUMNS)) if failing else (),
        failing=checked_failing(call("failing"), failing) if failing else None,
        diagnose=checked_diagnose(call("diagnose"), module.diagnose) if failing else None,
        audit=checked_audit(call("audit"), audit) if audit else None,
        profiles=tuple(getattr(module, "PROFILES", ())),
        owned_causes=tuple(getattr(module, "OWNED_CAUSES", ())),
        module=module.__name__,
    )


def _family(module: ModuleType) -> Family:
    name = module.__name__.rpartition(".")[2].replace("_", "-")
    call = functools.partial(PluginFunction, "family", module.__name__)
    cases = checked_cases(call("cases"), module.cases)

    def texts_of_cases(facts: TargetFacts) -> Sequence[str]:
        try:
            return [case.text for case in module.cases(facts)]
        except AttributeError:
            deque(cases(facts), maxlen=0)  # raises if what has no text is not a case
            raise

    texts = getattr(module, "texts", None)
    return Family(
        name,
        _page(module),
        cases,
        named_errors(call("strategy"), module.strategy),
        checked_texts(call("texts"), texts)
        if texts
        else checked_texts(call("cases"), texts_of_cases),
        exhaustive=bool(getattr(module, "EXHAUSTIVE", False)),
        compared=bool(getattr(module, "COMPARED", True)),
        replayed=bool(getattr(module, "REPLAYED", False)),
        module=module.__name__,
    )


def _adapter(module: ModuleType) -> Adapter:
    call = functools.partial(PluginFunction, "target adapter", module.__name__)
    return Adapter(
        module.SCHEME,
        _page(module),
        named_errors(call("load"), module.load),
        named_errors(call("reference"), getattr(module, "reference", lambda _: None)),
        named_errors(call("names"), getattr(module, "names", tuple)),
        named_errors(call("versions"), getattr(module, "versions", dict)),
        bool(getattr(module, "GUARDED", False)),
        getattr(module, "train", None),
        module.__name__,
    )


def _format(module: ModuleType) -> Format:
    measures, compares = (bool(getattr(module, name, False)) for name in ("MEASURES", "COMPARES"))
    render = checked_render(PluginFunction("format", module.__name__, "render"), module.render)
    return Format(module.NAME, _page(module), render, measures, compares, module.__name__)
