"""``tokharness install``: what releases of libraries need, before a run without a network."""

from __future__ import annotations

import click

from tokharness.errors import UnknownNameError, UsageError
from tokharness.escaping import terminal


@click.command("install")
@click.argument("releases", nargs=-1, required=True, metavar="SCHEME@RELEASE...")
def command(releases: tuple[str, ...]) -> int:
    """Make the environments of releases of libraries.

    The target hf@0.20.3:FILE is a tokenizer.json with tokenizers 0.20.3, in an environment of its
    own. A command that needs the environment makes it, once, and says so; this command makes it
    before, for runs without a network.
    """
    from tokharness import plugins

    for word in releases:
        scheme = word.partition(":")[0].partition("@")[0]
        if scheme not in plugins.adapters():
            raise UnknownNameError("target scheme", scheme, plugins.adapters())
        if (named := plugins.release_in(word)) is None:
            raise UsageError(f"{word!r} names no release: write {scheme}@RELEASE")
        plugins.adapter(word).prepare(named[1])
        click.echo(terminal(f"{'@'.join(named)} is installed"))
    return 0
