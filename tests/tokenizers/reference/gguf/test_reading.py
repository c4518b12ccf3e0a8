"""Tokenizers of GGUF files: what each key does, and files that are wrong."""

from __future__ import annotations

import pytest
from planted._gguf_files import (
    BYTE,
    NORMAL,
    PREFIX,
    RECORDS,
    UNUSED,
    against,
    converted,
    gguf_bytes,
    healthy,
)

from tokharness.engine.events import FindingReported
from tokharness.model import Verdict
from tokharness_tokenizers.reference.gguf import reading
from tokharness_tokenizers.reference.gguf.reading import NAMED

HOSTILE = (
    "",
    " ",
    "  a \t b ",
    "The caf\u00e9, e\u0301 \u4f60\u597d \U0001f600",
    "x\u2581y",
    "\0\u200b",
)
HOSTILE += (
    "<s>",
    "<unk>",
    "<0x41>",
    "<tool>",
    "<|endoftext|>",
    "[CLS]",
    "12345",
    "\ud83d\ude00\ud800",
)


def texts(tokenizer, ids):
    return [tokenizer.texts[number] for number in ids]


def tokens(name, text, **settings):
    tokenizer = converted(name, **settings)
    return texts(tokenizer, tokenizer.encode_ordinary(text))


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("text", HOSTILE)
def test_offsets_and_plain_text_give_the_same_ids(name, text):
    tokenizer = healthy(name)
    ids, spans = tokenizer.encode_with_offsets(text)
    assert ids == tokenizer.encode_ordinary(text)
    assert all(0 <= start <= end <= len(text) for start, end in spans)


@pytest.mark.parametrize("name", ["byte_level", "byte_strings"])
@pytest.mark.parametrize("text", HOSTILE[:-1])
def test_models_of_bytes_give_the_text_back(name, text):
    assert healthy(name).decode(healthy(name).encode_ordinary(text)) == text


@pytest.mark.parametrize(
    ("name", "plain", "special"),
    [
        ("byte_level", "<tool>", "<|endoftext|>"),
        ("scored_bpe", None, "</s>"),
        ("unigram", None, "</s>"),
        ("word_pieces", None, "[CLS]"),
        ("byte_strings", None, "<s>"),
        ("characters", "<tool>", "<eos>"),
    ],
)
def test_plain_text_has_user_defined_tokens_and_no_control_tokens(name, plain, special):
    tokenizer = healthy(name)
    number = tokenizer.special_tokens[special]
    assert number in tokenizer.encode_special(f"a{special}b")
    assert number not in tokenizer.encode_ordinary(f"a{special}b")
    if plain is not None:
        assert tokenizer.added_tokens[plain] in tokenizer.encode_ordinary(f"a{plain}b")


@pytest.mark.parametrize(
    ("name", "settings", "first", "last"),
    [
        ("scored_bpe", {}, "<s>", None),
        ("scored_bpe", {"add_bos_token": False, "add_eos_token": True}, None, "</s>"),
        ("unigram", {}, None, "</s>"),
        ("word_pieces", {}, "[CLS]", "[SEP]"),
        ("byte_level", {}, None, None),
        ("byte_strings", {}, None, None),
        ("characters", {}, "<bos>", None),
    ],
)
def test_encode_adds_the_tokens_of_the_file_and_plain_text_gets_none(name, settings, first, last):
    tokenizer = converted(name, **settings)
    ids = tokenizer.encode_ordinary("the")
    expected = [*([first] if first else []), *texts(tokenizer, ids), *([last] if last else [])]
    assert texts(tokenizer, tokenizer.encode("the")) == expected


