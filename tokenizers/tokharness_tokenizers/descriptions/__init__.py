"""Descriptions of vocabulary files: each public module here describes and writes one format.

A module has the name of the format in :mod:`tokharness_tokenizers.file_formats`, and ``FORMAT``,
its name in a description; ``describe(path)``, which returns the description of a file, or of a
folder with several, and raises ValueError or OSError as the reader does; and ``write(description,
folder)``, which writes a file that the reference reads into a tokenizer of this description, and
returns its path. What is written is described as it was, whatever file it came from.

A list of tokens, such as ``vocab.txt``, is described as the ``tokenizer.json`` that it stands for,
and written as this: the list itself cannot have most changes of it.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import struct
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers import file_formats
from tokharness_tokenizers.descriptions.model_folder import of_model
from tokharness_tokenizers.file_errors import named_file_errors

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness.model import Description

__all__ = ["describe", "describe_target", "write"]


def describe(path: Path) -> Description | None:
    """Describe a file, or the one that counts in a folder; None if its format is not known.

    Raises:
        OSError: it cannot be read.
        ValueError: it is damaged; the message says where.

    """
    found = file_formats.find(path)
    if found is None:
        return None
    module, file = found
    return _module(module.__name__.rpartition(".")[2]).describe(file)  # type: ignore[no-any-return]


def describe_target(path: Path, form: str | None = None) -> Description | None:
    """Describe the file of a target, and what the folder of its model says besides.

    The file has a format whatever its content shows if one is given. Raises VocabularyError if a
    file cannot be read or is damaged.
    """
    with named_file_errors(path):
        found = describe(path) if form is None else _module(form).describe(path)
        return found and of_model(found, path)


def _module(form: str) -> Any:
    return importlib.import_module(f"{__name__}.{form}")


def write(description: Description, folder: Path) -> Path:
    """Write a file into a folder, and return the path that the reference reads.

    Raises:
        OSError: it cannot be written.
        ValueError: its format is not known, or cannot have this content.

    """
    module = _by_format().get(description.format)
    if module is None:
        raise ValueError(f"the format {description.format!r:.60} is not known")
    try:
        return module.write(description, folder)  # type: ignore[no-any-return]
    except (KeyError, TypeError, AttributeError, OverflowError, struct.error) as error:
        problem = f"{type(error).__name__}: {error}"
        raise ValueError(f"no {description.format} has this description ({problem})") from error


@functools.cache
def _by_format() -> dict[str, Any]:
    names = {module.__name__.rpartition(".")[2] for module in file_formats.formats()}
    here = {module.name for module in pkgutil.iter_modules(__path__)}
    modules = [_module(name) for name in sorted(names & here)]
    return {module.FORMAT: module for module in modules}
