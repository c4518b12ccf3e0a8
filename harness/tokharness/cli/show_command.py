"""``tokharness show``: a text as code points, bytes and tokens, side by side."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tokharness.model import Target

__all__ = ["command"]


@click.command("show")
@click.argument("words", nargs=-1, metavar="[TEXT|@FILE] [TARGET]...")
@click.option("--json", "as_json", metavar="STRING", help="The text as a JSON string.")
def command(words: tuple[str, ...], as_json: str | None) -> int:
    """Show a text as code points, bytes and the tokens of each TARGET, side by side.

    Below stand the checks that tell of the text on the first TARGET, compared with the second.
    The text is TEXT as it stands, the content of FILE for @FILE (UTF-8), or a JSON STRING, which
    takes any text through a shell. Without a TARGET the reference is shown.
    """
    from tokharness.cli._output import use_color, width
    from tokharness.cli._token_table import token_table
    from tokharness.errors import UsageError
    from tokharness.targets.loading import guarded_target

    if as_json is not None:
        text, specs = _from_json(as_json), words
    elif words:
        text, specs = _from_word(words[0]), words[1:]
    else:
        raise UsageError("show takes a TEXT, an @FILE or --json STRING, then targets")
    with contextlib.ExitStack() as stack:
        targets: list[Target] = []
        for spec in specs or ("reference",):
            targets.append(guarded_target(spec))
            stack.callback(targets[-1].close)
        sys.stdout.write(token_table(text, targets, width=width(), color=use_color()))
        sys.stdout.write(_judgement(text, targets))
    return 0


def _judgement(text: str, targets: list[Target]) -> str:
    """Name the checks that tell of the first target, compared with the second."""
    from tokharness.engine.worker.failing_checks import failed
    from tokharness.escaping import terminal
    from tokharness.targets.loading import load_subject

    spec, *others = (target.spec for target in targets)
    loaded = load_subject(
        spec,
        others[0] if others else "none",
        {target.spec: target for target in targets}.__getitem__,
    )
    beside = f", compared with {terminal(others[0])}" if others else ""
    names = ", ".join(f"{check.code} {check.name}" for check in failed(text, loaded))
    return f"checks that tell of this text{beside}: {names or 'none'}\n"


def _from_json(string: str) -> str:
    from tokharness.errors import UsageError
    from tokharness.escaping import from_json

    try:
        return from_json(string)
    except ValueError as error:
        raise UsageError(f"--json takes a JSON string such as '\"a\\u200bb\"': {error}") from error


def _from_word(word: str) -> str:
    from pathlib import Path

    from tokharness.errors import UsageError

    if not word.startswith("@"):
        # Bytes of the command line that are no UTF-8 arrive as surrogates; they are no text.
        try:
            word.encode()
        except UnicodeEncodeError as error:
            raise UsageError("TEXT is not valid UTF-8; use --json STRING") from error
        return word
    path = Path(word[1:])
    try:
        return path.read_bytes().decode()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: {error.reason} at byte {error.start}") from error
