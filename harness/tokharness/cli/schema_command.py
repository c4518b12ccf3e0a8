"""``tokharness schema``: the JSON schema of the policy, for editors."""

from __future__ import annotations

import click

__all__ = ["command"]


@click.command("schema")
def command() -> int:
    """Write the JSON schema of the policy: [tool.tokharness] of pyproject.toml, tokharness.toml."""
    import json

    from tokharness.policy.reading import schema

    click.echo(json.dumps(schema(), indent=2, ensure_ascii=True))
    return 0
