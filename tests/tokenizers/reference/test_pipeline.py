from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.model import target_of
from tokharness_tokenizers.reference import tokenizer_json
from tokharness_tokenizers.reference.byte_characters import CHARACTER_OF
from tokharness_tokenizers.reference.pipeline import Pipeline

FLAGS = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
ALPHABET = {CHARACTER_OF[byte]: byte for byte in range(256)}
BYTE_LEVEL = {
    "added_tokens": [
        {"id": 258, "content": "<s>", **FLAGS, "special": True},
        {"id": 259, "content": "<t>", **FLAGS},
    ],
    "normalizer": {"type": "NFC"},
    "pre_tokenizer": {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": True,
        "use_regex": True,
    },
    "post_processor": {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}],
        "special_tokens": {"<s>": {"ids": [258]}},
    },
    "decoder": {"type": "ByteLevel"},
    "model": {
        "type": "BPE",
        "vocab": {**ALPHABET, "\u0120a": 256, "\xc3\xa9": 257},
        "merges": [["\u0120", "a"], ["\xc3", "\xa9"]],
    },
}
"""U+0120 is the character for a space, U+00C3 and U+00A9 are those for the bytes of U+00E9."""
METASPACE = {
    "type": "Metaspace",
    "replacement": "\u2581",
    "prepend_scheme": "always",
    "split": True,
}
SENTENCE_PIECE = {
    "pre_tokenizer": METASPACE,
    "decoder": METASPACE,
    "model": {
        "type": "Unigram",
        "unk_id": 0,
        "vocab": [["<unk>", 0.0], ["\u2581", -2.0], ["\u2581a", -1.0], ["a", -3.0], ["b", -3.0]],
    },
}
TEXTS = st.text(st.sampled_from("a b\xe9e\u0301\u4e2d\n\U0001f600<s>t\ufb01\u0130 "), max_size=12)


def read(file: dict[str, Any] = BYTE_LEVEL, **parts: Any) -> Pipeline:
    return tokenizer_json.read({**file, **parts}, "name")


def test_plain_text_has_no_special_tokens() -> None:
    assert read().encode_ordinary("<s> a") == [*b"<s>", 256]


def test_special_tokens_are_read_on_request() -> None:
    assert read().encode_special("<s> a") == [258, 256]


def test_the_default_reads_special_tokens_and_adds_those_of_the_template() -> None:
    assert read().encode("<s> a") == [258, 258, 256]


def test_other_added_tokens_are_read_from_all_text() -> None:
    reading = read()
    assert reading.encode_ordinary("<t>") == reading.encode_special("<t>") == [259]
    assert reading.special_tokens == {"<s>": 258}
    assert reading.added_tokens == {"<t>": 259}


def test_a_text_is_normalized() -> None:
    assert read().encode_ordinary("e\u0301") == [257]
    assert read().normalize("e\u0301<s>") == "\xe9<s>"
    assert read().normalizer == "NFC"


def test_decoding_keeps_special_tokens() -> None:
    assert read().decode([258, 257, 256, 259]) == "<s>\xe9 a<t>"
    assert read().decode([]) == ""
    with pytest.raises(KeyError, match="no token has the id 999"):
        read().decode([999])


def test_surrogates_are_joined_or_replaced() -> None:
    reading = read()
    assert reading.encode_ordinary("\ud83d\ude00\ud83d") == [*"\U0001f600\ufffd".encode()]
    ids, spans = reading.encode_with_offsets("a\ud83d\ude00b")
    assert ids == [*"a\U0001f600b".encode()]
    assert spans == [(0, 1), *[(1, 3)] * 4, (3, 4)]


def test_spans_are_those_of_the_original_text() -> None:
    ids, spans = read().encode_with_offsets("e\u0301 a<t>")
    assert ids == [257, 256, 259]
    assert spans == [(0, 2), (2, 4), (4, 7)]


def test_tokens_of_bytes_of_one_character_have_its_span() -> None:
    assert read().encode_with_offsets("a\u4e2d")[1] == [(0, 1), (1, 2), (1, 2), (1, 2)]


@given(TEXTS)
def test_ids_with_offsets_are_the_ids(text: str) -> None:
    for reading in (read(), read(SENTENCE_PIECE)):
        ids, spans = reading.encode_with_offsets(text)
        assert ids == reading.encode_ordinary(text)
        assert all(0 <= start <= end <= len(text) for start, end in spans)
        assert spans == sorted(spans)


@given(TEXTS)
def test_what_the_model_has_tokens_for_comes_back(text: str) -> None:
    reading = read()
    ids = reading.encode_ordinary(text)
    assert reading.decode(ids) == reading.normalize(text)
    joined = b"".join(map(reading.decode_single_token_bytes, ids))
    assert joined.decode() == reading.normalize(text)


@given(TEXTS.map(lambda text: "".join(set(text) & set("ab ")) or "a"))
def test_what_a_decoder_changes_is_declared(text: str) -> None:
    reading = read(SENTENCE_PIECE)
    assert reading.normalizer == "tokenizer.json"
    assert reading.decode(reading.encode_ordinary(text)) == reading.normalize(text)
    assert reading.decode_single_token_bytes is None


@given(TEXTS, TEXTS)
def test_a_text_has_the_same_ids_after_others(first: str, second: str) -> None:
    reading = read()
    reading.encode_ordinary(first)
    assert reading.encode_ordinary(second) == read().encode_ordinary(second)
    assert reading.encode_batch([first, second]) == [
        reading.encode_ordinary(first),
        reading.encode_ordinary(second),
    ]
    rows = [reading.encode_ordinary(first), reading.encode_ordinary(second)]
    assert reading.decode_batch(rows) == [reading.decode(row) for row in rows]


