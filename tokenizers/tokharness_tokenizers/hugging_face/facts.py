"""What a ``tokenizer.json`` and a release of the library say about a tokenizer."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from tokharness.json_content import parse_json
from tokharness.regular_files import read_file
from tokharness_tokenizers.reference.tokenizer_json import tables

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

# The Unicode versions of the tables in releases of ``tokenizers``, as measured.
#
# Each was found by a sweep of all scalar values. A run checks from outside what the texts of a
# vocabulary show; these versions count where they show nothing.

RELEASE_0_20: Final = {
    tables.FORMS: "9.0",
    tables.MARKS: "9.0",
    tables.CATEGORIES: "8.0",
    tables.CLUSTERS: "16.0",
    tables.CASE: "15.1",
    tables.SPLIT: "14.0",
    tables.WHITESPACE: "16.0",
    tables.PUNCTUATION: "8.0",
    tables.NUMBERS: "15.1",
    tables.SCRIPTS: "9.0",
    tables.WORDS: "16.0",
}
RELEASE_0_23: Final = {
    **RELEASE_0_20,
    tables.CLUSTERS: "17.0",
    tables.CASE: "17.0",
    tables.SPLIT: "16.0",
    tables.NUMBERS: "17.0",
}
RELEASE_1_0: Final = {
    **RELEASE_0_23,
    tables.FORMS: "17.0",
    tables.SPLIT: "17.0",
    tables.WHITESPACE: "17.0",
    tables.PUNCTUATION: "17.0",
    tables.WORDS: "17.0",
}


def stage_versions() -> dict[str, str]:
    """Return the versions of the installed release, or of the one before it that was measured."""
    major, minor = (int(part) for part in version("tokenizers").split(".")[:2])
    if major >= 1:
        return RELEASE_1_0
    return RELEASE_0_20 if minor < 23 else RELEASE_0_23


def added_tokens(tokenizer: Any, path: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Return the ids of the special tokens and of the other added ones, by text.

    They are those that the library shows: it may ignore the id that the file says.
    """
    if hasattr(tokenizer, "get_added_tokens_decoder"):
        known = tokenizer.get_added_tokens_decoder()
        rows = [(token.content, number, token.special) for number, token in known.items()]
    else:
        record = parse_json(read_file(path))
        rows = [
            (one["content"], _id_of(tokenizer, one["content"], one["id"]), bool(one["special"]))
            for one in record.get("added_tokens") or ()
            if one["content"]
        ]
    special = {text: number for text, number, is_special in rows if is_special}
    return special, {text: number for text, number, is_special in rows if not is_special}


def _id_of(tokenizer: Any, content: str, number: int) -> int:
    """Return the id of an added token of a release that has no table of them."""
    options = {"add_special_tokens": False, "padding": None, "truncation": None}
    ids = tokenizer.encode(content, **options).ids
    return int(ids[0]) if len(ids) == 1 else number


def n_vocab(tokenizer: Any, path: Path, added: Mapping[str, int]) -> int:
    """Return one more than the largest id, which may be that of an added token."""
    if hasattr(tokenizer, "get_vocab"):
        return max(tokenizer.get_vocab(with_added_tokens=True).values(), default=-1) + 1
    record = parse_json(read_file(path))
    vocabulary = record["model"]["vocab"]
    ids = [len(vocabulary) - 1] if isinstance(vocabulary, list) else [*vocabulary.values()]
    return max([*ids, *added.values()], default=-1) + 1


def without_batch_padding(encoding: Any, padding: Any) -> list[int]:
    """Return ids without those that only fill a row up to the longest one of the batch.

    What the row would have alone remains: padding to a length, or to a multiple of one.
    ``padding`` are the settings of the library, a dictionary before 1.0.
    """
    ids: list[int] = encoding.ids
    used = sum(encoding.attention_mask)
    if padding is None or used == len(ids):
        return ids
    settings = padding if isinstance(padding, dict) else _settings(padding)
    if settings["length"] is not None:
        return ids
    kept = used + -used % (settings["pad_to_multiple_of"] or 1)
    return ids[len(ids) - kept :] if settings["direction"] == "left" else ids[:kept]


def _settings(padding: Any) -> dict[str, Any]:
    """Return the settings that padding to a batch depends on."""
    return {name: getattr(padding, name) for name in ("length", "pad_to_multiple_of", "direction")}
