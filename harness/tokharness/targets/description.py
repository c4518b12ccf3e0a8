"""The content of a target's files, and files of such content, through adapters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness import plugins

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness.model import Description

__all__ = ["describe", "write"]


def describe(spec: str) -> Description | None:
    """Return the content of a target's files; None if it shows none.

    Raises:
        UsageError: the spec has no known scheme, or names something that is not known.
        TargetError: a file cannot be read, or is damaged.

    """
    return plugins.adapter(spec).describe(spec.partition(":")[2])


def write(description: Description, folder: Path) -> str | None:
    """Write a file into a folder, and return the spec of the target that reads it.

    None if no adapter writes files of this kind. Raises TargetError if the format cannot have
    this content, or the file cannot be written.
    """
    written = (one.write_file(description, folder) for one in plugins.adapters().values())
    return next((spec for spec in written if spec is not None), None)
