"""A ``tekken.json``: ordinary tokens behind the special ones.

Of two ranks of one token the later counts, and the type of the other is ``replaced``; that of a
token whose id the default size leaves out is ``cut off by default_vocab_size``. The version is one
of the options: the library puts the ids of a conversation together as it says. The texts for
people and the settings of images and sound are left out.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Final

from tokharness.model import Description, TokenEntry
from tokharness_tokenizers.descriptions.canonical import (
    REPLACED,
    replaced_first,
    special_rows,
    unique,
    write_json,
)
from tokharness_tokenizers.descriptions.model_folder import (
    model_folder,
    read_templates,
    write_templates,
)
from tokharness_tokenizers.reference import tekken

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["FORMAT", "describe", "write"]

FORMAT: Final = "tekken.json"
CUT_OFF: Final = "cut off by default_vocab_size"
FIRST_COMPLETE: Final = "v11"
"""A version whose files list their special tokens, for a file whose version is not known."""


def describe(path: Path) -> Description:
    """Describe a file; raises OSError, or ValueError if it is damaged."""
    found = tekken.load(path)
    rows = [TokenEntry(number, token) for token, number in found.ranks.items()]
    others = ((found.other_ids, REPLACED), ({n: t for t, n in found.cut_off.items()}, CUT_OFF))
    rows += [
        TokenEntry(number, token, type=kind)
        for ids, kind in others
        for number, token in ids.items()
    ]
    stages: dict[str, Any] = {
        "added tokens": special_rows(found.special_tokens),
        "pre-tokenizer": {"pattern": found.pattern, "type": "Split"},
        "model": {"type": "byte-level BPE"},
        "options": {"version": found.version},
    }
    if folder := model_folder(path, FORMAT):
        stages["template"] = read_templates(folder)
    return Description(FORMAT, stages, tuple(sorted(rows)))


def write(description: Description, folder: Path) -> Path:
    """Write a file into a folder, and return its path; raises OSError or ValueError."""
    stages, path = description.stages, folder / FORMAT
    rows = replaced_first(description.tokens)
    special = unique(((row["id"], row["text"]) for row in stages["added tokens"]), "id")
    kept = [row.id for row in description.tokens if row.type != CUT_OFF]
    lowest = min((number for number, _ in rows), default=0)
    first = next((at for at in range(lowest) if at not in special), lowest)
    record = {
        "config": {
            "pattern": stages["pre-tokenizer"]["pattern"],
            "default_num_special_tokens": first,
            "default_vocab_size": max(kept, default=-1) + 1,
            "version": stages.get("options", {}).get("version") or FIRST_COMPLETE,
        },
        "special_tokens": [
            {"rank": number, "token_str": text, "is_control": True}
            for number, text in special.items()
        ],
        "vocab": [
            {
                "rank": number - first,
                "token_bytes": base64.b64encode(token).decode(),
                "token_str": None,
            }
            for number, token in rows
        ],
    }
    write_json(path, record)
    write_templates(stages.get("template"), folder)
    return path
