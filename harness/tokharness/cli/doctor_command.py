"""``tokharness doctor``: the versions of everything that decides a result."""

from __future__ import annotations

import click

__all__ = ["command"]


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def command(*, as_json: bool) -> int:
    """Show the versions of everything that decides a result."""
    import json

    from tokharness.results.versions import versions

    found = versions()
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=True))
        return 0
    for key, value in found.items():
        if isinstance(value, dict):
            click.echo(f"{key}:")
            for name, one in value.items():
                click.echo(f"  {name:<22} {_line(one)}")
        else:
            click.echo(f"{key + ':':<24} {value}")
    return 0


def _line(value: str | dict[str, str]) -> str:
    if isinstance(value, str):
        return value
    return ", ".join(f"{name} {version}" for name, version in value.items()) or "no library"
