"""``tokharness schema``: the JSON schemas of the policy, of reports and of certificates."""

from __future__ import annotations

import click


@click.command("schema")
@click.argument("name", type=click.Choice(["policy", "report", "seams"]), default="policy")
def command(name: str) -> int:
    """Print the JSON schema of the policy, the report or the certificate of `tokharness seams`.

    The policy is the table [tool.tokharness] of pyproject.toml, or tokharness.toml.
    """
    import json

    from tokharness.policy import reading
    from tokharness.results import report_file, untrusted

    schemas = {"policy": reading.schema, "report": report_file.schema}
    schema = schemas[name]() if name in schemas else untrusted.schema(name)
    click.echo(json.dumps(schema, indent=2, ensure_ascii=True))
    return 0