@pytest.mark.parametrize(
    ("name", "settings", "text", "expected"),
    [
        ("scored_bpe", {}, "the", "\u2581the"),
        ("scored_bpe", {"add_space_prefix": False}, "the", "t he"),
        ("scored_bpe", {}, "\u00e9", "\u2581 <0xC3> <0xA9>"),
        ("scored_bpe", {"add_space_prefix": False}, "ther", "th er"),
        ("unigram", {}, "  an  an ", "\u2581 an \u2581 an"),
        ("unigram", {"remove_extra_whitespaces": False}, "an ", "\u2581 an \u2581"),
        ("unigram", {"treat_whitespace_as_suffix": True}, "in", "in \u2581"),
        ("unigram", {}, "\uff21", "\u2581 A"),
        ("unigram", {"precompiled_charsmap": None}, "\uff21", "\u2581 <0xEF> <0xBC> <0xA1>"),
        ("byte_level", {}, " april 12", "\u0120april \u0120 12"),
        ("byte_level", {"pre": "dbrx"}, " april", "\u0120a p r i l"),
        ("byte_level", {"pre": "qwen2"}, "12", "1 2"),
        ("word_pieces", {}, "Caf\u00e9 unable", "c ##a ##f ##e un ##able"),
        ("word_pieces", {"normalizer.lowercase": False}, "Un", "[UNK]"),
        ("word_pieces", {"normalizer.strip_accents": False}, "\u00e9", "[UNK]"),
        ("byte_strings", {}, "the the\n\n", "the \u0120the \u010a\u010a"),
        ("byte_strings", {}, "\u4f60", "\u00e4\u00bd \u0142"),
        ("characters", {}, "the the", "th e \u2581the"),
        ("characters", {}, "\u00e8\u00e9", "<0xC3> <0xA8> \u00e9"),
        ("characters", {}, "a\n\n\nb", "a \n\n\n b"),
        ("characters", {}, "\n\n\n\n", "\n \n \n \n"),
    ],
)
def test_a_setting_decides_about_the_tokens(name, settings, text, expected):
    assert " ".join(tokens(name, text, **settings)) == expected


def test_a_byte_that_is_no_token_is_left_out_and_separates_its_neighbours():
    record = RECORDS["byte_level"]
    tokens_of = [text if text != "x" else "<unused>" for text in record[PREFIX + "tokens"]]
    assert tokens("byte_level", "thxe the", tokens=tokens_of) == ["th", "e", "\u0120the"]


@pytest.mark.parametrize(
    ("kind", "text", "data"), [(4, "\u00f9", b"\xc3\xb9"), (1, "\ufffd", b"\xf9")]
)
def test_an_added_token_is_its_own_text_and_a_normal_token_is_bytes(kind, text, data):
    kinds = list(RECORDS["byte_level"][PREFIX + "token_type"])
    names = list(RECORDS["byte_level"][PREFIX + "tokens"])
    names[-1], kinds[-1] = "\u00f9", kind
    tokenizer = converted("byte_level", tokens=names, token_type=kinds)
    assert tokenizer.decode([len(names) - 1]) == text
    assert tokenizer.decode_single_token_bytes(len(names) - 1) == data


@pytest.mark.parametrize("kind", [NORMAL, UNUSED])
def test_a_token_of_a_byte_is_found_by_its_text_and_decoded_by_its_kind(kind):
    kinds = [kind if one == BYTE else one for one in RECORDS["scored_bpe"][PREFIX + "token_type"]]
    tokenizer = converted("scored_bpe", token_type=kinds)
    ids = tokenizer.encode_ordinary("\u00e9")
    assert texts(tokenizer, ids) == ["\u2581", "<0xC3>", "<0xA9>"]
    assert tokenizer.decode(ids) == "<0xC3><0xA9>"


