"""The file of the user's repository that a target belongs to: where CI shows what is told of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["place_of"]

LIKELY = ("pyproject.toml", "tokharness.toml", "setup.cfg", "setup.py", "README.md", "README.rst")


def place_of(spec: str, others: Iterable[Path | None]) -> str:
    """Path of a file, relative to the repository's root, with forward slashes; "" if there is none.

    The file that the spec names, else the first of ``others`` that is in the repository, else one
    that most repositories have.
    """
    here = Path.cwd()
    root = next((one for one in (here, *here.parents) if (one / ".git").exists()), here)
    likely = (folder / name for folder in (here, root) for name in LIKELY)
    for path in (*_named(spec), *(one for one in others if one), *likely):
        found = path.resolve()
        if found.is_file() and found.is_relative_to(root):
            return found.relative_to(root).as_posix()
    return ""


def _named(spec: str) -> Iterator[Path]:
    """Paths that a spec may name: ``python:FILE:FACTORY``, ``tiktoken:PATH``, a program's words."""
    scheme, _, rest = spec.partition(":")
    words = rest.split() if scheme == "command" else [rest, *rest.split(":")]
    for word in words:
        if word and "\0" not in word:
            yield Path(word)
