"""``vocab.json`` with ``merges.txt``: the two files of BPE (Radford et al. 2019, ``encoder.py``).

``vocab.json`` is an object from token to id. ``merges.txt`` has a pair of tokens in each line, in
the order of the merges, with one space between them; a first line that begins with ``#version`` is
not a pair. (GPT-2's own code always leaves out the first line, and any text after the last line
end.)

The class in ``tokenizer_config.json`` decides the stages before the model. Without it, tokens do:

- tokens of byte characters mean the stages of GPT-2,
- with ``</w>`` at the ends of words, and all 256 bytes with and without it, the stages of CLIP,
- other tokens with ``</w>`` mean the stages of OpenAI's first GPT.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from tokharness.json_content import parse_json
from tokharness.regular_files import read_file, read_lines, require_inside_folder
from tokharness_tokenizers.reference import tokenizer_json
from tokharness_tokenizers.reference.byte_characters import BYTE_OF
from tokharness_tokenizers.reference.token_files import stages
from tokharness_tokenizers.reference.token_files.stages import (
    END_OF_WORD,
    NO_CONFIG,
    TokenizerConfig,
    added_tokens,
    read_config,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tokharness_tokenizers.reference.pipeline import Pipeline

FILE_NAME: Final = "vocab.json"
_END: Final = "<|endoftext|>"
_ENDS: Final = {"bos_token": "<s>", "eos_token": "</s>", "sep_token": "</s>", "cls_token": "<s>"}
CLASSES: Final[Mapping[str, Mapping[str, str]]] = {
    "GPT2Tokenizer": dict.fromkeys(("unk_token", "bos_token", "eos_token"), _END),
    "RobertaTokenizer": {
        **_ENDS, "unk_token": "<unk>", "pad_token": "<pad>", "mask_token": "<mask>",
    },
    "CLIPTokenizer": {
        "unk_token": _END, "bos_token": "<|startoftext|>", "eos_token": _END, "pad_token": _END,
    },
    "OpenAIGPTTokenizer": {"unk_token": "<unk>"},
}  # fmt: skip
"""The special tokens of each class of ``transformers`` that is known."""

_BRACKETED = re.compile(r"<[^>]*>")


def load(folder: Path) -> Pipeline:
    """Read the files of a folder.

    Raises:
        OSError: one of the files cannot be read.
        ValueError: one of the files is damaged, they do not belong together, or nothing says the
            stages before the model.

    """
    try:
        return tokenizer_json.read(read_record(folder), str(folder), FILE_NAME)
    except ValueError as error:
        raise ValueError(f"{folder}: {error}") from error


def read_record(folder: Path) -> dict[str, Any]:
    """Read the files of a folder as a ``tokenizer.json``; raises OSError or ValueError."""
    require_inside_folder(folder, [folder / "vocab.json", folder / "merges.txt"])
    try:
        vocabulary = parse_json(read_file(folder / "vocab.json"))
    except ValueError as error:
        raise ValueError(f"vocab.json is not JSON: {error}") from error
    if not isinstance(vocabulary, dict) or not all(type(one) is int for one in vocabulary.values()):
        raise ValueError("vocab.json is not an object from token to id")
    merges = read_merges(read_lines(folder / "merges.txt"))
    return record_of(vocabulary, merges, read_config(folder))


def read_merges(data: bytes) -> list[list[str]]:
    """Return the pair of each line; raises ValueError for a line without a pair."""
    lines = [line.removesuffix(b"\r") for line in data.split(b"\n")]
    pairs = []
    for number, line in enumerate(lines if lines[-1] else lines[:-1], start=1):
        if number == 1 and line.startswith(b"#version"):
            continue
        try:
            pair = line.decode().split(" ", 2)
        except UnicodeDecodeError as error:
            raise ValueError(f"line {number} of merges.txt is not UTF-8") from error
        if len(pair) != 2:
            raise ValueError(f"line {number} of merges.txt is {line!r:.60}, not two tokens")
        pairs.append(pair)
    return pairs


def record_of(
    vocabulary: Mapping[str, int],
    merges: Sequence[Sequence[str]],
    config: TokenizerConfig = NO_CONFIG,
) -> dict[str, Any]:
    """Make a ``tokenizer.json`` of the tokens and merges; raises ValueError as :func:`load`."""
    named = config.class_of(CLASSES)
    kind = named or _kind_of(vocabulary)
    defaults = CLASSES[kind]
    added = added_tokens(vocabulary, config, defaults, with_missing=named is not None)
    ids = {**vocabulary, **{token["content"]: token["id"] for token in added}}
    names = {
        name: (config.token(name, text) or {}).get("content") for name, text in defaults.items()
    }
    has_ends = kind in ("CLIPTokenizer", "OpenAIGPTTokenizer")
    unknown = names["unk_token"] if has_ends else None
    model = bpe_model(vocabulary, merges, unknown, END_OF_WORD if has_ends else "")
    file = {**stages.without_stages(added), "model": model}
    if kind == "CLIPTokenizer":
        return {**file, **stages.clip(), **_ends(ids, names["bos_token"], names["eos_token"])}
    if kind == "OpenAIGPTTokenizer":
        return {**file, **stages.words()}
    spaces = bool(config.flag("add_prefix_space", default=False))
    file |= stages.byte_level(add_prefix_space=spaces)
    if kind == "RobertaTokenizer":
        return {**file, **_ends(ids, names["cls_token"], names["sep_token"])}
    return file


def bpe_model(
    vocabulary: Mapping[str, int],
    merges: Sequence[Sequence[str]],
    unknown: str | None,
    suffix: str,
) -> dict[str, Any]:
    """Return the model of a ``tokenizer.json``."""
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": unknown,
        "continuing_subword_prefix": "",
        "end_of_word_suffix": suffix,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        "vocab": vocabulary,
        "merges": merges,
    }


def _ends(ids: Mapping[str, int], start: str | None, end: str | None) -> dict[str, Any]:
    flags = {"trim_offsets": True, "add_prefix_space": False}
    return {"post_processor": stages.pair_of_ends("RobertaProcessing", ids, start, end, **flags)}


def _kind_of(vocabulary: Mapping[str, int]) -> str:
    """Return the class that tokens show; raises ValueError if they show no class."""
    if any(token.endswith(END_OF_WORD) for token in vocabulary):
        bytes_ = (token for byte in BYTE_OF for token in (byte, byte + END_OF_WORD))
        return "CLIPTokenizer" if vocabulary.keys() >= {*bytes_} else "OpenAIGPTTokenizer"
    characters = {*"".join(token for token in vocabulary if not _BRACKETED.fullmatch(token))}
    if characters <= BYTE_OF.keys():
        return "GPT2Tokenizer"
    raise ValueError(
        "the tokens of vocab.json have no end of word </w> and are not written in byte characters: "
        f"name the tokenizer_class in tokenizer_config.json, one of {', '.join(CLASSES)}"
    )
