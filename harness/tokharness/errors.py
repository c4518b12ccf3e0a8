"""The exceptions of tokharness, all of which the command turns into one sentence and exit code 2.

::

    TokharnessError            anything that ends a command before it can answer
    +-- UsageError             a word of the command line names nothing
    |   +-- UnknownNameError   ... and the nearest known names are offered
    +-- TargetError            a target cannot be loaded
    |   +-- VocabularyError    its vocabulary file is missing, truncated or corrupt
    +-- PluginError            a plugin's module breaks the contract of its kind

    InternalError              a worker process failed: a mistake of ours
    TargetDeath                what a target did with one text: an observation, never a mistake
    NotTriedError              the place of a text that was not tried, since it is likely deadly
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "InternalError",
    "NotTriedError",
    "PluginError",
    "TargetDeath",
    "TargetError",
    "TokharnessError",
    "UnknownNameError",
    "UsageError",
    "VocabularyError",
    "message_of",
]


class TokharnessError(Exception):
    """Anything that ends a command before it can answer; its text is one sentence."""


class UsageError(TokharnessError):
    """The command line asks for something that does not exist or makes no sense."""


class UnknownNameError(UsageError):
    """A name that names nothing; the message offers the nearest known ones."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        import difflib  # on use: the command has to start fast

        choices = sorted(known)
        near = difflib.get_close_matches(name, choices, n=3, cutoff=0.5)
        if near:
            hint = f"did you mean {' or '.join(repr(n) for n in near)}?"
        else:
            hint = f"known: {', '.join(choices) or 'none'}."
        super().__init__(f"no {kind} is called {name!r}: {hint}")


class TargetError(TokharnessError):
    """A target cannot be loaded."""


class VocabularyError(TargetError):
    """A vocabulary file is missing, truncated or corrupt."""


class PluginError(TokharnessError):
    """A plugin's module does not keep the contract of its kind."""


class InternalError(Exception):
    """A worker process failed; its traceback is a note of this."""


class TargetDeath(Exception):  # noqa: N818 - an observation
    """A target's process ended, had to be ended, or answered nonsense, while it had a text.

    ``how`` is ``time limit``, the name of a signal (``SIGSEGV``), ``exit code 3``, or
    ``nonsense``; ``words`` is the last line it wrote to its standard error, or what it answered.
    """

    def __init__(self, how: str, words: str = "") -> None:
        self.how = how
        self.words = words
        super().__init__(f"{how}: {words}" if words else how)


class NotTriedError(Exception):
    """The place of a text that was not tried: it is close to others that ended the process."""


def message_of(error: BaseException) -> str:
    """Text of an exception of somebody else's, which may raise when it is asked for it."""
    try:
        return str(error)
    except Exception:
        return "(its message cannot be read)"
