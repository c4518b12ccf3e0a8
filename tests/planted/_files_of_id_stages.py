"""Healthy files that each show a model, added tokens, a post-processor or a decoder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from planted import _small_models as models
from planted._file_parts import (
    BERT,
    BYTE_DECODER,
    GPT2,
    MARK,
    SPACES_DECODER,
    file_of,
    metaspace,
    normalizing,
    split_by,
)

if TYPE_CHECKING:
    from planted._file_parts import Record

START, END = len(models.byte_bpe()["vocab"]), len(models.byte_bpe()["vocab"]) + 1
CONTROL = [(token, "special") for token in ("[CLS]", "[SEP]", "[MASK]")]


def adding(post_processor: Record | None, **parts: Any) -> Record:
    """Make a byte-level file with special tokens and a post-processor."""
    tokens = [(token, "special") for token in ("<s>", "</s>", "<pad>")]
    parts = {"pre_tokenizer": GPT2, "decoder": BYTE_DECODER, **parts}
    return file_of(models.byte_bpe(), added=tokens, post_processor=post_processor, **parts)


TEMPLATE: Record = {
    "type": "TemplateProcessing",
    "single": [
        {"SpecialToken": {"id": "<s>", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "</s>", "type_id": 0}},
    ],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
    "special_tokens": {
        token: {"id": token, "ids": [number], "tokens": [token]}
        for token, number in (("<s>", START), ("</s>", END))
    },
}
PAIRS: Record = {"sep": ["</s>", END], "cls": ["<s>", START]}
MODEL_RECORDS: dict[str, Record] = {
    "byte_bpe": file_of(models.byte_bpe(), pre_tokenizer=GPT2, decoder=BYTE_DECODER),
    "short_list": file_of(
        {**models.byte_bpe(), "merges": [*models.MERGES[:-5]]},
        pre_tokenizer=GPT2,
        decoder=BYTE_DECODER,
    ),
    "ignores_merges": file_of(
        models.byte_bpe(ignore_merges=True), pre_tokenizer=GPT2, decoder=BYTE_DECODER
    ),
    "fallback_bpe": file_of(
        models.fallback_bpe(),
        normalizer={
            "type": "Sequence",
            "normalizers": [
                {"type": "Prepend", "prepend": MARK},
                {"type": "Replace", "pattern": {"String": " "}, "content": MARK},
            ],
        },
        decoder=SPACES_DECODER,
    ),
    "unknown_bpe": file_of(
        models.fallback_bpe(byte_fallback=False),
        pre_tokenizer=metaspace("always"),
        decoder=metaspace("always"),
    ),
    "wordpiece": file_of(
        models.wordpiece(),
        normalizer=BERT,
        pre_tokenizer={"type": "BertPreTokenizer"},
        decoder={"type": "WordPiece", "prefix": "##", "cleanup": False},
        added=CONTROL,
    ),
    "unigram": file_of(
        models.unigram(), pre_tokenizer=metaspace("always", split=True), decoder=SPACES_DECODER
    ),
    "unknown_unigram": file_of(
        models.unigram(byte_fallback=False),
        normalizer={"type": "NFKC"},
        pre_tokenizer=metaspace("always", split=True),
        decoder=metaspace("always", split=True),
    ),
    "word_level": file_of(models.word_level(), pre_tokenizer={"type": "Whitespace"}),
}
ADDED_RECORDS: dict[str, Record] = {
    "added": normalizing(
        {"type": "Lowercase"},
        added=(
            *(("<s>", "special"), ("</s>", "special"), ("~name~", ""), ("~name~1", "")),
            *(("~left~", "lstrip"), ("~right~", "rstrip"), ("~both~", "lstrip rstrip")),
            *(("~word~", "single_word"), ("~Title~", "normalized"), ("~Exact~", "")),
        ),
    ),
}
POST_RECORDS: dict[str, Record] = {
    "template": adding(TEMPLATE),
    "bert_processing": adding({"type": "BertProcessing", **PAIRS}),
    "roberta_processing": adding(
        {"type": "RobertaProcessing", **PAIRS, "trim_offsets": True, "add_prefix_space": False}
    ),
    "byte_level_processing": adding(
        {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    ),
    "truncation": adding(
        TEMPLATE,
        truncation={
            "direction": "Right",
            "max_length": 64,
            "strategy": "LongestFirst",
            "stride": 0,
        },
    ),
}
DECODER_RECORDS: dict[str, Record] = {
    "wordpiece_decoder": file_of(
        models.wordpiece(),
        added=CONTROL,
        pre_tokenizer={"type": "BertPreTokenizer"},
        decoder={"type": "WordPiece", "prefix": "##", "cleanup": True},
    ),
    "bpe_decoder": file_of(
        models.suffix_bpe(),
        pre_tokenizer={"type": "WhitespaceSplit"},
        decoder={"type": "BPEDecoder", "suffix": "</w>"},
    ),
    "ctc": file_of(
        models.word_level(),
        pre_tokenizer=split_by({"Regex": ""}, "Isolated"),
        decoder={"type": "CTC", "pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": True},
    ),
}
