"""Readers of lists of tokens and merges: what each line means, and errors with their place."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.byte_characters import CHARACTER_OF
from tokharness_tokenizers.reference.token_files import (
    clip_merges,
    vocabulary_and_merges,
    wordpiece_list,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "un", "##aff", "##able", "a")
LINES = st.lists(st.text(st.characters(codec="ascii", categories=["L", "P"]), max_size=4))


def write_list(folder: Path, tokens: tuple[str, ...] = PIECES, **config: Any) -> Path:
    path = folder / "vocab.txt"
    path.write_text("".join(f"{token}\n" for token in tokens), "utf-8")
    if config:
        (folder / "tokenizer_config.json").write_text(json.dumps(config))
    return path


def write_bpe(
    folder: Path, vocabulary: Any = None, merges: bytes = b"a b\n", **config: Any
) -> Path:
    vocabulary = {"a": 0, "b": 1, "ab": 2} if vocabulary is None else vocabulary
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    (folder / "merges.txt").write_bytes(merges)
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    return folder


@given(lines=LINES, end=st.sampled_from(["\n", "\r\n", " \n"]), last=st.booleans())
def test_the_id_of_a_token_is_the_number_of_its_line(
    lines: list[str], end: str, last: bool
) -> None:
    lines = [*lines, "x"]
    data = end.join(lines) + (end if last else "")
    assert wordpiece_list.read_tokens(data.encode()) == lines


def test_a_byte_order_mark_does_not_make_a_list_cased() -> None:
    assert not wordpiece_list.is_cased(["\ufeff[PAD]", "[UNK]", "the"])
    assert wordpiece_list.is_cased(["\ufeff[PAD]", "[UNK]", "The"])


def test_the_declared_normalizer_has_the_name_of_the_file(tmp_path: Path) -> None:
    clip = tmp_path / "clip.gz"
    clip.write_bytes(gzip.compress(b'"bpe_simple_vocab_16e6.txt#version: 0.2\na b</w>\n'))
    names = (
        wordpiece_list.load(write_list(tmp_path)).normalizer,
        clip_merges.load(clip).normalizer,
        vocabulary_and_merges.load(
            write_bpe(tmp_path, tokenizer_class="RobertaTokenizer", add_prefix_space=True)
        ).normalizer,
    )
    assert names == ("vocab.txt", "bpe_simple_vocab_16e6.txt.gz", "vocab.json")


def test_bytes_that_are_not_utf_8_are_an_error_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_bytes(b"[UNK]\n\xff\n")
    with pytest.raises(ValueError, match=r"vocab\.txt: line 2 is not UTF-8"):
        wordpiece_list.load(path)


def test_of_two_equal_lines_the_later_one_counts(tmp_path: Path) -> None:
    tokenizer = wordpiece_list.load(write_list(tmp_path, (*PIECES, "b", "a")))
    assert tokenizer.encode_ordinary("a b") == [10, 9]
    with pytest.raises(KeyError, match="no token has the id 8"):
        tokenizer.token_text(8)


def test_a_list_is_greedy_and_has_its_special_tokens_at_the_ends(tmp_path: Path) -> None:
    tokenizer = wordpiece_list.load(write_list(tmp_path))
    assert tokenizer.encode("Unaffable unx A") == [2, 5, 6, 7, 1, 8, 3]
    assert tokenizer.special_tokens == {token: at for at, token in enumerate(PIECES[:5])}


@pytest.mark.parametrize(("characters", "ids"), [(100, [2] * 100), (101, [0])])
def test_a_word_has_at_most_one_hundred_characters(
    characters: int, ids: list[int], tmp_path: Path
) -> None:
    tokenizer = wordpiece_list.load(write_list(tmp_path, ("[UNK]", "x", "##a")))
    found = tokenizer.encode_ordinary("x" + "a" * (characters - 1))
    assert found == ([1, *ids[1:]] if len(ids) > 1 else ids)


@pytest.mark.parametrize(
    ("further", "config", "is_lower_case"),
    [
        ((), {}, True),
        (("Ab",), {}, False),
        (("\u0416",), {}, False),
        (("[Zz]",), {}, True),
        (("Ab",), {"tokenizer_class": "BertTokenizerFast"}, True),
        (("Ab",), {"do_lower_case": True}, True),
        ((), {"do_lower_case": False}, False),
    ],
)
def test_text_is_made_lower_case_for_a_list_without_upper_case_letters(
    further: tuple[str, ...], config: dict[str, Any], is_lower_case: bool, tmp_path: Path
) -> None:
    record = wordpiece_list.read_record(write_list(tmp_path, (*PIECES, *further), **config))
    assert record["normalizer"]["lowercase"] is is_lower_case


def test_the_settings_next_to_a_list_are_used(tmp_path: Path) -> None:
    config = {"strip_accents": False, "tokenize_chinese_chars": False, "unk_token": "a"}
    record = wordpiece_list.read_record(write_list(tmp_path, **config))
    normalizer = record["normalizer"]
    assert (normalizer["strip_accents"], normalizer["handle_chinese_chars"]) == (False, False)
    assert record["model"]["unk_token"] == "a"


def test_a_side_file_comes_before_the_settings_of_the_folder(tmp_path: Path) -> None:
    path = write_list(tmp_path, do_lower_case=True)
    path.with_name("vocab.txt.json").write_text('{"do_lower_case": false}')
    assert not wordpiece_list.read_record(path)["normalizer"]["lowercase"]


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"tokenizer_class": "BertJapaneseTokenizer"}, "the class 'BertJapaneseTokenizer', which"),
        ({"do_lower_case": 1}, "do_lower_case is 1, not true or false"),
        ({"mask_token": 1}, "mask_token is 1, not a token"),
        ({"added_tokens_decoder": []}, "added_tokens_decoder is \\[\\], not an object"),
    ],
)
def test_settings_that_cannot_be_used_are_an_error(
    config: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=message):
        wordpiece_list.load(write_list(tmp_path, **config))


def test_tokens_that_the_list_lacks_get_the_next_ids(tmp_path: Path) -> None:
    config = {"additional_special_tokens": ["<x>"], "bos_token": {"content": "<s>", "lstrip": True}}
    tokenizer = wordpiece_list.load(write_list(tmp_path, **config))
    assert tokenizer.special_tokens["<s>"] == 9
    assert tokenizer.special_tokens["<x>"] == 10
    assert tokenizer.encode_special("a <s>") == [8, 9]


def test_added_tokens_of_old_folders_are_not_special(tmp_path: Path) -> None:
    (tmp_path / "added_tokens.json").write_text('{"<far>": 9}')
    tokenizer = wordpiece_list.load(write_list(tmp_path, do_lower_case=True))
    assert tokenizer.added_tokens == {"<far>": 9}


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_a_line_of_merges_is_a_pair(end: bytes) -> None:
    line_end = end or b"\n"
    data = line_end.join([b"#version: 0.2", b"a b", b"#version b"]) + end
    assert vocabulary_and_merges.read_merges(data) == [["a", "b"], ["#version", "b"]]


@pytest.mark.parametrize(
    ("merges", "message"),
    [
        (b"a b\n\na b\n", "line 2 of merges.txt is b''"),
        (b"a b c\n", "line 1 of merges.txt is b'a b c'"),
        (b"a\tb\n", "line 1 of merges.txt"),
        (b"\xff b\n", "line 1 of merges.txt is not UTF-8"),
        (b"b a\n", "names 'ba', which is no token"),
    ],
)
def test_merges_that_cannot_be_used_are_an_error(
    merges: bytes, message: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=message):
        vocabulary_and_merges.load(write_bpe(tmp_path, merges=merges))


@pytest.mark.parametrize(
    ("vocabulary", "message"),
    [
        ([], "vocab.json is not an object from token to id"),
        ({"a": "0"}, "vocab.json is not an object from token to id"),
        ({"a": -1}, "has the id -1"),
        ({"\u4e2d": 0}, "name the tokenizer_class"),
    ],
)
def test_a_vocabulary_that_cannot_be_used_is_an_error(
    vocabulary: Any, message: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=message):
        vocabulary_and_merges.load(write_bpe(tmp_path, vocabulary, b""))


def test_a_class_that_is_not_known_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the class 'XLMTokenizer', which is not known"):
        vocabulary_and_merges.load(write_bpe(tmp_path, tokenizer_class="XLMTokenizer"))


@pytest.mark.parametrize(
    ("tokens", "text", "decoded"),
    [
        (CHARACTER_OF, " A\u00e9", " A\u00e9"),
        ([*CHARACTER_OF, *(f"{char}</w>" for char in CHARACTER_OF)], " A  \u00e9.", "a \u00e9 ."),
        (["<unk>", "a", "a</w>", "b</w>"], " A ab", "a ab"),
    ],
    ids=["GPT-2", "CLIP", "OpenAI GPT"],
)
def test_tokens_show_the_stages_before_the_model(
    tokens: list[str], text: str, decoded: str, tmp_path: Path
) -> None:
    vocabulary = {token: number for number, token in enumerate(tokens)}
    tokenizer = vocabulary_and_merges.load(write_bpe(tmp_path, vocabulary, b""))
    assert tokenizer.decode(tokenizer.encode_ordinary(text)) == decoded


def test_roberta_has_tokens_at_the_ends_and_adds_those_that_are_missing(tmp_path: Path) -> None:
    config = {"tokenizer_class": "RobertaTokenizer", "add_prefix_space": True}
    vocabulary = {"<s>": 0, "</s>": 1, "\u0120": 2, "a": 3}
    tokenizer = vocabulary_and_merges.load(write_bpe(tmp_path, vocabulary, b"", **config))
    assert tokenizer.encode("a") == [0, 2, 3, 1]
    assert tokenizer.special_tokens["<mask>"] == 6


@pytest.mark.parametrize("compress", [gzip.compress, bytes])
def test_ids_of_clip_are_those_of_its_own_code(
    compress: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    path = tmp_path / "merges"
    path.write_bytes(compress(b'"bpe_simple_vocab_16e6.txt#version: 0.2\nc a\nca t</w>\n'))
    tokenizer = clip_merges.load(path)
    assert tokenizer.encode("A Cat!") == [514, ord("a") - 33 + 256, 513, 256, 515]
    assert tokenizer.decode([513, 256]) == "cat !"


def test_only_the_merges_that_clip_uses_are_read() -> None:
    data = b"first\n" + b"a b\n" * 5 + b"no pair\xff"
    assert len(clip_merges.read_merges(data, 4)) == 4
    with pytest.raises(ValueError, match="line 7 is not UTF-8"):
        clip_merges.read_merges(data)
    with pytest.raises(ValueError, match="line 2 is b'abc', not two tokens"):
        clip_merges.read_merges(b"first\nabc\n")


def test_a_file_of_clip_that_is_cut_off_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "merges.gz"
    path.write_bytes(gzip.compress(b"first\na b\n")[:-6])
    with pytest.raises(ValueError, match="it is not complete gzip"):
        clip_merges.load(path)
