"""``tokharness parity``: forms of one tokenizer, compared with one another."""

from __future__ import annotations

from typing import Any

import click

from tokharness.cli._shared_options import shared_options

OPTIONS = (
    *("--family", "--seed", "--examples", "--jobs", "--time-limit", "--load-limit"),
    *("--run-limit", "--memory-limit", "--format", "--report", "--config"),
)


@click.command("parity")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...|FOLDER")
@click.option(
    "--profile",
    type=click.Choice(["quick", "standard", "thorough"]),
    default="quick",
    show_default=True,
    help="How many texts are compared; see `tokharness list profiles`.",
)
@shared_options(*OPTIONS)
@click.option(
    "--fail-on",
    type=click.Choice(["bug", "risk", "never"]),
    default="bug",
    show_default=True,
    help="Exit 1 if a difference has this verdict or worse.",
)
@click.option("--as-of", metavar="DATE", help="Use this date instead of today for expiry.")
def command(targets: tuple[str, ...], **values: Any) -> int:
    """Compare targets that claim to be one tokenizer, such as files, engines and releases.

    All targets run on the same texts, each of them once. A matrix says of each pair whether their
    token bytes, special tokens, ids, decoded texts and offsets are the same, or how many causes
    set them apart. Each cause has its stage, its number of texts, and the smallest text with the
    tokens of all targets, and says who departs from the reference that reads the file. A target
    that fails has a column that says so.

    A FOLDER is compared with itself: all tokenizer files in it, each with the library and with the
    reference that read it. What its files contradict each other in is reported first.

    Differences that `parity.expect` of the policy expects do not fail the command.

    Formats: terminal, json, markdown, html and sarif. The exit code is 1 for a difference, and 2 if
    nothing was compared, or a target that you name was not, unless it is only not installed.
    """
    from tokharness.cli._parity import run

    return run(targets, values)
