"""The side file of a vocabulary: ``PATH.json`` next to the ``.tiktoken`` file PATH.

It is one JSON object with the keys ``name``, ``pattern`` and ``special_tokens`` (text to id), and
optionally ``unicode_version``, ``sha256`` (of the rank file), ``allow_holes`` (many ids without a
token, or some before the special tokens, are intended) and ``made`` (how it was made). Every error
is one sentence that names the file.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.json_content import parse_json
from tokharness.regular_files import read_lines, require_inside_folder
from tokharness.unicode import versions
from tokharness_tokenizers.reference.rank_lines import LARGEST_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["SideFile", "read_bytes", "read_side_file", "side_path"]


@dataclasses.dataclass(frozen=True)
class SideFile:
    """The content of a side file: everything of a vocabulary except its ranks."""

    name: str
    pattern: str
    special_tokens: Mapping[str, int]
    unicode_version: str | None = None
    sha256: str | None = None
    allow_holes: bool = False
    made: Mapping[str, Any] = dataclasses.field(default_factory=dict)


def side_path(path: str | Path) -> Path:
    """Return the path of the side file of a rank file."""
    return Path(f"{path}.json")


def read_side_file(path: str | Path) -> SideFile:
    """Read the side file of a rank file; raises OSError or ValueError."""
    where = side_path(path)
    if not Path(path).is_file():
        raise FileNotFoundError(f"there is no vocabulary file {path}: check the path")
    require_inside_folder(where.parent, [where])
    data = read_bytes(where, f"side file of {Path(path).name} with its pattern and special tokens")
    try:
        content = parse_json(data, object_pairs_hook=_without_duplicates)
    except ValueError as error:  # of JSON or of UTF-8
        raise ValueError(f"{where} is not JSON: {error}") from error
    if not isinstance(content, dict):
        raise ValueError(f"{where} is not a JSON object")  # noqa: TRY004 - like all file errors
    keys = {field.name for field in dataclasses.fields(SideFile)}
    if unknown := sorted(content.keys() - keys):
        known = ", ".join(sorted(keys))
        raise ValueError(f"{where} has an unknown key {unknown[0]!r}; known: {known}")
    for key, (accepts, expected) in _TYPES.items():
        value = content.get(key)
        if not accepts(value):
            raise ValueError(f"{where}: {key} must be {expected}, not {json.dumps(value)[:80]}")
    return SideFile(**{key: value for key, value in content.items() if value is not None})


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        ((key, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"it has the key {key[:80]!a} twice")
    return content


def _is_text(value: object) -> bool:
    """Whether a value is a text: not empty, and without lone surrogates, which UTF-8 lacks."""
    return isinstance(value, str) and value != "" and not SURROGATE.search(value)


def _is_special_tokens(value: object) -> bool:
    return isinstance(value, dict) and all(
        _is_text(text) and type(token) is int and 0 <= token <= LARGEST_ID
        for text, token in value.items()
    )


def _is_version(value: object) -> bool:
    try:
        return value is None or (isinstance(value, str) and bool(versions.canonical(value)))
    except ValueError:
        return False


SURROGATE = re.compile("[\ud800-\udfff]")
SPECIAL_TOKENS = (
    f"an object from text to id, each text not empty and each id from 0 to {LARGEST_ID:,}"
)

_TYPES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "name": (lambda value: isinstance(value, str), "a string"),
    "pattern": (_is_text, "a non-empty string without lone surrogates"),
    "special_tokens": (_is_special_tokens, SPECIAL_TOKENS),
    "unicode_version": (_is_version, f"one of {', '.join(versions.VERSIONS)}, or null"),
    "sha256": (lambda value: isinstance(value, str | None), "a string or null"),
    "allow_holes": (lambda value: isinstance(value, bool | None), "true or false"),
    "made": (lambda value: isinstance(value, dict | None), "an object"),
}


def read_bytes(path: Path, what: str, read: Callable[[Path], bytes] = read_lines) -> bytes:
    """Read a file; raises OSError with a message that says ``what`` the file is."""
    try:
        return read(path)
    except FileNotFoundError:
        raise FileNotFoundError(f"there is no {path}, the {what}") from None
    except OSError as error:
        raise OSError(f"cannot read {path}, the {what}: {error.strerror}") from error
