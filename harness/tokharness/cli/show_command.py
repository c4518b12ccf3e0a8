"""``tokharness show``: a text as code points, bytes and tokens."""

from __future__ import annotations

import contextlib
import sys
from functools import partial
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness.engine.worker.checks_of_text import CheckResult
    from tokharness.errors import UsageError
    from tokharness.escaping import Shown
    from tokharness.model import Target
    from tokharness.plugins.bare_paths import UnknownTargetError

BASELINE = "baseline:"
"""The scheme of a target that is the file in a baseline."""


@click.command("show")
@click.argument("words", nargs=-1, metavar="[TEXT|@FILE] [TARGET]...")
@click.option("--json", "as_json", metavar="STRING", help="Show the text of this JSON string.")
@click.option(
    "--select",
    multiple=True,
    metavar="CODE",
    help="Run only these checks, and compare the first target with the second in any case.",
)
def command(words: tuple[str, ...], as_json: str | None, select: tuple[str, ...]) -> int:
    r"""Show the code points, bytes and tokens of a text.

    The text is TEXT itself, or the content of the UTF-8 file FILE for @FILE. With --json, it is the
    value of a JSON string, which may have escapes such as \u200b. A table shows the tokens of one
    TARGET, or of two side by side, each token in the row of its first character; the default is the
    reference. For targets that show their stages, such as the normalizer and the pre-tokenizer, a
    second table has the text after each stage. Terminals of less than 80 columns get fewer columns.
    The checks for which the text shows a bug or a risk are listed below, then the checks for which
    it shows a fact; the checks compare the first TARGET with the second, if there is one, or
    another target with a baseline. Then each failing check shows the given and the expected result:
    the pieces of a stream, the span of each token, the ids of two entry points side by side.

    Three or more targets, or two with different algorithms or vocabularies, get a row of tokens
    each, with the marks of their vocabularies, such as ## and U+2581, and a note on the round trip.

    A file that has a published vocabulary, or is near to one, is named at the end.

    The command of a finding has --select with the check of the finding.
    """
    from tokharness.cli._run import specs_of_words
    from tokharness.cli._run_request import refuse_empty, split_commas
    from tokharness.errors import UsageError
    from tokharness.plugins.bare_paths import UnknownTargetError
    from tokharness.targets.processes.isolated import isolated

    refuse_empty({"select": select})
    if as_json is not None:
        text, specs = _from_json(as_json), words
    elif words:
        text, specs = _from_argument(words[0]), words[1:]
    else:
        raise UsageError("show takes a TEXT, an @FILE or --json STRING, then any targets")
    try:
        specs = specs_of_words(specs, after=" TEXT" if as_json is None else " --json STRING")
    except UnknownTargetError as error:
        raise _with_order(error, words, as_json) from error
    specs = specs or ("reference",)
    shown = isolated(partial(_shown, text, specs, split_commas(select)), specs)
    sys.stdout.write(shown)
    return 0


def _with_order(error: UnknownTargetError, words: Sequence[str], as_json: str | None) -> UsageError:
    """Return the error, or one with the other order if the text of two words is a file."""
    import os.path
    from shlex import quote

    from tokharness.errors import UsageError

    # Unlike a method of Path, the function takes a long text for no path.
    if as_json is not None or len(words) != 2 or not os.path.isfile(words[0]):  # noqa: PTH113
        return error
    path, text = words
    wanted = f"tokharness show {quote(text)} {quote(path)}"
    return UsageError(f"there is no target {text!r}: the text comes first, so try `{wanted}`")


def _shown(text: str, specs: Sequence[str], select: tuple[str, ...]) -> str:
    """Load the targets, and return the output of the command."""
    from tokharness.cli._output import terminal_width, use_color
    from tokharness.cli._token_rows import are_drawn_as_rows, reference_among, token_rows
    from tokharness.cli._token_table import stage_table, token_table
    from tokharness.targets.loading import guarded_target

    lines: list[str] = []
    with contextlib.ExitStack() as stack:
        targets: list[Target] = []
        for spec in specs:
            targets.append(guarded_target(spec))
            stack.callback(targets[-1].close)
        width, color = terminal_width(), use_color()
        asked = partial(_results, text, select=select)
        reference_of = reference_among(targets, stack)
        if are_drawn_as_rows(targets):
            failing = {
                target.spec: "" if select else _names(asked([target]), facts=False)
                for target in targets
            }
            lines.append(token_rows(text, targets, failing, width=width, color=color))
            if not select:
                return "".join([*lines, _vocabularies(targets, reference_of)])
        else:
            lines.append(token_table(text, targets, reference_of, width=width, color=color))
            lines.append(stage_table(text, targets, width=width, color=color))
        lines.append(_failing_checks(targets, asked, width=width, color=color))
        lines.append(_vocabularies(targets, reference_of))
    return "".join(lines)


