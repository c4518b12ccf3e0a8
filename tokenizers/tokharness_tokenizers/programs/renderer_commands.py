"""The commands that start renderers of conversations, which are programs of ``renderers``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.errors import TargetError, UnknownNameError
from tokharness_tokenizers.programs import HERE, known_renderers
from tokharness_tokenizers.programs.starting import command_of

if TYPE_CHECKING:
    from tokharness_tokenizers.programs import Engine

__all__ = ["command"]

SCHEME = "python:"
MODEL = "MODEL"
"""Stands for the names of a package that has many."""

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
            where = os.path.realpath(where)
        words = [sys.executable, "-P", str(HERE / "json_lines.py"), str(TEAM)]
        return [*words, where, factory]
    known = known_renderers()
    words = [word for one in known.values() for word in _words_of(one)]
    engine, _, variant = name.partition(":")
    one = known.get(engine)
    if one is not None and one.names and not variant:
        raise TargetError(
            f"the renderer {name} has several: write {' or '.join(_words_of(one)[:3])}"
        )
    if one is None or (name not in words and (not variant or one.names != (MODEL,))):
        raise UnknownNameError("renderer", name, [*words, f"{SCHEME}FILE.py:FACTORY"])
    variants = [variant] if variant else []
    return [*command_of(one), *variants, "template"]


def _words_of(one: Engine) -> list[str]:
    return [f"{one.name}:{name}" for name in one.names] or [one.name]
