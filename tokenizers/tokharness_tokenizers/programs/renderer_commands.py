"""The commands that start renderers of conversations, which are programs of ``renderers``.

A program is started with a file of JSON that has ``template``, ``variables`` and ``now``, the local
time in ISO 8601. It answers the request ``render``, whose ``conversations`` each have ``messages``
and ``options``, such as ``tools`` and ``add_generation_prompt``, with a ``text``, and perhaps
``ids``, or a ``failure``, ``refusal`` or ``crash``, with its ``message`` and ``line``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tokharness.errors import TargetError, UnknownNameError
from tokharness_tokenizers.programs import HERE, known_renderers
from tokharness_tokenizers.programs.starting import command_of

__all__ = ["command"]

SCHEME = "python:"
TEAM = HERE / "team_renderer.py"


def command(name: str) -> list[str]:
    """Return the command of a renderer; its last argument will be the file with its template.

    Raises:
        TargetError: what it needs is not installed, or no factory is named.
        UnknownNameError: there is no renderer of this name.

    """
    if name.startswith(SCHEME):
        where, _, factory = name.removeprefix(SCHEME).rpartition(":")
        if not where or not factory.isidentifier():
            raise TargetError(
                f"{name} has no factory: write python:FILE.py:FACTORY or python:MODULE:FACTORY, "
                "where FACTORY(template, variables) returns the renderer"
            )
        if where.endswith(".py"):
            if not Path(where).is_file():
                raise TargetError(f"there is no file {where}: check the path")
            where = str(Path(where).resolve())
        words = [sys.executable, "-P", str(HERE / "json_lines.py"), str(TEAM)]
        return [*words, where, factory]
    known = known_renderers()
    if name not in known:
        raise UnknownNameError("renderer", name, [*known, f"{SCHEME}FILE.py:FACTORY"])
    return [*command_of(known[name], "the renderer "), "template"]
