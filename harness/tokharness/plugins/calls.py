"""Calls of functions of plugins: an exception or a wrong result becomes a PluginError.

:mod:`tokharness.plugins` wraps each function of a plugin when it loads it, so that an error names
the module at fault. The wrappers cost nothing per text.
"""

from __future__ import annotations

import contextlib
import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from tokharness.boundary.exceptions import name_of_class
from tokharness.errors import (
    BudgetSpentError,
    PluginError,
    TargetDeath,
    TokharnessError,
    UsageError,
    message_of,
)
from tokharness.model import Case, Cause, Failure, Verdict
from tokharness.plugins.kinds import LINE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from tokharness.model import TargetFacts

    AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])
    Result = TypeVar("Result")

PASSED_ON = (
    *(TokharnessError, TargetDeath, BudgetSpentError),
    *(MemoryError, KeyboardInterrupt, GeneratorExit),
)
"""Exceptions that are not a fault of the plugin: errors and interrupts of the user, the death of a
target, the end of its time, and of a generator. SystemExit would end the command with success.
"""


@dataclass(frozen=True, slots=True)
class PluginFunction:
    """A function of a plugin; as a context it turns exceptions into PluginError.

    ``kind`` is the kind of the plugin, such as ``check``, and ``module`` its dotted name.
    ``arguments`` are the arguments of the call, for an error about the function's signature.
    """

    kind: str
    module: str
    name: str
    arguments: str = ""

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, _: object, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is not None and not isinstance(error, PASSED_ON):
            problem = f"raised {name_of_class(type(error))}: {message_of(error)}"
            # An error in the signature is raised by the call itself, with no frame of its own.
            if isinstance(error, TypeError) and traceback and traceback.tb_next is None:
                problem += f"; it is called as {self.name}({self.arguments})"
            raise self.error(problem) from error

    def error(self, problem: str) -> PluginError:
        """Return the error that says what the function did wrong."""
        return PluginError(f"the {self.kind} {self.module} failed: {self.name} {problem}")


def named_errors(call: PluginFunction, function: AnyFunction) -> AnyFunction:
    """Return the function, with its exceptions as PluginError."""

    @functools.wraps(function)
    def checked(*arguments: Any, **options: Any) -> Any:
        with call:
            return function(*arguments, **options)

    return checked  # type: ignore[return-value]


def checked_failing(
    call: PluginFunction, failing: Callable[..., Iterable[int]]
) -> Callable[..., Sequence[int]]:
    """Return ``failing`` of a check, which has to return row numbers."""

    @functools.wraps(failing)
    def checked(batch: Any, subject: Any) -> Sequence[int]:
        with call:
            result = failing(batch, subject)
            if result is None:
                raise call.error("returned None, not row numbers")
            rows = list(result)
        if rows:
            for kind in set(map(type, rows)):
                if kind is bool or not hasattr(kind, "__index__"):
                    raise call.error(f"returned a list with {_named(kind)}, not row numbers")
            if not 0 <= min(rows) <= max(rows) < len(batch.texts):
                raise call.error(f"returned a row that is not one of {len(batch.texts)}")
        return rows

    return checked


def checked_diagnose(
    call: PluginFunction, diagnose: Callable[..., Iterable[Cause]]
) -> Callable[..., Sequence[Cause]]:
    """Return ``diagnose`` of a check, which has to return a list of causes."""

    @functools.wraps(diagnose)
    def checked(text: str, subject: Any) -> Sequence[Cause]:
        with call:
            result = diagnose(text, subject)
            if result is None or isinstance(result, str | Cause):
                raise call.error(f"returned {_named(type(result))}, not a list of causes")
            causes = result if isinstance(result, list | tuple) else list(result)
        for cause in causes:
            _check_cause(call, cause)
        return causes

    return checked


def checked_audit(
    call: PluginFunction, audit: Callable[..., Iterable[Failure]]
) -> Callable[..., Iterator[Failure]]:
    """Return ``audit`` of a check, which has to yield failures."""

    @functools.wraps(audit)
    def checked(subject: Any) -> Iterator[Failure]:
        with call:
            for failure in audit(subject):
                if not isinstance(failure, Failure):
                    raise call.error(f"yields {_named(type(failure))}, not a Failure")
                _check_cause(call, failure.cause)
                yield failure

    return checked


def _check_cause(call: PluginFunction, cause: object) -> None:
    if not isinstance(cause, Cause):
        raise call.error(f"gives {_named(type(cause))} as a cause, not a Cause")
    if not isinstance(cause.verdict, Verdict):
        raise call.error(f"gives a Cause whose verdict is {cause.verdict!r}, not a Verdict")
    if not isinstance(cause.kind, str) or not LINE.fullmatch(cause.kind):
        raise call.error(f"gives a Cause whose kind is {cause.kind!r}, not one line of text")
    if not isinstance(cause.message, str):
        raise call.error(f"gives a Cause whose message is {cause.message!r}, not a str")
    try:
        hash(cause), str(cause)
    except (TypeError, ValueError) as error:
        problem = "gives a Cause whose parameters are not a tuple of pairs of strings"
        raise call.error(problem) from error


def checked_cases(
    call: PluginFunction, cases: Callable[..., Iterable[Case]]
) -> Callable[..., Iterator[Case]]:
    """Return ``cases`` of a family, which has to yield cases."""

    @functools.wraps(cases)
    def checked(*facts: TargetFacts) -> Iterator[Case]:
        with call:
            result = cases(*facts)
            if result is None:
                raise call.error("returned None, not an iterable of cases")
            for case in result:
                if not isinstance(case, Case):
                    raise call.error(f"yields {_named(type(case))}, not a Case")
                yield case

    return checked