def test_pretokens_are_the_words_of_the_model() -> None:
    assert read().pretokens("a\xe9 a<t>1") == ["a\xc3\xa9", "\u0120a", "<t>", "1"]
    assert read(SENTENCE_PIECE).pretokens("a  b") == ["\u2581a", "\u2581", "\u2581b"]
    assert read(pre_tokenizer=None).pretokens("") == []


def test_stages_show_the_text_after_each_stage() -> None:
    tokens = ["\xc3\xa9", "\u0120a", "<t>"]
    assert read().stages("e\u0301 a<t>") == [
        ("added tokens", ["e\u0301 a", "<t>"]),
        ("normalizer", ["\xe9 a", "<t>"]),
        ("pre-tokenizer", tokens),
        ("model", tokens),
        ("post-processor", ["<s>", *tokens]),
        ("decoder", ["\xe9 a<t>"]),
    ]


def test_the_version_of_one_stage_is_changed() -> None:
    mark = "\u0897"  # a mark since Unicode 16.0; before, an unknown character, no letter
    pattern = {"type": "Split", "pattern": {"Regex": r"[\p{L}\p{M}]+"}, "behavior": "Isolated"}
    reading = read(pre_tokenizer=pattern, decoder=None)
    old, new = (reading.with_stage_versions({"split": one}) for one in ("15.0", "16.0"))
    assert old.pretokens(f"a{mark}") == ["a", mark]
    assert new.pretokens(f"a{mark}") == [f"a{mark}"]
    assert old.stage_versions == {**new.stage_versions, "split": "15.0"}
    assert reading.with_unicode_version("15.0").unicode_version == "15.0"
    with pytest.raises(ValueError, match=r"1\.0"):
        reading.with_stage_versions({"split": "1.0"})


def test_a_pinned_normalizer_leaves_later_characters() -> None:
    later = "\U0001611e\U0001611e"  # composed to U+16121 since Unicode 16.0
    assert read().with_stage_versions({"normalizer": "16.0"}).normalize(later) == "\U00016121"
    assert read().with_stage_versions({"normalizer": "15.0"}).normalize(later) == later


def test_text_without_a_token_is_an_error() -> None:
    model = {"type": "WordLevel", "vocab": {"a": 0}}
    with pytest.raises(KeyError, match="no token stands for 'b'"):
        read(model=model, normalizer=None, pre_tokenizer=None).encode_ordinary("b")


@pytest.mark.parametrize("model", ["WordLevel", "WordPiece"])
def test_an_empty_text_has_no_ids(model: str) -> None:
    file = {"model": {"type": model, "unk_token": "?", "vocab": {"?": 0, "": 1}}}
    reading = read(file)
    assert reading.encode_ordinary("") == []
    assert reading.encode_with_offsets("") == ([], [])


TRUNCATION = {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0}
PADDING = {"strategy": {"Fixed": 4}, "direction": "Left", "pad_id": 7, "pad_to_multiple_of": None}


def test_ids_are_cut_off_as_the_file_says() -> None:
    reading = read(truncation=TRUNCATION)
    assert reading.encode_ordinary("hello") == [*b"hel"]
    assert reading.encode("hello") == [258, *b"he"]
    assert reading.encode_with_offsets("hello") == ([*b"hel"], [(0, 1), (1, 2), (2, 3)])
    left = read(truncation={**TRUNCATION, "direction": "Left"})
    assert left.encode_with_offsets("hello") == ([*b"llo"], [(2, 3), (3, 4), (4, 5)])


def test_ids_are_filled_up_as_the_file_says() -> None:
    reading = read(padding=PADDING)
    assert reading.encode_ordinary("a") == [7, 7, 7, *b"a"]
    assert reading.encode("a") == [7, 7, 258, *b"a"]
    assert reading.encode_with_offsets("a") == ([7, 7, 7, *b"a"], [*[(0, 0)] * 3, (0, 1)])
    multiple = {
        **PADDING,
        "strategy": "BatchLongest",
        "direction": "Right",
        "pad_to_multiple_of": 4,
    }
    assert read(padding=multiple).encode_ordinary("abcde") == [*b"abcde", 7, 7, 7]
    assert read(padding=multiple).encode_ordinary("") == []


def test_a_long_text_without_pre_tokenizer_is_cut_before_words() -> None:
    vocabulary = {"\u2581": 0, "a": 1, "\u2581a": 2, "\u2581\u2581": 3}
    merges = [["\u2581", "\u2581"], ["\u2581", "a"]]
    file = {
        "normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"},
        "model": {"type": "BPE", "vocab": vocabulary, "merges": merges},
    }
    reading = read(file)
    assert reading.text_stages.parts is not None
    for text in ("a a", "a  a   a", "  ", "a ", " a" * 1000):
        whole = Pipeline(
            "",
            type(reading.text_stages)(reading.text_stages.added, reading.text_stages.normalizer),
            reading.model,
            reading.texts,
            reading.decoding,
        )
        assert reading.encode_ordinary(text) == whole.encode_ordinary(text)


def test_it_is_a_target_with_all_optional_methods() -> None:
    target = target_of("reference:x.json", read())
    missing = {"encode_bytes", "count", "decode_bytes", "decode_stream"}
    assert missing.isdisjoint(target.capabilities)
    assert {"normalize", "stages", "encode_altered", "with_stage_versions"} <= set(
        target.capabilities
    )
    assert target.n_vocab == 260
