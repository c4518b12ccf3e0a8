"""``tokharness parse``: check a parser of the output of a model."""

from __future__ import annotations

from typing import Any

import click

from tokharness.cli._shared_options import fail_on_option, shared_options


@click.command("parse")
@click.argument("target")
@click.option(
    "--json",
    "stream",
    metavar="STRING",
    help="Cut the text of this JSON string instead of all streams.",
)
@shared_options("--select", "--ignore", "--format", "--report")
@fail_on_option
def command(target: str, stream: str | None, **values: Any) -> int:
    """Check a stream parser: the events of a stream are the same however it is cut.

    TARGET is parser:FILE.py:FACTORY or parser:MODULE:FACTORY. The factory returns a new parser of
    yours, an object with feed(delta) and finish(), which return lists of pairs: the name of a
    field, such as "reasoning", and a text; see `tokharness list targets`.

    Streams are parsed in a process of their own, with limits of time and memory. The checks (TOK7)
    are whether the events depend on where a stream is cut, whether text is given twice, and whether
    text is lost at the end of an unfinished stream. `tokharness explain TOK701` explains a check.
    Each finding has the smallest stream that shows it.
    """
    from tokharness import interrupts, plugins
    from tokharness.cli._output import emit_report, parse_report_files
    from tokharness.cli._run_request import options_of_checks, refuse_empty
    from tokharness.errors import UsageError
    from tokharness.escaping import from_json
    from tokharness.parsing.run import parse
    from tokharness.results.report import exit_code

    refuse_empty(values)
    output_format = plugins.find("format", values["format_name"], plugins.formats())
    files = parse_report_files(values["reports"])
    options = options_of_checks(values)
    try:
        given = None if stream is None else from_json(stream)
    except ValueError as error:
        raise UsageError(f"--json takes a JSON string such as '\"a b\"': {error}") from error
    interrupts.defer()
    report = parse(target, options, given=given)
    emit_report(report, output_format, files)
    return exit_code(report, options.fail_on)
