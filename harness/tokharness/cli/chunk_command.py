"""``tokharness chunk``: check a splitter or truncator of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tokharness.cli._shared_options import fail_on_option, shared_options

if TYPE_CHECKING:
    from tokharness.chunking.texts import Trial


@click.command("chunk")
@click.argument("target")
@click.option(
    "--tokenizer",
    metavar="SPEC",
    help="Count tokens with this tokenizer; by default with the one that the chunker declares.",
)
@click.option(
    "--json",
    "text",
    metavar="STRING",
    help="Split the text of this JSON string instead of all texts.",
)
@click.option("--limit", type=click.IntRange(min=1), help="The limit for the text of --json.")
@click.option("--overlap", type=click.IntRange(min=0), help="The overlap for the text of --json.")
@shared_options("--select", "--ignore", "--format", "--report")
@fail_on_option
def command(
    target: str,
    tokenizer: str | None,
    text: str | None,
    limit: int | None,
    overlap: int | None,
    **values: Any,
) -> int:
    """Check a chunker on texts of all case families, with limits and overlaps.

    TARGET is chunker:FILE.py:FACTORY or chunker:MODULE:FACTORY, an object of yours with the method
    split(text, limit, overlap=0), or chunker:PACKAGE:SPLITTER, a splitter of a package; see
    `tokharness list targets`.

    Texts are split in a process of its own, with limits of time and memory. The checks (TOK6) are
    whether the chunks are the text, whether characters are damaged, whether chunks are within the
    limit, and what overlaps, spans, truncated texts and counts are. `tokharness explain TOK601`
    explains a check. Each finding has the smallest text that shows it.
    """
    from tokharness import interrupts, plugins
    from tokharness.chunking.examination import chunk
    from tokharness.cli._output import emit_report, parse_report_files
    from tokharness.cli._run_request import options_of_checks, refuse_empty
    from tokharness.results.report import exit_code

    refuse_empty({**values, "tokenizer": tokenizer, "json": text})
    output_format = plugins.find("format", values["format_name"], plugins.formats())
    files = parse_report_files(values["reports"])
    options = options_of_checks(values)
    given = _given(text, limit, overlap)
    interrupts.defer()
    report = chunk(target, options, tokenizer=tokenizer, given=given)
    emit_report(report, output_format, files)
    return exit_code(report, options.fail_on)


def _given(text: str | None, limit: int | None, overlap: int | None) -> list[Trial]:
    """Return the trials that the user names; raises UsageError."""
    from tokharness.chunking.texts import Trial, trials
    from tokharness.errors import UsageError
    from tokharness.escaping import from_json

    if text is None:
        if limit is not None or overlap is not None:
            raise UsageError("--limit and --overlap need a text: add --json STRING")
        return []
    try:
        content = from_json(text)
    except ValueError as error:
        raise UsageError(f"--json takes a JSON string such as '\"a b\"': {error}") from error
    if limit is None:
        if overlap is not None:
            raise UsageError("--overlap needs a limit: add --limit")
        return trials(overlaps=False, texts=[content])
    return [Trial(content, limit, overlap or 0)]
