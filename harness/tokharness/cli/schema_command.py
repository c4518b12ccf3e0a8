"""``tokharness schema``: the JSON schemas of the policy and of what commands write."""

from __future__ import annotations

from pathlib import Path

import click

NAMES = sorted(path.stem for path in (Path(__file__).parents[1] / "schemas").glob("*.json"))


@click.command("schema")
@click.argument("name", type=click.Choice(NAMES), default="policy")
def command(name: str) -> int:
    """Print a JSON schema: of the policy, or of what a command writes.

    The policy is the table [tool.tokharness] of pyproject.toml, or tokharness.toml.
    """
    import json

    from tokharness.results import untrusted

    click.echo(json.dumps(untrusted.schema(name), indent=2, ensure_ascii=True))
    return 0
