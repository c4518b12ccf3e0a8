"""``tokharness list``: the checks, families, targets, models, formats and profiles."""

from __future__ import annotations

import click


@click.command("list")
@click.argument(
    "kind",
    type=click.Choice(["checks", "families", "targets", "models", "formats", "profiles"]),
)
def command(kind: str) -> int:
    """List checks, families, targets, models to train, formats or profiles."""
    from tokharness import plugins
    from tokharness.config import PROFILES

    if kind == "checks":
        rows = [
            (f"{check.code} {check.name}", check.page) for check in plugins.all_checks().values()
        ]
    elif kind == "families":
        rows = [(family.name, family.page) for family in plugins.families().values()]
    elif kind == "targets":
        rows = [(adapter.scheme, adapter.page) for adapter in plugins.adapters().values()]
    elif kind == "models":
        trainers = (adapter.trainers() for adapter in plugins.adapters().values())
        rows = [(name, trainer.page) for by_name in trainers for name, trainer in by_name.items()]
    elif kind == "profiles":
        rows = [(profile.name, profile.page) for profile in PROFILES.values()]
    else:
        rows = [(form.name, form.page) for form in plugins.formats().values()]
    longest = max((len(name) for name, _ in rows), default=0)
    for name, page in rows:
        click.echo(f"{name:<{longest}}  {plugins.summary(page)}")
    if kind == "targets":
        specs = [
            f"{adapter.scheme}:{name}"
            for adapter in plugins.adapters().values()
            for name in adapter.names()
        ]
        click.echo(f"\nnamed targets: {', '.join(specs)}")
    return 0