def _vocabularies(
    targets: Sequence[Target], reference_of: Callable[[Target], Target | None]
) -> Shown:
    """Say which published vocabulary each file has, as our reference reads it."""
    from pathlib import Path

    from tokharness.checks import known_vocabulary
    from tokharness.escaping import Shown
    from tokharness.targets.subject import Subject

    lines = Shown("")
    for target in targets:
        read = target if target.spec.startswith("reference:") else reference_of(target)
        scheme, _, path = ("" if read is None else read.spec).partition(":")
        if read is None or scheme != "reference" or not path or not Path(path).exists():
            continue
        for failure in known_vocabulary.audit(Subject(read)):
            lines = Shown("{}vocabulary: {}: {}\n").format(
                lines, target.spec, failure.cause.message
            )
    return lines


def _failing_checks(
    targets: list[Target],
    results_of: Callable[[list[Target]], list[CheckResult]],
    *,
    width: int | None,
    color: bool,
) -> Shown:
    """List the checks that the first target fails, compared with the second, with evidence."""
    from tokharness.escaping import Shown
    from tokharness.formats.terminal import cause_lines

    targets = as_compared(targets)
    spec, *others = (target.spec for target in targets)
    sides = Shown("")
    if others:
        sides = Shown(" of {}, with {} as the reference").format(spec, others[0])
    results = results_of(targets)
    failing = _names(results, facts=False) or "none"
    lines = Shown("failing checks{}: {}\n").format(sides, failing)
    if facts := _names(results, facts=True):
        lines = Shown("{}facts: {}\n").format(lines, facts)
    shown = [result for result in results if not result.is_fact]
    return Shown("{}{}").format(lines, cause_lines(shown, width=width, color=color))


def as_compared(targets: list[Target]) -> list[Target]:
    """Return the target, then its reference; a baseline is always the reference."""
    return targets[::-1] if len(targets) > 1 and targets[0].spec.startswith(BASELINE) else targets


def _names(results: list[CheckResult], *, facts: bool) -> str:
    """Return the codes and names of the checks with a bug or a risk, or of checks with facts."""
    checks = (result.check for result in results if result.is_fact is facts)
    return ", ".join(f"{check.code} {check.name}" for check in checks)


def _results(
    text: str, targets: list[Target], *, select: tuple[str, ...] = ()
) -> list[CheckResult]:
    """Return the checks' results for a text of the first target, compared with the second."""
    from tokharness.cli._token_rows import automatic_reference_spec
    from tokharness.engine.worker.checks_of_text import results_of_checks
    from tokharness.targets.loading import load_subject

    spec, *others = (target.spec for target in targets)
    is_automatic = others and others[0] == automatic_reference_spec(targets[0])
    loaded = load_subject(
        spec,
        None if is_automatic else others[0] if others else "none",
        {target.spec: target for target in targets}.__getitem__,
    )
    return results_of_checks(text, loaded, select)


def _from_json(string: str) -> str:
    from tokharness.errors import UsageError
    from tokharness.escaping import from_json

    try:
        return from_json(string)
    except ValueError as error:
        raise UsageError(f"--json takes a JSON string such as '\"a\\u200bb\"': {error}") from error


def _from_argument(argument: str) -> str:
    from pathlib import Path

    from tokharness.errors import UsageError
    from tokharness.regular_files import read_file

    if not argument.startswith("@"):
        # Bytes of the command line that are not UTF-8 arrive as surrogates.
        try:
            argument.encode()
        except UnicodeEncodeError as error:
            raise UsageError("TEXT is not valid UTF-8; use --json STRING") from error
        return argument
    path = Path(argument[1:])
    try:
        return read_file(path).decode()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: {error.reason} at byte {error.start}") from error
