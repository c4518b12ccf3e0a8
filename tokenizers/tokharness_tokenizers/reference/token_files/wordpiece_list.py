"""``vocab.txt``, the list of pieces of a WordPiece model (Devlin et al. 2019, ``tokenization.py``).

Each line is a token, whose id is the number of the line from 0; white space around the token does
not belong to it. An empty line also has an id, and of two equal lines the later line counts. Lines
end in U+000A, and U+000D before it is white space. A byte order mark belongs to the first token.

The list does not define the stages before the model; :mod:`.config` does. Without it, text is made
lower case, and accents are stripped, if no token of the list has an upper case letter; special
tokens such as ``[UNK]`` do not count. (BERT's own code and the library ask the user; their default
is lower case.)

A word of more than 100 characters is the unknown token, as in ``tokenizers`` and ``transformers``.
(BERT's own code has 200.) The setting ``never_split`` of older releases of ``transformers`` is not
applied, as in release 5.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from tokharness.regular_files import read_lines
from tokharness_tokenizers.reference import tokenizer_json
from tokharness_tokenizers.reference.normalizers.mapping import Lowercase
from tokharness_tokenizers.reference.token_files.stages import (
    NO_CONFIG,
    TokenizerConfig,
    added_tokens,
    pair_of_ends,
    read_config,
    without_stages,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tokharness_tokenizers.reference.pipeline import Pipeline

FILE_NAME: Final = "vocab.txt"
SPECIAL: Final = {
    "unk_token": "[UNK]",
    "sep_token": "[SEP]",
    "pad_token": "[PAD]",
    "cls_token": "[CLS]",
    "mask_token": "[MASK]",
}
CLASSES: Final = dict.fromkeys(
    (
        *("BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer", "MobileBertTokenizer"),
        *("SqueezeBertTokenizer", "ConvBertTokenizer"),
    ),
    SPECIAL,
)
"""Classes of ``transformers`` that are BertTokenizer, with their special tokens."""

MAX_CHARACTERS: Final = 100
_BRACKETED = re.compile(r"\ufeff?(?:\[[^\]]*\]|<[^>]*>)")


def load(path: Path) -> Pipeline:
    """Read a list and the settings next to it.

    Raises:
        OSError: one of the files cannot be read.
        ValueError: one of the files is damaged, or the settings name a class that is not known.

    """
    try:
        return tokenizer_json.read(read_record(path), str(path), FILE_NAME)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def read_record(path: Path) -> dict[str, Any]:
    """Read a list and its settings as a ``tokenizer.json``; raises OSError or ValueError."""
    return record_of(read_tokens(read_lines(path)), read_config(path))


def read_tokens(data: bytes) -> list[str]:
    """Return the token of each line; raises ValueError for bytes that are not UTF-8."""
    lines = data.split(b"\n")
    tokens = []
    for number, line in enumerate(lines if lines[-1] else lines[:-1], start=1):
        try:
            tokens.append(line.decode().strip())
        except UnicodeDecodeError as error:
            raise ValueError(f"line {number} is not UTF-8: save the list as UTF-8") from error
    return tokens


def is_cased(tokens: Sequence[str]) -> bool:
    """Whether a token that is not special has an upper case letter.

    The first token may begin with a byte order mark, which libraries treat as a part of the token.
    """
    text = "\n".join(token for token in tokens if not _BRACKETED.fullmatch(token))
    return Lowercase().normalize(text) != text


def record_of(tokens: Sequence[str], config: TokenizerConfig = NO_CONFIG) -> dict[str, Any]:
    """Make a ``tokenizer.json`` of the tokens of a list; raises ValueError for a class."""
    vocabulary = {token: number for number, token in enumerate(tokens)}
    is_named = config.class_of(CLASSES) is not None
    lowercase = config.flag("do_lower_case", default=is_named or not is_cased(tokens))
    added = added_tokens(vocabulary, config, SPECIAL, with_missing=is_named)
    ids = {**vocabulary, **{token["content"]: token["id"] for token in added}}
    names = {
        name: (config.token(name, text) or {}).get("content") for name, text in SPECIAL.items()
    }
    return {
        **without_stages(added),
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": config.flag("tokenize_chinese_chars", default=True),
            "strip_accents": config.flag("strip_accents", default=None),
            "lowercase": lowercase,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": pair_of_ends(
            "BertProcessing", ids, names["cls_token"], names["sep_token"]
        ),
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": names["unk_token"],
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": MAX_CHARACTERS,
            "vocab": vocabulary,
        },
    }
