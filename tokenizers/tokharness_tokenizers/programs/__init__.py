"""Programs that serve tokenizers of other languages, as targets of ``engine:NAME:PATH``.

Each speaks the JSON lines of ``command:``, and gets the path of a vocabulary file as its first
argument. :data:`ENGINES` names them. ``plain_object.py`` serves an object of Python that is to see
nothing of ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ENGINES", "Engine"]


@dataclass(frozen=True, slots=True)
class Engine:
    """A program for Node.js that serves a package of npm.

    Attributes:
        file: The file name of the program.
        package: The package of npm that it needs.
        format: The module of :mod:`..file_formats` of the files that it reads.

    """

    file: str
    package: str
    format: str

    @property
    def path(self) -> Path:
        """The path of the program."""
        return Path(__file__).with_name(self.file)


ENGINES: Mapping[str, Engine] = MappingProxyType(
    {"llama.cpp": Engine("llama_cpp.mjs", "node-llama-cpp", "gguf_file")}
)
"""The programs, by the name of the engine."""
