"""The command ``tokharness``: one module for each subcommand, imported on use.

Each module ``NAME_command`` has ``command``, a click command. A command parses its options, calls
the library, writes the output and returns its exit code: 0 no failing finding, 1 findings, 2 usage
or internal error, or a run that was not finished, 130 interrupted, 141 the reader of the output is
gone.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import io
import os
import sys

import click

from tokharness import interrupts
from tokharness.errors import (
    InternalError,
    PluginError,
    TokharnessError,
    UnknownNameError,
    UsageError,
)

__all__ = ["main"]


SUFFIX = "_command.py"


class _OutputClosedError(Exception):
    """The output has no reader any more; click would exit with 1, which means findings."""


class _CommandGroup(click.Group):
    """A group whose subcommands are the modules of this package."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _OutputClosedError from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        files = os.listdir(__path__[0])  # noqa: PTH208 - pathlib is slow to import
        return sorted(f.removesuffix(SUFFIX) for f in files if f.endswith(SUFFIX))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        names = self.list_commands(ctx)
        if cmd_name not in names:
            raise UnknownNameError("command", cmd_name, names)
        module = importlib.import_module(f"{__name__}.{cmd_name}_command")
        command: click.Command = module.command
        return command


@click.group(
    cls=_CommandGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 passed, 1 findings, 2 usage or internal error, or not finished, 130 "
    "interrupted by Ctrl-C, SIGTERM or SIGHUP.",
)
@click.version_option(package_name="tokharness", prog_name="tokharness")
def commands() -> None:
    """Test a tokenizer with hostile Unicode, and compare it with a reference implementation.

    To get started, run `tokharness check`.
    """


def main() -> None:
    """Run the command line and exit; every error is reported in one sentence."""
    _open_closed_streams()
    _buffer_output()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A character that the encoding of the terminal lacks is written as an escape.
            stream.reconfigure(errors="backslashreplace")
    code = _run_command()
    if code != interrupts.EXIT_CODE and interrupts.was_interrupted():
        code = _interrupted()  # while the report was written, or it could not be written
    _discard_unwritten()
    sys.exit(code)


def _open_closed_streams() -> None:
    """Discard what is written to a standard stream that the parent has closed (``>&-``).

    Otherwise the next file that is opened gets its descriptor.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def _buffer_output() -> None:
    """Put a buffer before an output without one, as with PYTHONUNBUFFERED.

    Such an output drops the rest of a text of which the disk took only a part, without an error.
    """
    if isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):
        encoding = sys.stdout.encoding
        sys.stdout = open(sys.stdout.fileno(), "w", encoding=encoding, closefd=False)  # noqa: SIM115


def _run_command() -> int:
    """Run the command, report an error, and return the exit code."""
    try:
        _require_docstrings()
        code: int = commands.main(prog_name="tokharness", standalone_mode=False) or 0
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        _annotate(error.format_message())
        code = error.exit_code
    except TokharnessError as error:
        code = _fail(str(error) + _show_traceback(error))
    except (KeyboardInterrupt, click.Abort):
        code = _interrupted()
    except (BrokenPipeError, _OutputClosedError):
        code = 141  # no reader any more, as with `| head`
    except OSError as error:
        advice = ADVICE.get(error.errno or 0, "check the path")
        code = _fail(f"cannot read or write: {error}; {advice}")
    except MemoryError:
        code = _fail(f"there is not enough memory; {ADVICE[errno.ENOMEM]}, or name a smaller file")
    except BaseException as error:  # the last resort: a sentence, never a traceback
        if os.environ.get("TOKHARNESS_TRACEBACK"):
            raise
        message = (
            str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}"
        )
        code = _fail(
            f"internal error: {message}; please report it, with the traceback that "
            "TOKHARNESS_TRACEBACK=1 prints"
        )
    return code


ADVICE = {
    errno.ENOSPC: "free some disk space",
    errno.EDQUOT: "free some disk space, or ask for a larger quota",
    errno.EMFILE: "allow more open files, as with `ulimit -n 256`",
    errno.ENFILE: "close other programs, as the system allows no more open files",
    errno.ENOMEM: "free some memory, or allow more of it",
    errno.EAGAIN: "allow more processes, as with `ulimit -u`",
}
"""Advice for an error of the system, by its number."""


def _require_docstrings() -> None:
    if sys.flags.optimize > 1:
        raise UsageError(
            "Python drops the docstrings, which are the pages of checks and families: run "
            "tokharness without -OO and PYTHONOPTIMIZE=2"
        )


def _interrupted() -> int:
    _print_error("tokharness: interrupted")
    return interrupts.EXIT_CODE


def _print_error(line: str) -> None:
    """Print a line to the standard error, which may be a terminal that was closed."""
    with contextlib.suppress(OSError):
        click.echo(line, err=True)


def _discard_unwritten() -> None:
    """Discard output that cannot be written: Python would retry at its exit, and exit with 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # code of a plugin may have removed it
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _show_traceback(error: TokharnessError) -> str:
    """Print the traceback of a plugin's exception on request; otherwise return how to get it."""
    if not isinstance(error, PluginError):
        return ""
    notes = getattr(error, "__notes__", [])
    if not (error.__cause__ or notes):
        return ""
    if not os.environ.get("TOKHARNESS_TRACEBACK"):
        return "; TOKHARNESS_TRACEBACK=1 prints the traceback"
    import traceback

    text = "".join(notes or traceback.format_exception(error))
    click.echo("\n".join(map(_escape, text.splitlines())), err=True)
    return ""


def _fail(message: str) -> int:
    _print_error(f"tokharness: error: {_escape(message)}")
    _annotate(message)
    return 2


def _annotate(message: str) -> None:
    """Show an error on the page of a GitHub Actions run, which otherwise only has the exit code."""
    if os.environ.get("GITHUB_ACTIONS") == "true":
        from tokharness.escaping import github_command, visible

        _print_error(f"::error title=tokharness::{github_command(visible(message))}")


def _escape(text: str) -> str:
    from tokharness.escaping import terminal

    return terminal(text)
