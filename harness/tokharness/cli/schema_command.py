"""``tokharness schema``: the JSON schemas of the policy and of the report."""

from __future__ import annotations

import click


@click.command("schema")
@click.argument("name", type=click.Choice(["policy", "report"]), default="policy")
def command(name: str) -> int:
    """Print the JSON schema of the policy or the report.

    The policy is the table [tool.tokharness] of pyproject.toml, or tokharness.toml.
    """
    import json

    from tokharness.policy import reading
    from tokharness.results import report_file

    schema = reading.schema() if name == "policy" else report_file.schema()
    click.echo(json.dumps(schema, indent=2, ensure_ascii=True))
    return 0
