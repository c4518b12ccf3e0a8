"""Conversions of a tokenizer that lose or add something, as changes of a ``tokenizer.json``."""

import copy
import json
from importlib.resources import files
from pathlib import Path

SMALL = Path(str(files("tokharness_tokenizers.vocabularies"))) / "small"

SPECIAL = {"lstrip": True, "rstrip": False, "single_word": False, "normalized": False}


def bpe():
    """Return a byte-level BPE with a normalizer, and two added tokens that take spaces before."""
    record = json.loads((SMALL / "byte-level-bpe.json").read_text())
    record["normalizer"] = {"type": "NFC"}
    record["pre_tokenizer"] = {
        "type": "Sequence",
        "pretokenizers": [
            {
                "type": "Split",
                "pattern": {"Regex": r" ?\p{L}+| ?\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+"},
                "behavior": "Isolated",
                "invert": False,
            },
            {
                "type": "ByteLevel",
                "add_prefix_space": False,
                "trim_offsets": False,
                "use_regex": False,
            },
        ],
    }
    size = len(record["model"]["vocab"])
    record["added_tokens"] = [
        {"id": size + at, "content": text, "special": True, **SPECIAL}
        for at, text in enumerate(("<mask>", "<|end|>"))
    ]
    return record


def unigram():
    """Return a Unigram model."""
    return json.loads((SMALL / "unigram.json").read_text())


def wordpiece():
    """Return a WordPiece model behind BERT's normalizer."""
    record = json.loads((SMALL / "wordpiece.json").read_text())
    flags = {"clean_text": True, "handle_chinese_chars": True, "strip_accents": None}
    record["normalizer"] = {"type": "BertNormalizer", **flags, "lowercase": True}
    return record


def _changed(change, base=bpe):
    record = copy.deepcopy(base())
    change(record)
    return record


def lost_merge():
    return _changed(lambda record: record["model"]["merges"].pop(60))


def without_normalizer():
    return _changed(lambda record: record.update(normalizer=None))


def added_tokens_without_lstrip():
    def change(record):
        for row in record["added_tokens"]:
            row["lstrip"] = False

    return _changed(change)


def added_token_read_in_normalized_text():
    return _changed(lambda record: record["added_tokens"][0].update(normalized=True))


def added_token_as_a_single_word():
    return _changed(lambda record: record["added_tokens"][0].update(single_word=True))


def rounded_scores():
    def change(record):
        record["model"]["vocab"] = [
            [text, round(score)] for text, score in record["model"]["vocab"]
        ]

    return _changed(change, unigram)


def space_before_each_text():
    """The file declares the space, and its original has none: declared is not equal."""
    return _changed(
        lambda record: record["pre_tokenizer"]["pretokenizers"][1].update(add_prefix_space=True)
    )


def pattern_of_another_model():
    def change(record):
        split = record["pre_tokenizer"]["pretokenizers"][0]
        split["pattern"]["Regex"] = split["pattern"]["Regex"].replace("{1,3}", "{1,4}")

    return _changed(change)


def ids_shifted_after_a_hole():
    def change(record):
        vocabulary = record["model"]["vocab"]
        record["model"]["vocab"] = {t: n + (n >= 400) for t, n in vocabulary.items()}
        for row in record["added_tokens"]:
            row["id"] += 1

    return _changed(change)


def bytes_in_place_of_characters():
    def change(record):
        record["pre_tokenizer"]["pretokenizers"].pop()
        record["decoder"] = None

    return _changed(change)


def special_token_as_ordinary():
    def change(record):
        row = record["added_tokens"].pop(0)
        record["model"]["vocab"][row["content"]] = row["id"]

    return _changed(change)


def lost_added_token():
    return _changed(lambda record: record["added_tokens"].pop())


def merges_of_another_file():
    def change(record):
        record["model"]["merges"] = [*record["model"]["merges"][::-1]]

    return _changed(change)


def cut_vocabulary():
    def change(record):
        vocabulary = record["model"]["vocab"]
        gone = {text for text, number in vocabulary.items() if number >= 900}
        record["model"]["vocab"] = {t: n for t, n in vocabulary.items() if t not in gone}
        record["model"]["merges"] = [
            pair for pair in record["model"]["merges"] if "".join(_parts(pair)) not in gone
        ]

    return _changed(change)


def _parts(pair):
    return pair.split(" ") if isinstance(pair, str) else pair


CONVERSIONS = {
    lost_merge: (bpe, "model"),
    without_normalizer: (bpe, "normalizer"),
    added_tokens_without_lstrip: (bpe, "added tokens"),
    rounded_scores: (unigram, "model"),
    space_before_each_text: (bpe, "pre-tokenizer"),
    pattern_of_another_model: (bpe, "pre-tokenizer"),
    ids_shifted_after_a_hole: (bpe, "vocabulary"),
    bytes_in_place_of_characters: (bpe, "pre-tokenizer"),
    special_token_as_ordinary: (bpe, "added tokens"),
    merges_of_another_file: (bpe, "model"),
    cut_vocabulary: (bpe, "vocabulary"),
    added_token_read_in_normalized_text: (bpe, "added tokens"),
    added_token_as_a_single_word: (bpe, "added tokens"),
}
"""Each conversion, with the file that it was made from, and the stage that it breaks."""
