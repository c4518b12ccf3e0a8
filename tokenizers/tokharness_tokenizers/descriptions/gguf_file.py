"""The tokenizer of a GGUF file.

Settings have their names in the file without ``tokenizer.ggml.``. The ids of special tokens and
whether they are added belong to the post-processor; what is written and read by no tokenizer, such
as the number of token types and a copy of a ``tokenizer.json``, is left out.
"""

from __future__ import annotations

import base64
import struct
from array import array
from typing import TYPE_CHECKING, Any, Final

from tokharness.model import Description, TokenEntry
from tokharness_tokenizers.descriptions.canonical import canonical, check_places, text_of
from tokharness_tokenizers.descriptions.model_folder import DEFAULT
from tokharness_tokenizers.descriptions.sentencepiece_model import KIND_OF, NAME_OF
from tokharness_tokenizers.reference.gguf import metadata
from tokharness_tokenizers.reference.gguf.file import GEMMA4, GPT2, PREFIX, read_file
from tokharness_tokenizers.reference.gguf.metadata import MAGIC

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness_tokenizers.reference.gguf.file import File
    from tokharness_tokenizers.reference.gguf.metadata import Metadata

__all__ = ["FORMAT", "describe", "write"]

FORMAT: Final = "GGUF"
ARCHITECTURE: Final = "general.architecture"
TEMPLATE: Final = "tokenizer.chat_template"
TABLES: Final = ("tokens", "scores", "token_type", "merges", "precompiled_charsmap")
UNREAD: Final = ("model", "pre", "token_type_count", *TABLES)
NORMALIZING: Final = (
    "add_space_prefix",
    "normalizer.lowercase",
    "normalizer.strip_accents",
    "remove_extra_whitespaces",
    "treat_whitespace_as_suffix",
)
ADDED: Final = ("add_bos_token", "add_eos_token")
NUMBER: Final = "_token_id"


def describe(path: Path) -> Description:
    """Describe a file; raises OSError, or ValueError if it is damaged."""
    try:
        found = metadata.load(path)
        file = read_file(found, str(path))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    tokens = file.tokens
    scores = tokens.scores if any(tokens.scores) else (None,) * len(tokens.texts)
    kinds = (NAME_OF[kind] for kind in tokens.kinds)
    rows = map(TokenEntry, range(len(tokens.texts)), tokens.texts, scores, kinds)
    merges = file.merges if file.settings.model in {GPT2, GEMMA4} else None
    return Description(FORMAT, canonical(_stages(found, file)), tuple(rows), merges)


def _stages(found: Metadata, file: File) -> dict[str, Any]:
    settings = file.settings
    own = {
        key.removeprefix(PREFIX): value
        for key, value in sorted(found.items())
        if key.startswith(PREFIX) and key.removeprefix(PREFIX) not in UNREAD
    }
    flags = {name: getattr(settings, name.rpartition(".")[2]) for name in NORMALIZING}
    added = {
        "add_bos_token": bool(settings.before),
        "add_eos_token": bool(settings.after),
        **{name: value for name, value in own.items() if name in ADDED or name.endswith(NUMBER)},
    }
    others = {name: value for name, value in own.items() if name not in flags | added}
    charsmap = base64.b64encode(file.charsmap).decode()
    return {
        "normalizer": {**flags, "precompiled_charsmap": charsmap},
        "pre-tokenizer": {"pre": settings.pre} if settings.model == GPT2 else None,
        "model": {"type": settings.model},
        "post-processor": added,
        "template": _templates(found),
        "options": {**others, ARCHITECTURE: found.get(ARCHITECTURE)},
    }


def _templates(found: Metadata) -> dict[str, Any] | None:
    """Return the chat templates by name; the keys of named ones end with the name."""
    templates = {
        key.removeprefix(TEMPLATE).removeprefix(".") or DEFAULT: value
        for key, value in sorted(found.items())
        if key == TEMPLATE or key.startswith(f"{TEMPLATE}.")
    }
    return templates or None


def write(description: Description, folder: Path) -> Path:
    """Write a file without tensors into a folder, and return its path.

    Raises:
        OSError: it cannot be written.
        ValueError: the format cannot have this content.

    """
    path, keys = folder / "vocabulary.gguf", _keys(description)
    head = MAGIC + struct.pack("<IQQ", 3, 0, len(keys))
    path.write_bytes(head + b"".join(_string(key) + value for key, value in keys.items()))
    return path


def _keys(description: Description) -> dict[str, bytes]:
    """Return the keys of the metadata with their values as bytes."""
    stages, rows = description.stages, description.tokens
    check_places(rows)
    normalizer = dict(stages["normalizer"])
    charsmap = base64.b64decode(normalizer.pop("precompiled_charsmap"), validate=True)
    options = dict(stages["options"])
    architecture = options.pop(ARCHITECTURE)
    settings = {
        "model": stages["model"]["type"],
        **(stages["pre-tokenizer"] or {}),
        **normalizer,
        **stages["post-processor"],
        **options,
        "tokens": [text_of(row.token) for row in rows],
        "token_type": [int(KIND_OF[row.type or "normal"]) for row in rows],
    }
    if any(row.score for row in rows):
        settings["scores"] = [float(row.score or 0) for row in rows]
    if description.merges:
        settings["merges"] = [" ".join(map(text_of, pair)) for pair in description.merges]
    if charsmap:
        settings["precompiled_charsmap"] = list(charsmap)
    keys = {PREFIX + name: _typed(value) for name, value in settings.items() if value is not None}
    if architecture is not None:
        keys[ARCHITECTURE] = _typed(architecture)
    for name, text in (stages["template"] or {}).items():
        keys[TEMPLATE if name == DEFAULT else f"{TEMPLATE}.{name}"] = _typed(text)
    return keys


def _typed(value: Any) -> bytes:
    """Return the number of the type of a value, and the value."""
    kind, data = _encoded(value)
    return struct.pack("<I", kind) + data


def _encoded(value: Any) -> tuple[int, bytes]:
    if isinstance(value, str):
        return 8, _string(value)
    if isinstance(value, list):
        return 9, _array(value)
    code, kind = _number_type([value])
    return kind, struct.pack(f"<{code}", value)


def _array(values: list[Any]) -> bytes:
    size = struct.pack("<Q", len(values))
    if all(isinstance(one, bool | int | float) for one in values):
        code, kind = _number_type(values)
        return struct.pack("<I", kind) + size + struct.pack(f"<{len(values)}{code}", *values)
    kinds, rows = zip(*map(_encoded, values), strict=True)
    if len({*kinds}) > 1:
        raise ValueError("an array of GGUF has values of one type")
    return struct.pack("<I", kinds[0]) + size + b"".join(rows)


def _number_type(values: list[Any]) -> tuple[str, int]:
    """Return the code of :mod:`struct` for numbers, and the number of their type in GGUF."""
    if all(isinstance(one, bool) for one in values):
        return "?", 7
    if all(isinstance(one, int) for one in values):
        return ("i", 5) if all(-(1 << 31) <= one < 1 << 31 for one in values) else ("q", 11)
    return ("f", 6) if [*array("f", values)] == values else ("d", 12)


def _string(text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return struct.pack("<Q", len(data)) + data
