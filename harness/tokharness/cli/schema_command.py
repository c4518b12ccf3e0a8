"""``tokharness schema``: the JSON schemas of the policy, for editors, and of a report."""

from __future__ import annotations

import click

__all__ = ["command"]


@click.command("schema")
@click.argument("of", type=click.Choice(["policy", "report"]), default="policy")
def command(of: str) -> int:
    """Write a JSON schema: of the policy, or of the JSON that a report is.

    The policy is [tool.tokharness] of pyproject.toml, or tokharness.toml.
    """
    import json

    from tokharness.policy import reading
    from tokharness.results import report_file

    found = reading.schema() if of == "policy" else report_file.schema()
    click.echo(json.dumps(found, indent=2, ensure_ascii=True))
    return 0
