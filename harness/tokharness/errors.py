"""The exceptions of tokharness.

::

    TokharnessError            stops a command: one sentence and exit code 2
    +-- UsageError             an invalid argument or option
    |   +-- UnknownNameError   an unknown name; the message suggests similar names
    +-- TargetError            a target cannot be loaded
    |   +-- VocabularyError    its vocabulary file is missing, truncated or corrupt
    |   +-- NotInstalledError  the library or the engine that it needs is not installed
    +-- PluginError            a plugin lacks the interface of its kind, raises or returns nonsense
    +-- NothingCheckedError    a run ended in which no check could run, or saw a text
    +-- NotFinishedError       a run ended, and something of it was not finished

    InternalError              a worker process failed because of a bug in tokharness
    TargetDeath                a target's process ended: an observation, not an error of the run
    SkippedTextError           takes the place of the result of a text that was skipped
    BudgetSpentError           there is no time for a further call of the target
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "INTERNAL_ERROR",
    "InternalError",
    "NotFinishedError",
    "NotInstalledError",
    "NothingCheckedError",
    "PluginError",
    "SkippedTextError",
    "TargetDeath",
    "TargetError",
    "TokharnessError",
    "UnknownNameError",
    "UsageError",
    "VocabularyError",
    "message_of",
    "restored",
]


_CUTOFF = 0.5
"""Similarity of a name that is suggested: 1 if it is equal, 0 if no character is."""

_LONGEST = 200
"""Characters of a name that are shown and compared; a file may have one of a megabyte."""

_DIGITS = str.maketrans("oil", "011")


EXTERNAL_SIGNALS = frozenset(
    f"SIG{name}" for name in ("KILL", "STOP", "TERM", "HUP", "QUIT", "USR1", "USR2", "XCPU", "PWR")
)

INTERNAL_ERROR = "internal error"
"""Reason of a death if our own code failed in the process of the target."""


class TokharnessError(Exception):
    """Stops a command; the message is one sentence."""


class UsageError(TokharnessError):
    """An argument, an option or a setting is invalid."""


class UnknownNameError(UsageError):
    """A name is unknown; the message suggests similar names."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        choices = sorted(known)
        if matches := _close_matches(name[:_LONGEST], choices):
            *first, last = map(repr, matches)
            hint = f"did you mean {' or '.join(filter(None, (', '.join(first), last)))}?"
        else:
            hint = f"choose from {', '.join(choices)}." if choices else "none is available."
        shown = repr(name if len(name) <= _LONGEST else f"{name[:_LONGEST]}...")
        super().__init__(f"no {kind} is called {shown}: {hint}")


def _close_matches(name: str, choices: list[str]) -> list[str]:
    """Return the three most similar names, best first, without regard to case.

    Of equally similar names, those come first in which a digit stands for a letter that looks like
    it, then those that are first in the alphabet.
    """
    from difflib import SequenceMatcher  # on use: the command has to start fast

    def similarity(choice: str) -> tuple[float, float]:
        a, b = choice.casefold(), name.casefold()
        with_digits = SequenceMatcher(None, a.translate(_DIGITS), b.translate(_DIGITS))
        return SequenceMatcher(None, a, b).ratio(), with_digits.ratio()

    ranks = {choice: similarity(choice) for choice in sorted(choices)}
    similar = (choice for choice, (ratio, _) in ranks.items() if ratio >= _CUTOFF)
    return sorted(similar, key=lambda choice: ranks[choice], reverse=True)[:3]


class TargetError(TokharnessError):
    """A target cannot be loaded.

    ``failure`` says what fails if the target is there and fails by itself: the name of an exception
    of its library, or how its process ended, without paths and numbers. It is "" for everything
    else, such as a wrong path.
    """

    def __init__(self, message: str, *, failure: str = "") -> None:
        super().__init__(message)
        self.failure = failure


class VocabularyError(TargetError):
    """A vocabulary file is missing, truncated or corrupt."""


class NotInstalledError(TargetError):
    """The library or the engine that a target needs is not installed; the message says how to."""


class PluginError(TokharnessError):
    """A plugin cannot be imported, lacks the interface of its kind, raises, or returns nonsense.

    If the plugin raised, the error has its exception as cause, or its traceback as a note.
    """


class NothingCheckedError(TokharnessError):
    """No check could run, no text was encoded, or a check that was asked for by name saw none."""


class NotFinishedError(TokharnessError):
    """Something that the run was to do was not finished, for a reason that is not the target's."""


class InternalError(Exception):
    """A worker process failed because of a bug in tokharness; a note has its traceback."""


class UnreachableError(TokharnessError):
    """A store did not give the bytes of a file of a corpus: another attempt may get them."""


def restored(kind: str, message: str, failure: str = "") -> TokharnessError | InternalError:
    """Return the error that another process of ours has raised, from the name of its class."""
    class_ = globals().get(kind)
    if not (isinstance(class_, type) and issubclass(class_, TokharnessError | InternalError)):
        class_ = TargetError
    error = class_.__new__(class_, message)  # not all classes are made from a message
    if isinstance(error, TargetError):
        error.failure = failure
    return error


class TargetDeath(Exception):  # noqa: N818 - an observation
    """A target's process ended, was killed, or sent an invalid response to a request.

    ``reason`` is ``time limit``, ``memory limit``, the name of a signal such as ``SIGSEGV``,
    ``exit code 3``, ``nonsense``, or ``internal error`` if our own code failed in the process of
    the target. ``detail`` is the last line of its standard error, its response, or that error.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(f"{reason}: {detail}" if detail else reason)

    @property
    def is_external(self) -> bool:
        """Whether the reason is a signal that a process gets from outside, as from an OOM killer.

        A target may also have sent it to itself.
        """
        return self.reason in EXTERNAL_SIGNALS


DEATHS = (TargetDeath, MemoryError)
"""What ends the process of a target, or would."""


class BudgetSpentError(BaseException):  # no plugin takes it for an exception of the target
    """The time for a diagnosis or an audit is spent: no further call is made."""


class SkippedTextError(Exception):
    """Takes the place of a result: the text was skipped, as it resembles crashing texts."""


def message_of(error: BaseException) -> str:
    """Return the message of an exception of another library, whose ``__str__`` may raise."""
    try:
        return str(error)
    except Exception:
        return "(its message cannot be read)"
