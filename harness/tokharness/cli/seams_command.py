"""``tokharness seams``: where a text may be cut, and what a cache may keep."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click


@click.command("seams")
@click.argument("target", default="reference", metavar="[TARGET]")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["terminal", "json"]),
    default="terminal",
    show_default=True,
    help="Format of the output; `tokharness schema seams` has the schema of the JSON.",
)
@click.option("--output", metavar="FILE", help="Write the certificate to FILE.")
def command(target: str, *, format_name: str, output: str | None) -> int:
    """Prove where a text may be cut without a change of its tokens.

    A cut is neutral if the ids of the text before it and those of the text after it, joined, are
    the ids of the whole. The reference of TARGET proves this from the file, stage by stage: for all
    texts that end with a character of a class and go on with a character of another class. A cut
    that is not proven is shown to change ids by two texts, or it is not known. A second part says
    how much of a text an appended text may change, which is what a cache must encode again.

    The certificate is of plain text. It is valid for the target as far as the target agrees with
    its reference, which `tokharness check` tests.
    """
    from tokharness.atomic_write import check_writable, write_text
    from tokharness.cli._run import specs_of_words
    from tokharness.errors import UsageError
    from tokharness.targets.processes.isolated import isolated

    (spec,) = specs_of_words([target])
    try:
        if output is not None:
            check_writable(Path(output))
        text = isolated(partial(_certificate, spec, format_name), [spec, spec])
        if output is not None:
            write_text(Path(output), text)
    except OSError as error:
        raise UsageError(f"cannot write the certificate to {output}: {error.strerror}") from error
    if output is None:
        sys.stdout.write(text)
    return 0


def _certificate(spec: str, format_name: str) -> str:
    """Load the target, and return the output of the command."""
    import contextlib

    from tokharness.certificates.seams import certify
    from tokharness.certificates.seams_text import seams_text
    from tokharness.cli._output import terminal_width
    from tokharness.escaping import json_text
    from tokharness.targets.loading import guarded_target, load_subject

    with contextlib.ExitStack() as stack:
        target = guarded_target(spec)
        stack.callback(target.close)
        reference = None if target.can("seams") else load_subject(spec, None).subject.reference
        seams = certify(target, reference)
    if format_name == "json":
        return json_text(seams.record(), indent=2)
    return seams_text(seams, width=terminal_width())
