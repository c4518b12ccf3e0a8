"""Target adapters: each public module here loads the targets of one scheme (``scheme:rest``).

The docstring of a module is its help page. A module has ``SCHEME`` and ``load(rest)``, which
returns a tokenizer or raises a TokharnessError. It may have ``reference(rest)``, which returns the
spec of the automatic reference or None; ``names()``, the known names after the scheme;
``versions()``, the versions of the libraries that it uses; and ``recognize(path)``, which looks at
the content of a file or a folder and returns the rest of each spec that loads it. No module has the
name of the library that it wraps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["describe", "renderer_command"]


def describe(path: Path) -> str | None:
    """Return what a file or a folder is that no adapter recognizes; None if it is not known."""
    from tokharness_tokenizers.vocabularies import file_heads

    return file_heads.describe(path)


def renderer_command(name: str) -> list[str]:
    """Return the command of a renderer of conversations, without the file with its template.

    Raises:
        TargetError: what it needs is not installed; the message says what to install.
        UnknownNameError: there is no renderer of this name.

    """
    from tokharness_tokenizers.programs import starting

    return starting.command(name)
