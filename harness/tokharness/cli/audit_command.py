"""``tokharness audit``: examine the vocabulary of a target, or compare two."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from tokharness.cli._shared_options import fail_on_option, run_options

OPTIONS_OF_TEXTS = (
    *("--family", "--profile", "--seed", "--examples", "--keep-going", "--measure", "--parallel"),
    "--cache",
)
"""Options of runs on texts."""


@click.command("audit")
@click.argument("target")
@click.argument("other", required=False)
@partial(run_options, without=OPTIONS_OF_TEXTS)
@click.option(
    "--corpus",
    metavar="PATH|GLOB",
    multiple=True,
    help="Count the tokens in these texts, such as a sample of what the vocabulary was trained on: "
    "a file, a folder of .txt files, or a quoted pattern such as 'texts/**/*.md'.",
)
@click.option(
    "--embeddings",
    metavar="FILE[:TENSOR]",
    help="Look for untrained rows in the embeddings of this .safetensors file, or of its index.",
)
@fail_on_option
def command(target: str, other: str | None, **values: Any) -> int:
    """Audit the vocabulary of TARGET, or compare it with the vocabulary of OTHER.

    An audit runs the checks of the vocabulary (TOK4) and no cases. It finds tokens that no text
    gives, tokens that are hidden, dangerous or parts of characters, and tokens with the bytes of
    another token. `tokharness check` reports the same findings. In the formats csv and jsonl, an
    audit has a row for each id.

    With OTHER, list tokens that only one vocabulary has, tokens whose id differs, tokens that OTHER
    splits, and differences in merges, scores and settings of both files. Formats: terminal, json,
    csv and jsonl. The exit code is 1 if anything differs, unless with --fail-on never.
    """
    from tokharness.cli._audit import audit, compare

    if other is None:
        return audit(target, values)
    return compare((target, other), values)
