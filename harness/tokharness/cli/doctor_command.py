"""``tokharness doctor``: the versions that results depend on."""

from __future__ import annotations

import click


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Output JSON.")
def command(*, as_json: bool) -> int:
    """Show the versions that results depend on."""
    import json

    from tokharness import extras
    from tokharness.results.versions import versions

    installed, known = versions(), extras.known()
    if as_json:
        click.echo(json.dumps(installed, indent=2, ensure_ascii=True))
        return 0
    for key, value in installed.items():
        if isinstance(value, dict):
            click.echo(f"{key}:")
            for name, version in value.items():
                missing = key == "targets" and not version and name in known
                line = f"not installed: {extras.what_installs(name)}" if missing else _line(version)
                click.echo(f"  {name:<22} {line}")
        else:
            click.echo(f"{key + ':':<24} {value}")
    return 0


def _line(value: str | dict[str, str]) -> str:
    if isinstance(value, str):
        return value
    return ", ".join(f"{name} {version}" for name, version in value.items()) or "no library"
