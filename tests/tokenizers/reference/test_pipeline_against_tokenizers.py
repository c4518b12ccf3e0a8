"""Random files give the ids and the decoded text of Hugging Face's library."""

from __future__ import annotations

import json
import random
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import pytest

from tokharness_tokenizers.hugging_face.loaded import stage_versions
from tokharness_tokenizers.reference import tokenizer_json

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.needs("tokenizers", "0")

CHARACTERS = "aAbB 1.,\n\t\u3000\u2581\u0120\xe9\u0301\u0323\ufb01\u4e2d\u0130\U0001f600\u200d\x1c"
UNITS = (*CHARACTERS, *CHARACTERS, "<s>", "<T>", "<t>", "\u2581x", " <s> ")
PIECES = ("ab", "a\u2581", "\u2581a", "\u2581\u2581", "fi", "12", "\u0120a", "aa", "e", "bb")
FILES, TEXTS = 120, 6

NORMALIZERS: list[dict[str, Any] | None] = [
    None,
    *({"type": name} for name in ("NFC", "NFKD", "Lowercase", "StripAccents", "Nmt", "ByteLevel")),
    {"type": "Strip", "strip_left": True, "strip_right": True},
    {"type": "Prepend", "prepend": "\u2581"},
    {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"},
    {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": ""},
    {"type": "Replace", "pattern": {"Regex": r"^\s"}, "content": "b"},
    {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": True,
    },
]
BYTE_LEVEL = {"type": "ByteLevel", "trim_offsets": True}
METASPACE = {"type": "Metaspace", "replacement": "\u2581"}
PRE_TOKENIZERS: list[dict[str, Any] | None] = [
    None,
    {**BYTE_LEVEL, "add_prefix_space": True, "use_regex": True},
    {**BYTE_LEVEL, "add_prefix_space": False, "use_regex": False},
    {**METASPACE, "prepend_scheme": "always", "split": True},
    {**METASPACE, "prepend_scheme": "always", "split": False},
    {**METASPACE, "prepend_scheme": "never", "split": True},
    *({"type": name} for name in ("WhitespaceSplit", "Whitespace", "BertPreTokenizer")),
    {"type": "UnicodeScripts"},
    {"type": "Punctuation", "behavior": "MergedWithPrevious"},
    {"type": "Digits", "individual_digits": False},
    {"type": "CharDelimiterSplit", "delimiter": "b"},
    {"type": "Split", "pattern": {"String": "a"}, "behavior": "Removed", "invert": True},
    {
        "type": "Split",
        "pattern": {"Regex": r"\s|\p{N}"},
        "behavior": "MergedWithNext",
        "invert": False,
    },
]
FIRST = [{**METASPACE, "prepend_scheme": "first", "split": split} for split in (True, False)]
"""They depend on where the text begins, which the library sees in the original text."""
DECODERS: list[dict[str, Any] | None] = [
    None,
    {**BYTE_LEVEL, "add_prefix_space": True, "use_regex": True},
    {**METASPACE, "prepend_scheme": "always", "split": True},
    {"type": "WordPiece", "prefix": "##", "cleanup": True},
    {"type": "BPEDecoder", "suffix": "</w>"},
    {
        "type": "Sequence",
        "decoders": [
            {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "},
            {"type": "ByteFallback"},
            {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0},
        ],
    },
]
ONE_TEXT = {"Sequence": {"id": "A", "type_id": 0}}
SPECIAL_TOKEN = {"SpecialToken": {"id": "a", "type_id": 0}}
POST_PROCESSORS: list[dict[str, Any] | None] = [
    None,
    {"type": "BertProcessing", "sep": ["b", 2], "cls": ["a", 1]},
    {
        "type": "TemplateProcessing",
        "single": [SPECIAL_TOKEN, ONE_TEXT],
        "pair": [ONE_TEXT, {"Sequence": {"id": "B", "type_id": 0}}],
        "special_tokens": {"a": {"id": "a", "ids": [1, 2], "tokens": ["a", "b"]}},
    },
]


def some(rng: random.Random, name: str, choices: list[dict[str, Any] | None]) -> Any:
    """Return a component, or a sequence of some."""
    if rng.random() < 0.6:
        return rng.choice(choices)
    parts = [rng.choice(choices) for _ in range(rng.randint(1, 3))]
    return {"type": "Sequence", name: [one for one in parts if one is not None]}


def random_model(rng: random.Random) -> dict[str, Any]:
    units = [one for one in dict.fromkeys((*CHARACTERS, *PIECES)) if rng.random() < 0.85]
    names = [f"<0x{byte:02X}>" for byte in range(256)] if rng.random() < 0.5 else []
    kind = rng.choice(["BPE", "BPE", "Unigram", "WordPiece", "WordLevel"])
    if kind == "Unigram":
        scores = [["<unk>", 0.0], *([one, -float(rng.randint(1, 5))] for one in units)]
        scores += [[name, 0.0] for name in names]
        return {"type": kind, "unk_id": 0, "byte_fallback": bool(names), "vocab": scores}
    if kind == "WordPiece":
        names = ["##" + one for one in units]
    tokens = ["<unk>", *units, *names]
    vocabulary = {token: number for number, token in enumerate(tokens)}
    model = {"type": kind, "unk_token": "<unk>", "vocab": vocabulary}
    if kind == "WordPiece":
        model |= {"continuing_subword_prefix": "##", "max_input_chars_per_word": 5}
    if kind == "BPE":
        splits = [[one[:at], one[at:]] for one in units for at in range(1, len(one))]
        model["merges"] = [pair for pair in splits if vocabulary.keys() >= {*pair}]
        model |= {"fuse_unk": rng.random() < 0.5, "byte_fallback": bool(names)}
        model["ignore_merges"] = rng.random() < 0.2
    return model


def random_file(rng: random.Random) -> dict[str, Any]:
    model = random_model(rng)
    size = len(model["vocab"])
    flags = ("single_word", "lstrip", "rstrip", "normalized", "special")
    tokens = [
        {"id": size + at, "content": text, **{flag: rng.random() < 0.3 for flag in flags}}
        for at, text in enumerate(("<s>", "<T>", "\u2581x")[: rng.randint(0, 3)])
    ]
    direction = rng.choice(["Left", "Right"])
    cut = {"direction": direction, "strategy": "LongestFirst", "stride": 0}
    fill = {"direction": direction, "pad_id": 0, "pad_type_id": 0, "pad_token": "<unk>"}
    multiple = rng.choice([None, 4])
    strategy = rng.choice(["BatchLongest", {"Fixed": 5}])
    normalizer = some(rng, "normalizers", NORMALIZERS)
    return {
        "version": "1.0",
        "truncation": rng.choice([None, None, {**cut, "max_length": rng.randint(0, 6)}]),
        "padding": rng.choice(
            [None, None, {**fill, "strategy": strategy, "pad_to_multiple_of": multiple}]
        ),
        "added_tokens": tokens,
        "normalizer": normalizer,
        "pre_tokenizer": (
            rng.choice(FIRST)
            if normalizer is None and rng.random() < 0.5
            else some(rng, "pretokenizers", PRE_TOKENIZERS)
        ),
        "post_processor": rng.choice(POST_PROCESSORS),
        "decoder": rng.choice(DECODERS),
        "model": model,
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_random_files(seed: int, library_ids: Callable[..., list[int] | None]) -> None:
    from tokenizers import Tokenizer

    rng = random.Random(seed)
    # Before 0.23 an added token that is normalized is decoded as its own text.
    decodes_normal_forms = int(version("tokenizers").split(".")[1]) >= 23
    for _ in range(FILES):
        file = random_file(rng)
        default, plain = (Tokenizer.from_str(json.dumps(file)) for _ in range(2))
        plain.encode_special_tokens = True
        ours = tokenizer_json.read(file, "")
        versions = stage_versions()
        ours = ours.with_stage_versions({one: versions[one] for one in ours.stage_versions})
        for _ in range(TEXTS):
            text = "".join(rng.choices(UNITS, k=rng.randint(0, 9)))
            expected = library_ids(plain, text)
            if expected is None:
                continue
            assert ours.encode_ordinary(text) == expected, (text, file)
            found, spans = ours.encode_with_offsets(text)
            assert found == expected, (text, file)
            assert all(0 <= start <= end <= len(text) for start, end in spans), (text, file)
            special = library_ids(default, text)
            assert special is None or ours.encode_special(text) == special, (text, file)
            assert special is None or ours.encode(text) == default.encode(text).ids, (text, file)
            if decodes_normal_forms:
                decoded = plain.decode(expected, skip_special_tokens=False)
                assert ours.decode(expected) == decoded, (text, file)
