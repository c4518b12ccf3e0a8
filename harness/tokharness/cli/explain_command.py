"""``tokharness explain``: the documentation of a check, or of a kind of change."""

from __future__ import annotations

import click


@click.command("explain")
@click.argument("code")
def command(code: str) -> int:
    """Explain a check or a kind of change.

    CODE is the code or the name of a check, or a kind of change that the gate reports.
    """
    from tokharness import plugins
    from tokharness.changes import KINDS
    from tokharness.errors import UnknownNameError

    if code in KINDS:
        click.echo(f"{code}\n\n{KINDS[code]}")
        return 0
    checks = plugins.all_checks().values()
    for check in checks:
        if code.upper() == check.code or code == check.name:
            click.echo(f"{check.code} {check.name}\n\n{check.page}")
            return 0
    names = [name for c in checks for name in (c.code, c.name)]
    raise UnknownNameError("check or kind of change", code, [*names, *KINDS])
