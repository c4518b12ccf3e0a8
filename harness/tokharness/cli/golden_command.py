"""``tokharness golden``: write what a target makes of texts, or compare a target with that."""

from __future__ import annotations

from typing import Any

import click

from tokharness.cli._shared_options import shared_options

OPTIONS = ("--family", "--time-limit", "--load-limit", "--memory-limit")


@click.command("golden")
@click.argument("target", default="reference", metavar="[TARGET]")
@click.option("--out", metavar="FILE", help="Write a golden file of TARGET.")
@click.option("--verify", metavar="FILE", help="Compare TARGET with a golden file.")
@click.option(
    "--against",
    metavar="SPEC",
    help="Explain what --verify finds with this target, which gives the ids of the file. Default: "
    "the reference that reads the file of TARGET.",
)
@click.option(
    "--texts",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Most texts of a family that --out writes, at even distances.",
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["terminal", "json"]),
    default="terminal",
    show_default=True,
    help="Format of what --verify prints; `tokharness schema golden` has the schema of the JSON.",
)
@shared_options(*OPTIONS)
def command(target: str, **values: Any) -> int:
    """Write a golden file of a target, or compare a target with one.

    A golden file has texts, the ids that TARGET gives them, the bytes of the tokens and the decoded
    text: one JSON object a line, in ASCII, with a checksum. An engine without Python tests itself
    with it: docs/goldens.md has the format, and programs of a page in JavaScript and C++ that read
    it.

    With --verify, the exit code is 1 if a text has another result than in the file, and the causes
    of the shortest texts are printed.
    """
    from tokharness.cli._golden import run

    return run(target, values)
