"""Healthy files that each show one normalizer or one pre-tokenizer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted import _small_models as models
from planted._file_parts import (
    BERT,
    BYTE_DECODER,
    BYTES,
    ENDS_DECODER,
    GPT2,
    file_of,
    metaspace,
    normalizing,
    split_by,
    splitting,
)

if TYPE_CHECKING:
    from planted._file_parts import Record

RUNS = r"[\p{L}\p{M}]+|\p{N}+| +|[\r\n]+|[^\s\p{L}\p{M}\p{N}]+|\s+"
"""A pattern that splits where the class of characters changes, but not before a mark."""

PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
RULES = {
    "\ufb01": "fi",
    "\uff21": "A",
    "\u00a0": " ",
    "\u2460": "1",
    "\u00bd": "1/2",
    "\t": " ",
    "a\u0300": "\u00e0",
    "e\u0301": "\u00e9",
    "e\u0302": "\u00ea",
    "e\u0302\u0301": "\u1ebf",
    "\u200b": "",
    "\u3000": " ",
    "\u00b5": "\u03bc",
    "\u2126": "\u03a9",
    "\u1e9e": "ss",
}
NORMALIZER_RECORDS: dict[str, Record] = {
    **{form.lower(): normalizing({"type": form}) for form in ("NFC", "NFD", "NFKC", "NFKD")},
    "lowercase": normalizing({"type": "Lowercase"}),
    "strip": normalizing({"type": "Strip", "strip_left": True, "strip_right": True}),
    "strip_accents": normalizing({"type": "NFD"}, {"type": "StripAccents"}, {"type": "Lowercase"}),
    "bert_normalizer": normalizing(
        BERT,
        pre_tokenizer={"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, BYTES]},
    ),
    "nmt": normalizing({"type": "Nmt"}, {"type": "NFKC"}),
    "replace": normalizing({"type": "Replace", "pattern": {"String": "``"}, "content": '"'}),
    "replace_pattern": normalizing(
        {"type": "Replace", "pattern": {"Regex": "[0-9]"}, "content": "0"}
    ),
    "prepend": normalizing(
        {"type": "Prepend", "prepend": "_"},
        decoder={
            "type": "Sequence",
            "decoders": [BYTE_DECODER, {"type": "Strip", "content": "_", "start": 1, "stop": 0}],
        },
    ),
    "precompiled": normalizing(
        {"type": "Precompiled", "precompiled_charsmap": models.charsmap(RULES)}
    ),
    "byte_level_normalizer": normalizing({"type": "ByteLevel"}, pre_tokenizer=None),
}
PRE_TOKENIZER_RECORDS: dict[str, Record] = {
    "byte_level": file_of(
        models.word_ends(), pre_tokenizer={**GPT2, "add_prefix_space": True}, decoder=ENDS_DECODER
    ),
    "byte_level_ends": file_of(models.word_ends(), pre_tokenizer=GPT2, decoder=ENDS_DECODER),
    "class_borders": file_of(
        models.border_bpe(),
        pre_tokenizer={
            "type": "Sequence",
            "pretokenizers": [split_by({"Regex": RUNS}, "Isolated"), BYTES],
        },
        decoder=BYTE_DECODER,
    ),
    "split": splitting(split_by({"Regex": PATTERN}, "Isolated")),
    "split_removed": splitting(split_by({"String": " "}, "Removed")),
    "split_merged": splitting(split_by({"String": " "}, "MergedWithNext")),
    "split_contiguous": splitting(split_by({"Regex": r"\s"}, "Contiguous")),
    "split_inverted": splitting(split_by({"Regex": r"\p{L}+"}, "Removed", invert=True)),
    "whitespace": splitting({"type": "Whitespace"}),
    "whitespace_split": splitting({"type": "WhitespaceSplit"}),
    "bert_pre_tokenizer": splitting({"type": "BertPreTokenizer"}),
    "punctuation": splitting({"type": "Punctuation", "behavior": "Isolated"}),
    "digits": splitting({"type": "Digits", "individual_digits": False}),
    "digits_individually": splitting({"type": "Digits", "individual_digits": True}),
    "unicode_scripts": splitting({"type": "UnicodeScripts"}),
    "char_delimiter": splitting({"type": "CharDelimiterSplit", "delimiter": " "}),
    "fixed_length": splitting({"type": "FixedLength", "length": 4}),
    **{
        f"metaspace_{scheme}": file_of(
            models.fallback_bpe(),
            pre_tokenizer=metaspace(scheme, split=True),
            decoder={
                "type": "Sequence",
                "decoders": [{"type": "ByteFallback"}, metaspace(scheme, split=True)],
            },
            added=[("~name~", "")],
        )
        for scheme in ("always", "first", "never")
    },
}
