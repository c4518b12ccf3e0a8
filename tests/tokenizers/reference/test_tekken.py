from __future__ import annotations

import base64
import json
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planted._tekken_records import (
    BEFORE,
    CUT,
    SPECIAL_TOKENS,
    WORDS,
    healthy,
    record,
)

from tokharness_tokenizers.reference import tekken
from tokharness_tokenizers.reference.tekken import FIRST_SPECIAL_TOKENS

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness_tokenizers.adapters.mistral_tokenizer import Engine
    from tokharness_tokenizers.reference.tekken import Tekken

needs_library = pytest.mark.needs("mistral-common", "1")

texts = st.text(
    st.sampled_from("theingaf .c!\u00e9\u4f60\u597d\n\t 12'<s>[INST]A\u0301\U0001f600\ud800\udc00")
    | st.characters()
)


def read(**config: Any) -> Tekken:
    file = record()
    file["config"] |= config
    return tekken.read(file, "changed")


def row(rank: int, token: bytes) -> dict[str, Any]:
    return {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}


def test_ordinary_ids_follow_the_special_ones() -> None:
    file = healthy()
    assert list(file.special_tokens.values()) == list(range(8))
    assert file.encode("\0a") == [8, 8 + ord("a")]
    assert file.encode("the") == [8 + 256 + list(words()).index("the")]


def words() -> list[str]:
    """The tokens after those of bytes, in order; parts of characters are empty."""
    return [one for word in WORDS for one in [*("" for _ in BEFORE.get(word, ())), word]]


def test_tokens_above_the_default_size_are_cut_off() -> None:
    file = healthy()
    assert file.n_vocab == record()["config"]["default_vocab_size"]
    assert file.encode("or") == [8 + ord("o"), 8 + ord("r")]
    whole = read(default_vocab_size=file.n_vocab + len(CUT))
    assert whole.encode("or") == [file.n_vocab + CUT.index("or")]


def test_special_tokens_without_a_text_have_their_id_in_it() -> None:
    names = [f"<SPECIAL_{number}>" for number in range(len(SPECIAL_TOKENS), 8)]
    assert list(healthy().special_tokens) == [*SPECIAL_TOKENS, *names]
    assert healthy().decode([1, 7]) == "<s><SPECIAL_7>"


@pytest.mark.parametrize("version", ["v3", "v7"])
def test_a_file_of_a_first_version_need_not_list_special_tokens(version: str) -> None:
    file = record()
    del file["special_tokens"]
    file["config"] |= {"version": version, "default_num_special_tokens": 21}
    special = tekken.read(file, "old").special_tokens
    assert list(special) == [*FIRST_SPECIAL_TOKENS, "<SPECIAL_20>"]


def test_a_special_token_is_plain_text_unless_it_is_asked_for() -> None:
    file = healthy()
    assert file.encode("<s>") == file.encode_ordinary("<s>") == [8 + one for one in b"<s>"]
    assert file.encode_special("<s>") == [1]
    assert file.with_unicode_version("15.0").encode("<s>") == file.encode("<s>")


def test_of_two_ranks_of_one_token_the_later_one_is_used_and_both_are_decoded() -> None:
    file = record()
    file["vocab"][257] = row(257, b"th")
    twice = tekken.read(file, "twice")
    assert twice.encode("th") == [8 + 257]
    assert twice.decode([8 + 256]) == "th"
    assert twice.conflicting_tokens == {8 + 256: b"th"}


def test_special_tokens_have_their_ranks_in_any_order_of_the_list() -> None:
    file = record()
    file["special_tokens"].reverse()
    assert tekken.read(file, "reversed").special_tokens == healthy().special_tokens


def test_an_alteration_gives_the_ids_of_a_file_that_is_read_so() -> None:
    text = "or the\n  word.c"
    rows = {what: ids for _, what, ids in healthy().encode_altered((text, None, ()))}
    whole = read(default_vocab_size=healthy().n_vocab + len(CUT))
    assert rows["default_vocab_size is ignored"] == whole.encode(text) != healthy().encode(text)
    first = [number - 8 for number in healthy().encode(text)]
    assert rows["special tokens do not come first"] == first


