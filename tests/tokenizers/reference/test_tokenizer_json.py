"""The reader of ``tokenizer.json``: old and new files, and errors with the place of a damage."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.unicode.versions import VERSIONS
from tokharness_tokenizers.reference import tokenizer_json

if TYPE_CHECKING:
    from pathlib import Path

FLAGS = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
BPE = {
    "type": "BPE",
    "dropout": None,
    "unk_token": "<unk>",
    "continuing_subword_prefix": None,
    "end_of_word_suffix": None,
    "fuse_unk": False,
    "byte_fallback": False,
    "ignore_merges": False,
    "vocab": {"<unk>": 0, "a": 1, "b": 2, "ab": 3, " ": 4, "_": 5},
    "merges": [["a", "b"]],
}
UNIGRAM = {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["a", -1], ["b", -2.5]]}
TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [
        {"SpecialToken": {"id": "a", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
    ],
    "pair": [],
    "special_tokens": {"a": {"id": "a", "ids": [1], "tokens": ["a"]}},
}
FULL = {
    "version": "1.0",
    "truncation": {"direction": "Right", "max_length": 9, "strategy": "LongestFirst", "stride": 0},
    "padding": {
        "strategy": {"Fixed": 4},
        "direction": "Left",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "<unk>",
    },
    "added_tokens": [{"id": 6, "content": "<s>", **FLAGS, "special": True}],
    "normalizer": {
        "type": "Sequence",
        "normalizers": [
            {"type": "NFC"},
            {"type": "Replace", "pattern": {"Regex": " +"}, "content": " "},
            {"type": "Strip", "strip_left": True, "strip_right": True},
            {"type": "Prepend", "prepend": "_"},
            {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
             "strip_accents": None, "lowercase": True},
        ],
    },
    "pre_tokenizer": {
        "type": "Sequence",
        "pretokenizers": [
            {"type": "Split", "pattern": {"String": " "}, "behavior": "Isolated", "invert": False},
            {"type": "Digits", "individual_digits": True},
            {"type": "Punctuation", "behavior": "Isolated"},
            {"type": "Metaspace", "replacement": "_", "prepend_scheme": "never", "split": True},
            {"type": "FixedLength", "length": 9},
        ],
    },
    "post_processor": TEMPLATE,
    "decoder": {
        "type": "Sequence",
        "decoders": [
            {"type": "Replace", "pattern": {"String": "_"}, "content": " "},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0},
            {"type": "WordPiece", "prefix": "##", "cleanup": False},
        ],
    },
    "model": BPE,
}  # fmt: skip


def file(**parts: Any) -> dict[str, Any]:
    return {"version": "1.0", "added_tokens": [], "model": BPE, **parts}


def model(base: dict[str, Any] = BPE, **fields: Any) -> dict[str, Any]:
    return file(model={**base, **fields})


def read(record: Any):
    return tokenizer_json.read(record, "name")


def without(record: dict[str, Any], *path: Any) -> dict[str, Any]:
    """Return a copy without a field."""
    changed = copy.deepcopy(record)
    *steps, last = path
    inner = changed
    for step in steps:
        inner = inner[step]
    del inner[last]
    return changed


def test_a_full_file_is_read() -> None:
    reading = read(FULL)
    assert reading.encode("AB  a") == [1, 5, 3, 5, 1]
    assert reading.special_tokens == {"<s>": 6}
    assert reading.n_vocab == 7
    assert reading.decode([5, 3]) == " ab"


def test_a_file_is_loaded_from_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_bytes(json.dumps(FULL).encode())
    loaded = tokenizer_json.load(path)
    assert loaded.name == str(path)
    assert loaded.encode("ab") == read(FULL).encode("ab")


DAMAGED = [
    # No tokenizer.json at all.
    ([], "no tokenizer.json: it has no object 'model'"),
    ({"model": None}, "no tokenizer.json: it has no object 'model'"),
    ({"model": "BPE"}, "no tokenizer.json: it has no object 'model'"),
    (file(version="2.0"), "version is '2.0'; known: 1.0"),
    (file(version=1), "version is 1, not a text"),
    # Unknown components.
    (model(type="Bigram"), "model is the model 'Bigram', which is not known"),
    (file(normalizer={"type": "NFX"}), "normalizer is the normalizer 'NFX', which is not known"),
    (
        file(pre_tokenizer={"type": "Sequence", "pretokenizers": [{"type": "X"}]}),
        "pre_tokenizer.pretokenizers[0] is the pre-tokenizer 'X', which is not known",
    ),
    (file(decoder={"type": "X"}), "decoder is the decoder 'X', which is not known"),
    (
        file(decoder={"type": "ByteLevel", "use_regex": 5}),
        "decoder.use_regex is 5, not true or false",
    ),
    (
        file(post_processor={"type": "ByteLevel", "trim_offsets": []}),
        "post_processor.trim_offsets is [], not true or false",
    ),
    (file(padding={"pad_token": 5}), "padding.pad_token is 5, not a text"),
    (
        file(
            post_processor={
                "type": "TemplateProcessing",
                "single": [{"Sequence": {"id": "A", "type_id": "x"}}],
            }
        ),
        "post_processor.single[0].Sequence.type_id is 'x', not an integer",
    ),
    (file(post_processor={"type": "X"}), "post_processor is the post-processor 'X', which is not"),
    # Missing fields.
    (file(normalizer={}), "normalizer.type is missing"),
    (without(model(), "model", "vocab"), "model.vocab is missing"),
    (without(model(), "model", "merges"), "model.merges is missing"),
    (without(model(UNIGRAM), "model", "vocab"), "model.vocab is missing"),
    (file(normalizer={"type": "Prepend"}), "normalizer.prepend is missing"),
    (file(normalizer={"type": "Sequence"}), "normalizer.normalizers is missing"),
    (
        file(normalizer={"type": "Replace", "pattern": {"String": "a"}}),
        "normalizer.content is missing",
    ),
    (file(normalizer={"type": "Replace", "content": ""}), "normalizer.pattern is missing"),
    (
        file(normalizer={"type": "Replace", "content": "", "pattern": {"Text": "a"}}),
        "normalizer.pattern.String is missing",
    ),
    (file(normalizer={"type": "Precompiled"}), "normalizer.precompiled_charsmap is missing"),
    (file(pre_tokenizer={"type": "Metaspace"}), "pre_tokenizer.replacement is missing"),
    (file(pre_tokenizer={"type": "CharDelimiterSplit"}), "pre_tokenizer.delimiter is missing"),
    (file(decoder={"type": "Strip", "start": 0, "stop": 0}), "decoder.content is missing"),
    (file(post_processor={"type": "BertProcessing", "sep": ["a", 1]}), "post_processor.cls is mis"),
    (file(post_processor={"type": "TemplateProcessing"}), "post_processor.single is missing"),
    (file(truncation={"strategy": "LongestFirst"}), "truncation.max_length is missing"),
    (file(padding={"strategy": {"Fixed": None}}), "padding.strategy.Fixed is missing"),
    (file(added_tokens=[{"content": "x", **FLAGS}]), "added_tokens[0].id is missing"),
    (file(added_tokens=[{"id": 6, **FLAGS}]), "added_tokens[0].content is missing"),
    # Wrong types and values.
    (file(normalizer="NFC"), "normalizer is 'NFC', not an object"),
    (file(normalizer={"type": 1}), "normalizer.type is 1, not a text"),
    (
        file(normalizer={"type": "Sequence", "normalizers": ["NFC"]}),
        "normalizer.normalizers[0] is not an object",
    ),
    (file(added_tokens={"<s>": 1}), "added_tokens is {'<s>': 1}, not a list"),
    (
        file(added_tokens=[{"id": 6, "content": "x", **FLAGS, "lstrip": 1}]),
        "added_tokens[0].lstrip is 1, not true or false",
    ),
    (file(added_tokens=[{"id": -1, "content": "x", **FLAGS}]), "added_tokens[0].id is -1, not fr"),
    (file(added_tokens=[{"id": 1 << 32, "content": "x", **FLAGS}]), "added_tokens[0].id is 42949"),
    (model(vocab=["a"]), "model.vocab is ['a'], not an object"),
    (model(vocab={"a": "1"}), "model.vocab has the id '1' of the token 'a'"),
    (model(vocab={"a": True}), "model.vocab has the id True of the token 'a'"),
    (model(vocab={"a": 1.0}), "model.vocab has the id 1.0 of the token 'a'"),
    (model(vocab={"a": -1}), "model.vocab has the id -1 of the token 'a'"),
    (model(vocab={"a": 1 << 32}), "model.vocab has the id 4294967296 of the token 'a'"),
    (model(fuse_unk="yes"), "model.fuse_unk is 'yes', not true or false"),
    (model(dropout=2), "model.dropout is 2, not from 0 to 1"),
    (model(dropout="x"), "model.dropout is 'x', not from 0 to 1"),
    (model(merges=[["a", "b", "c"]]), "model.merges[0] is ['a', 'b', 'c'], not a pair of tokens"),
    (model(merges=["a b", "ab"]), "model.merges[1] is 'ab', not a pair of tokens"),
    (model(merges=[["a", "b"], ["a", "z"]]), "model.merges[1] names 'z', which is no token"),
    (model(merges=[["b", "a"]]), "model.merges[0] names 'ba', which is no token"),
    (model(merges=["#version: 0.2", "b a"]), "model.merges[1] names 'ba', which is no token"),
    (model(UNIGRAM, unk_id=3), "model.unk_id is 3, and there are 3 pieces"),
    (model(UNIGRAM, unk_id=-1), "model.unk_id is -1, not from 0"),
    (model(UNIGRAM, vocab=[["a"]]), "model.vocab[0] is ['a'], not a piece and its score"),
    (model(UNIGRAM, vocab=[["a", "1"]]), "model.vocab[0] is ['a', '1'], not a piece and its score"),
    (model(UNIGRAM, vocab=[["a", float("nan")]]), "model.vocab[0] is ['a', nan], not a piece and"),
    (
        file(normalizer={"type": "Precompiled", "precompiled_charsmap": "#"}),
        "normalizer.precompiled_charsmap: ",
    ),
    (
        file(normalizer={"type": "Precompiled", "precompiled_charsmap": "AAAA"}),
        "normalizer.precompiled_charsmap: a charsmap with a trie of 0 bytes",
    ),
    (
        file(pre_tokenizer={"type": "Split", "pattern": {"String": "a"}, "behavior": "isolated"}),
        "pre_tokenizer.behavior is 'isolated'; known: Removed, Isolated",
    ),
    (
        file(pre_tokenizer={"type": "Split", "pattern": {"Regex": "a("}, "behavior": "Isolated"}),
        "pre_tokenizer.pattern: an unmatched '(' at position 1",
    ),
    (
        file(normalizer={"type": "Replace", "pattern": {"Regex": "(?~a)"}, "content": ""}),
        "normalizer.pattern: no faithful translation",
    ),
    (
        file(decoder={"type": "Replace", "pattern": {"Regex": "["}, "content": ""}),
        "decoder.pattern: ",
    ),
    (
        file(pre_tokenizer={"type": "Metaspace", "replacement": "__"}),
        "pre_tokenizer.replacement is '__', not one character",
    ),
    (file(pre_tokenizer={"type": "FixedLength", "length": 0}), "pre_tokenizer.length is 0, not fr"),
    (
        file(decoder={"type": "Strip", "content": "ab", "start": 1, "stop": 0}),
        "decoder.content is 'ab', not one character",
    ),
    (
        file(decoder={"type": "Strip", "content": "a", "start": -1, "stop": 0}),
        "decoder.start is -1, not from 0",
    ),
    (
        file(post_processor={"type": "RobertaProcessing", "cls": ["a"], "sep": ["b", 2]}),
        "post_processor.cls is ['a'], not a token and its id",
    ),
    (
        file(post_processor={**TEMPLATE, "special_tokens": {}}),
        "post_processor.single[0].SpecialToken names 'a', which special_tokens does not have",
    ),
    (
        file(post_processor={**TEMPLATE, "special_tokens": {"a": [1]}}),
        "post_processor.special_tokens.a is [1], not an object",
    ),
    (
        file(post_processor={**TEMPLATE, "special_tokens": {"a": {"ids": ["1"]}}}),
        "post_processor.special_tokens.a.ids is ['1'], not a list of ids",
    ),
    (
        file(post_processor={**TEMPLATE, "single": ["a"]}),
        "post_processor.single[0] is not an object",
    ),
    (
        file(post_processor={**TEMPLATE, "single": [{}]}),
        "post_processor.single[0] is neither a Sequence nor a SpecialToken",
    ),
    (
        file(post_processor={**TEMPLATE, "single": [{"Sequence": {"id": "B"}}]}),
        "post_processor.single[0] is the second text of a pair",
    ),
    (file(truncation={"max_length": -1}), "truncation.max_length is -1, not from 0"),
    (
        file(truncation={"max_length": 1, "direction": "Up"}),
        "truncation.direction is 'Up'; known: Left, Right",
    ),
    (
        file(truncation={"max_length": 1, "strategy": "All"}),
        "truncation.strategy is 'All'; known: LongestFirst",
    ),
    (file(padding={"strategy": "Longest"}), "padding.strategy is 'Longest'; known: BatchLongest"),
    (file(padding={"strategy": {"Fixed": "4"}}), "padding.strategy.Fixed is '4', not an integer"),
    (file(padding={"pad_id": "0"}), "padding.pad_id is '0', not an integer"),
]


@pytest.mark.parametrize(("record", "message"), DAMAGED, ids=[text for _, text in DAMAGED])
def test_a_damaged_file_is_an_error_that_says_where(record: Any, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        read(record)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b'{"model": \xff}', b"[" * 100_000, b'{"model": {"type": "Unigram", "x": NaN}}'],
)
def test_a_file_that_is_not_json_is_an_error(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="is not JSON") as caught:
        tokenizer_json.load(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("name", "inner", "kind"),
    [
        ("normalizer", "normalizers", "NFC"),
        ("pre_tokenizer", "pretokenizers", "Whitespace"),
        ("decoder", "decoders", "Fuse"),
        ("post_processor", "processors", "ByteLevel"),
    ],
)
def test_components_that_are_nested_too_deep_are_an_error(name: str, inner: str, kind: str) -> None:
    component: dict[str, Any] = {"type": kind}
    for _ in range(62):
        component = {"type": "Sequence", inner: [component]}
    reading = read(file(**{name: component}))
    assert reading.decode(reading.encode("ab")) == "ab"
    for _ in range(400):
        component = {"type": "Sequence", inner: [component]}
        with pytest.raises(ValueError, match="nested too deep"):
            read(file(**{name: component}))


def test_an_error_of_a_loaded_file_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(model(type="X")))
    with pytest.raises(ValueError, match=r"x\.json: model is the model 'X'"):
        tokenizer_json.load(path)
    with pytest.raises(OSError, match=r"no\.json"):
        tokenizer_json.load(tmp_path / "no.json")


PLACES = [
    (*start, name)
    for start, inner in [
        ((), FULL),
        *(((name,), FULL[name]) for name in ("truncation", "padding", "model", "decoder")),
        *((("normalizer", "normalizers", at), one)
          for at, one in enumerate(FULL["normalizer"]["normalizers"])),
        *((("pre_tokenizer", "pretokenizers", at), one)
          for at, one in enumerate(FULL["pre_tokenizer"]["pretokenizers"])),
        *((("decoder", "decoders", at), one) for at, one in enumerate(FULL["decoder"]["decoders"])),
        (("added_tokens", 0), FULL["added_tokens"][0]),
        (("post_processor",), TEMPLATE),
        (("post_processor", "single", 0), TEMPLATE["single"][0]),
        (("post_processor", "special_tokens", "a"), TEMPLATE["special_tokens"]["a"]),
    ]
    for name in inner
]  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.floats() | st.text("ab_<(", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=1), inner),
    max_leaves=4,
)


@pytest.mark.slow
@given(st.sampled_from(PLACES), JSON, st.booleans())
def test_any_other_value_in_any_place_is_read_or_is_a_value_error(
    place: tuple[Any, ...], value: Any, remove: bool
) -> None:
    changed = copy.deepcopy(FULL)
    *steps, last = place
    inner: Any = changed
    for step in steps:
        inner = inner[step]
    if remove:
        del inner[last]
    else:
        inner[last] = value
    try:
        reading = read(changed)
    except ValueError as error:
        assert str(error)  # noqa: PT017
        return
    try:
        reading.decode(reading.encode("AB <s>a"))
    except KeyError:  # no token for a part of the text, or an id without a token
        pass
    except ValueError as error:  # the library, too, cannot cut off the second text of a pair
        assert "stride" in str(error) or "second text" in str(error)  # noqa: PT017


NULLS = ("added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder", "truncation")


@pytest.mark.parametrize("name", [*NULLS, "padding"])
def test_a_null_part_is_none(name: str) -> None:
    assert read({**FULL, name: None}).encode("x")
    assert read(without(FULL, name)).encode("x")


def test_null_settings_of_the_model_have_their_defaults() -> None:
    nulls = dict.fromkeys(
        ("dropout", "unk_token", "fuse_unk", "byte_fallback", "ignore_merges"), None
    )
    assert read(model(**nulls)).encode("abzab") == [3, 3]


def test_merges_of_old_files_are_texts() -> None:
    assert read(model(merges=["a b"])).encode("ab") == [3]
    assert read(model(merges=["#version: 0.2", "a b"])).encode("ab") == [3]


def test_a_merge_may_name_a_token_with_a_space() -> None:
    vocabulary = {"a": 0, " ": 1, "a ": 2}
    assert read(model(vocab=vocabulary, merges=[["a", " "]])).encode("a ") == [2]


def test_models_of_old_files_have_no_type() -> None:
    vocabulary = {"[UNK]": 0, "a": 1, "##a": 2}
    piece = {"unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": vocabulary}
    assert read(without(model(), "model", "type")).encode("ab") == [3]
    assert read(without(model(UNIGRAM), "model", "type")).encode("ab") == [1, 2]
    assert read(file(model={**piece, "max_input_chars_per_word": 9})).encode("aa") == [1, 2]
    assert read(file(model={"unk_token": "[UNK]", "vocab": vocabulary})).encode("aa") == [0]


@pytest.mark.parametrize("part", ["pre_tokenizer", "decoder"])
def test_metaspace_of_old_files_has_add_prefix_space(part: str) -> None:
    old = {"type": "Metaspace", "replacement": "_", "str_rep": "_"}
    for adds in (True, False):
        reading = read(file(**{part: {**old, "add_prefix_space": adds}}))
        if part == "decoder":
            assert reading.decode([5, 1, 5]) == ("a " if adds else " a ")
        else:
            assert reading.pretokens("a b") == (["_a", "_b"] if adds else ["a", "_b"])


def test_the_pattern_of_replace_in_old_files_is_a_text() -> None:
    reading = read(file(normalizer={"type": "Replace", "pattern": "(", "content": "a"}))
    assert reading.encode("(b") == [3]


def test_dropout_is_not_applied() -> None:
    assert {tuple(read(model(dropout=0.9)).encode("ab" * 20)) for _ in range(5)} == {(3,) * 20}


def test_an_added_token_has_the_id_of_the_model_or_else_that_of_the_file() -> None:
    tokens = [
        {"id": 90, "content": "<t>", **FLAGS},
        {"id": 50, "content": "ab", **FLAGS},
        {"id": 7, "content": "", **FLAGS},
    ]
    reading = read(file(added_tokens=tokens))
    assert reading.encode("<t>ab") == [90, 3]
    assert reading.added_tokens == {"<t>": 90, "ab": 3}
    assert reading.n_vocab == 91


def test_of_two_added_tokens_with_one_text_the_later_counts_with_the_first_id() -> None:
    tokens = [
        {"id": 6, "content": "<s>", **FLAGS, "special": True},
        {"id": 7, "content": "<s>", **FLAGS, "rstrip": True},
    ]
    reading = read(file(added_tokens=tokens))
    assert reading.special_tokens == {"<s>": 6}
    assert reading.encode("<s> a") == [6, 1]
    assert reading.encode_ordinary("<s>") == [0, 0, 0]


def test_each_id_of_a_unigram_model_is_decoded() -> None:
    reading = read(model(UNIGRAM, vocab=[["<unk>", 0.0], ["a", -1.0], ["a", -2.0]]))
    assert reading.encode("a") == [2]
    assert reading.decode([1, 2]) == "a a"


def test_a_normalized_added_token_is_decoded_as_it_stands_in_normalized_text() -> None:
    token = {"id": 6, "content": "<DAY>", **FLAGS, "normalized": True}
    reading = read(file(added_tokens=[token], normalizer={"type": "Lowercase"}))
    assert reading.encode("<Day>") == [6]
    assert reading.decode([6]) == "<day>"


def test_tables_have_the_newest_version_of_unicode_unless_another_is_asked_for() -> None:
    pattern = {"type": "Split", "pattern": {"Regex": r"\p{L}+"}, "behavior": "Isolated"}
    parts = {"normalizer": {"type": "NFC"}, "pre_tokenizer": pattern}
    reading = read(file(**parts))
    newest = VERSIONS[-1]
    assert reading.stage_versions == {"normalizer": newest, "split": newest}
    pinned = reading.with_stage_versions({"split": "16.0", "case mapping": "9.0"})
    assert pinned.stage_versions == {"normalizer": newest, "split": "16.0"}
    assert pinned.with_unicode_version("15.0").unicode_version == "15.0"
    assert read(file()).unicode_version is None


DECLARED = [
    (None, None, "ByteLevel", None),
    (None, None, "Fuse", "tokenizer.json"),
    ({"type": "NFKC"}, None, "ByteLevel", "NFKC"),
    ({"type": "Sequence", "normalizers": [{"type": "NFC"}]}, None, "ByteLevel", "NFC"),
    (
        {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Lowercase"}]},
        None,
        "ByteLevel",
        "tokenizer.json",
    ),
    ({"type": "Lowercase"}, None, "ByteLevel", "tokenizer.json"),
    (None, {"type": "WhitespaceSplit"}, "ByteLevel", "tokenizer.json"),
    (None, {"type": "ByteLevel", "add_prefix_space": True}, "ByteLevel", "tokenizer.json"),
    (None, {"type": "ByteLevel", "add_prefix_space": False}, "ByteLevel", None),
]


@pytest.mark.parametrize(("normalizer", "pre_tokenizer", "decoder", "declared"), DECLARED)
def test_the_declared_change_of_a_text(
    normalizer: Any, pre_tokenizer: Any, decoder: str, declared: str | None
) -> None:
    parts = {"normalizer": normalizer, "pre_tokenizer": pre_tokenizer, "decoder": {"type": decoder}}
    assert read(file(**parts)).normalizer == declared


def test_tokenizers_of_a_file_share_its_model_and_a_changed_file_is_read_again(
    tmp_path: Path,
) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(model(**UNIGRAM)))
    first, second = tokenizer_json.load(path), tokenizer_json.load(path)
    assert first.model is second.model
    path.write_text(path.read_text().replace('"a"', '"c"'))
    assert (tokenizer_json.load(path).encode("c"), first.encode("a")) == ([1], [1])
