"""``tokharness explain``: the page of a check."""

from __future__ import annotations

import click

__all__ = ["command"]


@click.command("explain")
@click.argument("code")
def command(code: str) -> int:
    """Explain the check of this CODE or name: what it does, why it matters, an example."""
    from tokharness import plugins
    from tokharness.errors import UnknownNameError

    checks = plugins.checks().values()
    for check in checks:
        if code.upper() == check.code or code == check.name:
            click.echo(f"{check.code} {check.name}\n\n{check.page}")
            return 0
    raise UnknownNameError("check", code, [name for c in checks for name in (c.code, c.name)])