def test_the_scores_decide_which_neighbours_are_merged():
    scores = dict(zip(RECORDS["scored_bpe"][PREFIX + "tokens"],
                      RECORDS["scored_bpe"][PREFIX + "scores"], strict=True))  # fmt: skip
    scores["th"] = 0.0
    assert tokens("scored_bpe", "the", scores=list(scores.values())) == ["\u2581", "th", "e"]


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("byte_level", {"model": "plamo"}, r"the model 'plamo' \(tokenizer.ggml.model\) is not kn"),
        ("scored_bpe", {"model": "gemma9"}, "'gemma9' .* known are gpt2, llama, bert"),
        ("byte_level", {"pre": "nonsense"}, "'nonsense' .* known are a.x-4.0, .*qwen2"),
        ("byte_level", {"tokens": None}, "has no tokenizer.ggml.tokens"),
        ("byte_level", {"merges": ["\u0120 zz"]}, "'zz' is no token"),
        ("byte_level", {"merges": ["the"]}, "no pair of tokens"),
        ("byte_level", {"add_bos_token": 1}, "is 1, not a bool"),
        ("scored_bpe", {"scores": [1.0]}, "1 values for"),
        ("scored_bpe", {"scores": [float("nan")] * 999}, "NaN"),
        ("scored_bpe", {"token_type": ["a"]}, "no array of the type"),
        ("scored_bpe", {"bos_token_id": "a"}, "not an id"),
        ("unigram", {"precompiled_charsmap": [9, 9, 9]}, "charsmap"),
        ("byte_level", {"add_eos_token": True, "eos_token_id": 99999, "tokens": ["a"],
                        "merges": None}, "no token has the id of eos"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_an_error_that_names_what_is_wrong(name, settings, message):
    with pytest.raises(ValueError, match=message):
        converted(name, **settings)


def test_an_error_begins_with_the_path(tmp_path):
    path = tmp_path / "small.gguf"
    path.write_bytes(gguf_bytes({**RECORDS["byte_level"], PREFIX + "pre": "nonsense"}))
    with pytest.raises(ValueError, match=r"small\.gguf: the pre-tokenizer 'nonsense'"):
        reading.load(path)


@pytest.mark.parametrize("name", RECORDS)
def test_each_alteration_names_a_stage_and_the_file_itself_is_none(name):
    tokenizer = healthy(name)
    rows = tokenizer.encode_altered(("The  caf\u00e9 12 <tool>", None, ()))
    assert {stage for stage, _, _ in rows} <= {stage for stage, _ in tokenizer.stages("a")}
    assert len({(stage, what) for stage, what, _ in rows}) == len(rows)


@pytest.mark.parametrize(
    ("text", "is_known"),
    [("<|im_end|>", True), ("<\uff5cfim\u2581hole\uff5c>", True), ("<tool>", False)],
)
def test_a_user_defined_token_may_be_a_control_token_by_its_text(text, is_known):
    names = [*RECORDS["byte_level"][PREFIX + "tokens"][:-1], text]
    tokenizer = converted("byte_level", tokens=names)
    number = len(names) - 1
    assert number in tokenizer.encode_ordinary(f"a{text}b")
    rows = {what: ids for _, what, ids in tokenizer.encode_altered((f"a{text}b", None, ()))}
    assert (number not in rows[NAMED]) == is_known
    assert [*rows].index(NAMED) < [*rows].index("user-defined tokens are not read")


def test_decoding_may_leave_out_unused_tokens():
    kinds = list(RECORDS["scored_bpe"][PREFIX + "token_type"])
    number = len(kinds) - 1
    tokenizer = converted("scored_bpe", token_type=[*kinds[:-1], UNUSED])
    assert tokenizer.decode([number])
    assert ("unused tokens have no text", "") in tokenizer.decode_altered([number])


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("name", RECORDS)
def test_a_healthy_file_has_no_bug_against_itself(name, events, summarize):
    families = ("plain-words", "white-space", "special-tokens")
    found = events(against(name), against=against(name), families=families)
    findings = [event.finding for event in found if isinstance(event, FindingReported)]
    assert summarize(one for one in findings if one.verdict is Verdict.BUG) == []


def test_of_two_equal_merges_the_first_one_counts():
    merges = RECORDS["byte_level"][f"{PREFIX}merges"]
    twice = [*merges, merges[0]]
    assert merges[0] == "t h"
    assert tokens("byte_level", " tha") == ["\u0120", "th", "a"]
    assert tokens("byte_level", " tha", merges=twice) == ["\u0120", "th", "a"]
