"""``tokharness show``: a text as code points, bytes and tokens, side by side."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.model import Cause, Target

__all__ = ["command"]


@click.command("show")
@click.argument("words", nargs=-1, metavar="[TEXT|@FILE] [TARGET]...")
@click.option("--json", "as_json", metavar="STRING", help="The text as a JSON string.")
def command(words: tuple[str, ...], as_json: str | None) -> int:
    """Show a text as code points, bytes and the tokens of each TARGET, side by side.

    Below stands what the checks say of the text on the first TARGET, compared with the second.
    The text is TEXT as it stands, the content of FILE for @FILE (UTF-8), or a JSON STRING, which
    takes any text through a shell. Without a TARGET the reference is shown.
    """
    from tokharness.cli._output import use_color, width
    from tokharness.cli._token_table import token_table
    from tokharness.engine.loading import guarded_target
    from tokharness.errors import UsageError

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
    """Lines with what the checks say of the first target, compared with the second."""
    from tokharness.engine.judging import judged
    from tokharness.engine.loading import load_subject
    from tokharness.escaping import terminal

    spec, *others = (target.spec for target in targets)
    loaded = {target.spec: target for target in targets}.__getitem__
    subject = load_subject(spec, others[0] if others else "none", loaded)
    return "".join(
        f"{causes[0].verdict} {check.code} {check.name}: {terminal(_or(causes))}\n"
        for check, causes in judged(text, subject)
    )


def _or(causes: Sequence[Cause]) -> str:
    return " | ".join(dict.fromkeys(map(str, causes)))


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