DAMAGED: dict[str, tuple[tuple[str | int, ...], Any]] = {
    "config is missing": (("config",), None),
    "vocab is missing": (("vocab",), None),
    "vocab[3] is not an object": (("vocab", 3), "x"),
    "vocab[3].token_bytes is 'YQ', not base64": (("vocab", 3, "token_bytes"), "YQ"),
    "vocab[3].rank is -1, not from 0": (("vocab", 3, "rank"), -1),
    "two tokens with one id": (("vocab", 3, "rank"), 4),
    "special_tokens is missing": (("special_tokens",), None),
    "special tokens have the same text": (("special_tokens", 1, "token_str"), "<unk>"),
    "_special_tokens is 4,000,000,000, which": (
        ("config", "default_num_special_tokens"),
        4_000_000_000,
    ),
    "are cut off at 8, the default_vocab_size": (("config", "default_vocab_size"), 8),
    "the pre-token pattern does not compile": (("config", "pattern"), "("),
}
"""What the message has, and the place in the file and the value that it gets."""


@pytest.mark.parametrize("message", DAMAGED)
def test_a_damaged_file_is_an_error_in_one_sentence(message: str, tmp_path: Path) -> None:
    (*places, last), value = DAMAGED[message]
    file: Any = record()
    parent = file
    for place in places:
        parent = parent[place]
    parent[last] = value
    path = tmp_path / "tekken.json"
    path.write_text(json.dumps(file), "utf-8")
    with pytest.raises(ValueError, match="is not a Tekken vocabulary") as caught:
        tekken.load(path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"{", b"[" * 100_000, b"\xff", b"[]"])
def test_what_is_not_a_json_object_is_an_error(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "tekken.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"is not JSON|it is not an object"):
        tekken.load(path)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    from tokharness_tokenizers.adapters import mistral_tokenizer

    path = tmp_path_factory.mktemp("tekken") / "tekken.json"
    path.write_text(json.dumps(record()), "utf-8")
    return mistral_tokenizer.load(str(path))


@needs_library
@given(text=texts)
@settings(max_examples=300)
def test_the_library_gives_the_same_ids_and_text(library: Engine, text: str) -> None:
    file = healthy().with_unicode_version("16.0")
    ids = file.encode(text)
    assert library.encode(text) == ids
    assert library.decode(ids) == file.decode(ids)


@needs_library
@given(ids=st.lists(st.integers(0, healthy().n_vocab - 1)))
def test_the_library_decodes_all_ids_alike(library: Engine, ids: list[int]) -> None:
    assert library.decode(ids) == healthy().decode(ids)


@needs_library
def test_the_library_has_the_same_attributes_and_tokens(library: Engine) -> None:
    file = healthy()
    assert library.pattern == file.pattern
    assert library.special_tokens == file.special_tokens
    assert library.n_vocab == file.n_vocab
    assert library.token_text
    assert library.decode_single_token_bytes
    for number in range(file.n_vocab):
        assert library.token_text(number) == file.token_text(number)
        assert library.decode_single_token_bytes(number) == file.decode_single_token_bytes(number)


@needs_library
@pytest.mark.slow
@pytest.mark.parametrize("name", ["tekken_240718.json", "tekken_240911.json"])
def test_a_published_file_gives_the_ids_of_the_library(name: str) -> None:
    from tokharness import plugins
    from tokharness.model import TargetFacts
    from tokharness_tokenizers.adapters import mistral_tokenizer, reference_target

    facts = TargetFacts(profile="quick")
    library = mistral_tokenizer.load(name)
    file: Any = reference_target.load(mistral_tokenizer.reference(name).partition(":")[2])
    file = file.with_unicode_version("16.0")
    for family in ("plain-words", "code", "emoji", "hangul", "white-space", "digits"):
        for text in islice(plugins.families()[family].texts(facts), 2000):
            if len(text) < 10_000:
                assert library.encode(text) == file.encode(text), ascii(text)
