"""``tokharness schema``: the JSON schemas of the policy and of what commands print."""

from __future__ import annotations

import click


@click.command("schema")
@click.argument(
    "name", type=click.Choice(["policy", "report", "parity", "golden", "seams"]), default="policy"
)
def command(name: str) -> int:
    """Print the JSON schema of the policy, the report, a parity, a golden test or seams.

    The policy is the table [tool.tokharness] of pyproject.toml, or tokharness.toml.
    """
    import json

    from tokharness.results import untrusted

    click.echo(json.dumps(untrusted.schema(name), indent=2, ensure_ascii=True))
    return 0
