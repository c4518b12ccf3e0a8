"""The command ``tokharness``: one public module a subcommand, imported when it is needed.

Each module has ``command``, a click command named after the module. Commands parse, call the
library, write and return their exit code: 0 clean, 1 findings, 2 a mistake of ours or the user's,
130 interrupted, 141 when nobody reads the output any more.
"""

from __future__ import annotations

import importlib
import os
import sys

import click

from tokharness.errors import InternalError, TokharnessError, UnknownNameError

__all__ = ["main"]


SUFFIX = "_command.py"


class _ReaderLeftError(Exception):
    """Nobody reads the output any more; click would exit with 1, which means findings."""


class _Commands(click.Group):
    """A group that finds its subcommands in this package."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _ReaderLeftError from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        files = os.listdir(__path__[0])  # noqa: PTH208 - pathlib takes long to import
        return sorted(f.removesuffix(SUFFIX) for f in files if f.endswith(SUFFIX))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        names = self.list_commands(ctx)
        if cmd_name not in names:
            raise UnknownNameError("command", cmd_name, names)
        module = importlib.import_module(f"{__name__}.{cmd_name}_command")
        command: click.Command = module.command
        return command


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 clean, 1 findings, 2 mistake or internal error, 130 interrupted.",
)
@click.version_option(package_name="tokharness", prog_name="tokharness")
def commands() -> None:
    """Test a tokenizer against hostile Unicode, and against a reference implementation.

    Start with: tokharness check
    """


def main() -> None:
    """Run the command line and exit; whatever goes wrong is told in one sentence."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # What a terminal's encoding cannot show is shown as an escape; it never raises.
            stream.reconfigure(errors="backslashreplace")
    try:
        code = commands.main(prog_name="tokharness", standalone_mode=False) or 0
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except TokharnessError as error:
        code = _fail(str(error))
    except (KeyboardInterrupt, click.Abort):
        click.echo("tokharness: interrupted", err=True)
        code = 130
    except (BrokenPipeError, _ReaderLeftError):
        # The reader has gone, as with `| head`; keep Python from complaining when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 141
    except OSError as error:
        code = _fail(f"cannot read or write: {error}; check the path and the space that is left")
    except Exception as error:  # the last line of defence: a sentence, never a traceback
        if os.environ.get("TOKHARNESS_TRACEBACK"):
            raise
        told = (
            str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}"
        )
        code = _fail(
            f"internal error: {told}; please report it, with what TOKHARNESS_TRACEBACK=1 adds"
        )
    sys.exit(code)


def _fail(message: str) -> int:
    from tokharness.escaping import terminal

    click.echo(f"tokharness: error: {terminal(message)}", err=True)
    return 2