def checked_texts(
    call: PluginFunction, texts: Callable[..., Sequence[str]]
) -> Callable[..., Sequence[str]]:
    """Return ``texts`` of a family, which has to return a sequence of strings.

    The items of a lazy sequence are not read.
    """

    @functools.wraps(texts)
    def checked(*facts: TargetFacts) -> Sequence[str]:
        with call:
            result = texts(*facts)
        if isinstance(result, str | dict) or not hasattr(result, "__getitem__"):
            raise call.error(f"returned {_named(type(result))}, not a sequence of texts")
        if isinstance(result, list | tuple) and (wrong := wrong_type(result, str)):
            raise call.error(f"gives {wrong} as a text, not a str")
        return result

    return checked


def checked_unpack(
    call: PluginFunction, unpack: Callable[[str], Sequence[str]]
) -> Callable[[str], Sequence[str]]:
    """Return ``unpack`` of a family, which has to return a list of strings."""

    @functools.wraps(unpack)
    def checked(text: str) -> Sequence[str]:
        with call:
            parts = unpack(text)
        if not isinstance(parts, list | tuple):
            raise call.error(f"returned {_named(type(parts))}, not a list of texts")
        if wrong := wrong_type(parts, str):
            raise call.error(f"gives {wrong} as a text, not a str")
        return parts

    return checked


def checked_load(call: PluginFunction, load: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return ``load`` of an adapter, which has to return a tokenizer."""

    @functools.wraps(load)
    def checked(rest: str) -> Any:
        with call:
            tokenizer = load(rest)
        if tokenizer is None:
            raise call.error("returned None, not a tokenizer")
        return tokenizer

    return checked


def checked_result(
    call: PluginFunction, function: Callable[..., Result | None], kind: type[Result]
) -> Callable[..., Result | None]:
    """Return a function whose result has to be an object of a type, or None."""

    @functools.wraps(function)
    def checked(*arguments: Any) -> Result | None:
        with call:
            result = function(*arguments)
        if result is not None and not isinstance(result, kind):
            raise call.error(f"returned {_named(type(result))}, not a {kind.__name__} or None")
        return result

    return checked


def checked_versions(
    call: PluginFunction, versions: Callable[..., dict[str, str]]
) -> Callable[..., dict[str, str]]:
    """Return ``versions`` of an adapter, which has to return a dict of one-line strings."""

    @functools.wraps(versions)
    def checked(*rest: str) -> dict[str, str]:
        with call:
            result = versions(*rest)
            strings = [string for pair in result.items() for string in pair]
        if not all(isinstance(string, str) and LINE.fullmatch(string) for string in strings):
            raise call.error("returned versions that are not a dict of one-line strings")
        return dict(result)

    return checked


def checked_render(call: PluginFunction, render: Callable[..., str]) -> Callable[..., str]:
    """Return ``render`` of a format, which has to return a string."""

    @functools.wraps(render)
    def checked(*arguments: Any, **options: Any) -> str:
        with call:
            output = render(*arguments, **options)
        if not isinstance(output, str):
            raise call.error(f"returned {_named(type(output))}, not a str")
        return output

    return checked


def wrong_type(items: Iterable[object], kind: type) -> str:
    """Return the type of an item that is not of the required kind; "" if all items are."""
    types = set(map(type, items))
    return min((_named(each) for each in types if not issubclass(each, kind)), default="")


def _named(kind: type) -> str:
    return "None" if kind is type(None) else f"a {kind.__name__}"


# Calls of functions of plugins that look at a file or a folder.


def checked_recognize(
    call: PluginFunction, recognize: Callable[[Path], str | Iterable[str] | None]
) -> Callable[[Path], tuple[str, ...]]:
    """Return ``recognize`` of an adapter, whose result may be a string, strings or None."""

    @functools.wraps(recognize)
    def checked(path: Path) -> tuple[str, ...]:
        with call, _readable(path):
            rests = _strings(recognize(path))
        return _checked(call, rests)

    return checked


def checked_strings(
    call: PluginFunction, function: Callable[..., str | Iterable[str] | None]
) -> Callable[..., tuple[str, ...]]:
    """Return a function of an adapter whose result may be a string, strings or None."""

    @functools.wraps(function)
    def checked(*arguments: str) -> tuple[str, ...]:
        with call:
            strings = _strings(function(*arguments))
        return _checked(call, strings)

    return checked


def _strings(result: str | Iterable[str] | None) -> tuple[str, ...]:
    return (result,) if isinstance(result, str) else tuple(result or ())


def _checked(call: PluginFunction, rests: tuple[str, ...]) -> tuple[str, ...]:
    if wrong := wrong_type(rests, str):
        raise call.error(f"gives {wrong} as the rest of a spec, not a str")
    return rests


def checked_describe(
    call: PluginFunction, describe: Callable[[Path], str | None]
) -> Callable[[Path], str | None]:
    """Return ``describe`` of a package of adapters, which has to return one line or None."""

    @functools.wraps(describe)
    def checked(path: Path) -> str | None:
        with call, _readable(path):
            result = describe(path)
        if result is not None and not (isinstance(result, str) and LINE.fullmatch(result)):
            raise call.error(f"returned {result!r}, not one line of text")
        return result

    return checked


@contextlib.contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Turn an OSError, which is not a fault of the plugin, into a UsageError."""
    try:
        yield
    except OSError as error:
        where = str(error.filename or path)
        raise UsageError(f"cannot read {where!r}: {error.strerror or error}") from error
