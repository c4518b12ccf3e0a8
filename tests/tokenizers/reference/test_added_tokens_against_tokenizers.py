"""Added tokens are found where Hugging Face's library finds them."""

from __future__ import annotations

import json
import random
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

from tokharness_tokenizers.reference import tokenizer_json

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.needs("tokenizers", "0")

# Letters of which Lowercase changes some, white space, marks, a word character of Unicode.
CHARACTERS = "aAbB< \n\u3000\x1c\u0130\u0301\u4e2d_1"
WORD_LEVEL = {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "a": 1, "ab": 2}}
BPE = {
    "type": "BPE",
    "unk_token": "?",
    "fuse_unk": True,
    "vocab": {"?": 0, "a": 1, "b": 2, " ": 3, "\u0120": 4, "ab": 5},
    "merges": [["a", "b"]],
}
NORMALIZERS = (
    None,
    {"type": "Lowercase"},
    {"type": "NFD"},
    {"type": "Prepend", "prepend": "a"},
    {"type": "Sequence", "normalizers": [{"type": "Lowercase"}, {"type": "NFKC"}]},
)
PRE_TOKENIZERS = (
    None,
    {"type": "Metaspace", "replacement": "_", "prepend_scheme": "first", "split": True},
    {"type": "WhitespaceSplit"},
    {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
)
FILES, TEXTS = 120, 12


def text_of(rng: random.Random, most: int) -> str:
    return "".join(rng.choices(CHARACTERS, k=rng.randint(1, most)))


def random_file(rng: random.Random) -> dict[str, object]:
    contents = list(dict.fromkeys(text_of(rng, 3) for _ in range(rng.randint(1, 6))))
    model = rng.choice([WORD_LEVEL, BPE])
    size = len(model["vocab"])
    new = [one for one in contents if one not in model["vocab"]]
    flags = ("single_word", "lstrip", "rstrip", "normalized", "special")
    tokens = [
        {
            "id": size + new.index(one) if one in new else model["vocab"][one],
            "content": one,
            **{flag: rng.random() < 0.4 for flag in flags},
        }
        for one in contents
    ]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": tokens,
        "normalizer": rng.choice(NORMALIZERS),
        "pre_tokenizer": rng.choice(PRE_TOKENIZERS),
        "post_processor": None,
        "decoder": None,
        "model": model,
    }


def without_equal_normal_forms(file: dict[str, object]) -> dict[str, object]:
    """Leave out tokens of which the library takes one at random, or that are empty there."""
    reading = tokenizer_json.read(file, "")
    normalize = reading.text_stages.normalizer
    kept: dict[str, object] = {}
    for token in file["added_tokens"]:
        text = token["content"]
        if token["normalized"] and normalize is not None:
            text = normalize.normalize(text)
        if text and token["normalized"] not in {one["normalized"] for one in kept.get(text, [])}:
            kept.setdefault(text, []).append(token)
    tokens = [token for rows in kept.values() for token in rows]
    size = len(file["model"]["vocab"])
    new = [one["content"] for one in tokens if one["content"] not in file["model"]["vocab"]]
    for token in tokens:
        if token["content"] in new:
            token["id"] = size + new.index(token["content"])
    return {**file, "added_tokens": tokens}


@pytest.mark.parametrize("special", [True, False])
def test_ids_and_decoded_text(special: bool, library_ids: Callable[..., list[int] | None]) -> None:
    from tokenizers import Tokenizer

    rng = random.Random(special)
    versions = {"case mapping": "17.0", "normalizer": "9.0", "split": "16.0"}
    for _ in range(FILES):
        file = without_equal_normal_forms(random_file(rng))
        theirs = Tokenizer.from_str(json.dumps(file))
        theirs.encode_special_tokens = not special
        ours = tokenizer_json.read(file, "").with_stage_versions(versions)
        contents = [token["content"] for token in file["added_tokens"]]
        for _ in range(TEXTS):
            units = [*contents, *contents, *CHARACTERS]
            text = "".join(rng.choices(units, k=rng.randint(0, 8)))
            expected = library_ids(theirs, text)
            if expected is None:
                continue
            found = ours.encode_special(text) if special else ours.encode_ordinary(text)
            assert found == expected, (text, file)
            if not special:
                assert ours.encode_with_offsets(text)[0] == expected, (text, file)
            if int(version("tokenizers").split(".")[1]) >= 23:
                decoded = theirs.decode(expected, skip_special_tokens=False)
                assert ours.decode(expected) == decoded, (text, file)


def file_with(*tokens: dict[str, object], normalizer=None) -> dict[str, object]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
    return {
        "added_tokens": [{**flags, **token} for token in tokens],
        "normalizer": normalizer,
        "model": WORD_LEVEL,
    }


def test_the_library_ignores_the_id_that_the_file_says() -> None:
    from tokenizers import Tokenizer

    file = file_with({"id": 50, "content": "<s>"})
    assert Tokenizer.from_str(json.dumps(file)).encode("<s>").ids == [3]
    assert tokenizer_json.read(file, "").encode("<s>") == [50]


def test_the_id_of_a_token_that_the_model_has_is_that_of_the_model() -> None:
    from tokenizers import Tokenizer

    file = file_with({"id": 50, "content": "ab"})
    assert Tokenizer.from_str(json.dumps(file)).encode("ab").ids == [2]
    assert tokenizer_json.read(file, "").encode("ab") == [2]


def test_a_token_that_is_listed_twice_keeps_its_first_id_and_is_special_if_one_is() -> None:
    from tokenizers import Tokenizer

    file = file_with(
        {"id": 3, "content": "<s>", "special": True}, {"id": 9, "content": "<s>", "lstrip": True}
    )
    theirs, ours = Tokenizer.from_str(json.dumps(file)), tokenizer_json.read(file, "")
    assert ours.encode(" <s>") == theirs.encode(" <s>").ids == [3]
    theirs.encode_special_tokens = True
    assert ours.encode_ordinary("<s>") == theirs.encode("<s>").ids == [0]


def test_the_library_splits_text_at_a_token_of_which_the_normalizer_leaves_nothing() -> None:
    from tokenizers import Tokenizer

    strip = {"type": "Strip", "strip_left": True, "strip_right": True}
    file = file_with({"id": 3, "content": " ", "normalized": True}, normalizer=strip)
    assert Tokenizer.from_str(json.dumps(file)).encode("ab").ids == [1, 0]
    assert tokenizer_json.read(file, "").encode("ab") == [2]
