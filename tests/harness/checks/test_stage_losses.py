"""TOK101: what a stage of the file other than the normalizer loses is named, and not declared."""

import copy
from itertools import accumulate
from types import SimpleNamespace

import pytest
from planted._file_parts import BYTE_DECODER, GPT2, SPACES_DECODER, metaspace, split_by
from planted._tokenizer_files import record_of

from tokharness_tokenizers.reference.byte_characters import CHARACTER_OF
from tokharness_tokenizers.reference.tokenizer_json import read

TEXTS = (
    *("a", "A", "word", " a", "  a", "a b", "a  b ", "e\u0301", "\u00e9", "a,b", "it's", "aa"),
    *("~name~a", "~name~ a", "a ~name~", "a\u2581b", "ff", "the quick brown fox", "a\nb"),
)
FALLBACK = {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"}]}
NO_SPACES = {"type": "Replace", "pattern": {"String": " "}, "content": ""}
LOSES_SPACES = {"type": "Sequence", "decoders": [BYTE_DECODER, NO_SPACES]}
STRIPS_NINE = copy.deepcopy(SPACES_DECODER)
STRIPS_NINE["decoders"][-1]["start"] = 9
PREFIXED = {"pre_tokenizer": {**GPT2, "add_prefix_space": True}}
METASPACE = {"pre_tokenizer": metaspace("always", split=True), "normalizer": None}

NFC = "fact declared normalizer: NFC"
CHANGED = "fact declared normalizer: tokenizer.json"
WHITE_SPACE = "fact pre-tokenizer: loses white space"
AT_START = "fact pre-tokenizer: loses U+0020 at the start"
MARK = "fact pre-tokenizer: loses U+2581 LOWER ONE EIGHTH BLOCK"
AS_THEY_ARE = "bug decoder: joins tokens, nothing between them"
SPACED = "bug decoder: joins tokens, U+0020 between them"
LEFT_MARK = "bug decoder: leaves U+2581 LOWER ONE EIGHTH BLOCK"
AFTER_ADDED = "risk decoder: leaves U+0020 SPACE after an added token"


@pytest.fixture
def found(check_texts):
    """Return the verdict and the cause of each finding on a file that is its own reference."""

    def findings(name, texts=TEXTS, **parts):
        record = {**record_of(name), **parts}
        target, reference = (read(copy.deepcopy(record), "file") for _ in range(2))
        rows = check_texts("TOK101", target, texts, reference=reference)
        return {f"{row.verdict.value} {row.cause}" for row in rows}

    return findings


@pytest.mark.parametrize(
    ("name", "parts", "wanted"),
    [
        ("byte_bpe", {"decoder": {"type": "Fuse"}}, {AS_THEY_ARE}),
        ("byte_bpe", {"decoder": None}, {SPACED}),
        ("byte_bpe", {"decoder": metaspace("always")}, {AS_THEY_ARE}),
        ("byte_bpe", {"decoder": LOSES_SPACES}, {"bug decoder: loses U+0020 SPACE"}),
        ("byte_bpe", PREFIXED, {"risk decoder: leaves U+0020 SPACE at the start"}),
        ("nfc", {"decoder": LOSES_SPACES}, {"bug decoder: loses U+0020 SPACE", CHANGED}),
        ("unigram", {**METASPACE, "decoder": FALLBACK}, {LEFT_MARK}),
        (
            "metaspace_always",
            {"decoder": STRIPS_NINE},
            {"bug decoder: loses U+0020 SPACE at the start", AFTER_ADDED, AT_START, MARK},
        ),
    ],
    ids=map(str, range(8)),
)
def test_a_decoder_that_does_not_undo_its_pre_tokenizer_is_a_bug(found, name, parts, wanted):
    assert found(name, **parts) == wanted


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("byte_bpe", set()),
        ("nfc", {NFC}),
        ("lowercase", {CHANGED}),
        ("fallback_bpe", {CHANGED}),
        ("metaspace_never", {MARK}),
        ("metaspace_first", {AT_START, MARK}),
        ("metaspace_always", {AT_START, MARK, AFTER_ADDED}),
        ("split_removed", {WHITE_SPACE}),
        ("bert_normalizer", {WHITE_SPACE, CHANGED}),
    ],
    ids=map(str, range(9)),
)
def test_what_the_stages_before_the_model_lose_is_a_fact_of_the_stage(found, name, wanted):
    assert found(name) == wanted


@pytest.mark.parametrize(
    ("name", "parts", "wanted"),
    [
        ("byte_bpe", {"decoder": None}, {SPACED}),
        ("unigram", {**METASPACE, "decoder": FALLBACK}, {LEFT_MARK}),
        ("metaspace_always", {}, {AT_START, MARK, AFTER_ADDED}),
        ("nfc", {}, {NFC}),
    ],
    ids=map(str, range(4)),
)
def test_the_stages_in_the_file_of_a_library_show_the_same_without_a_reference(
    check_texts, name, parts, wanted
):
    file = read({**record_of(name), **parts}, "file")
    names = ("decode", "normalizer", "normalize", "special_tokens", "added_tokens", "unknown_id")
    library = SimpleNamespace(
        encode=file.encode_ordinary,
        stages_in_file=file.stages,
        **{attribute: getattr(file, attribute) for attribute in names},
    )
    found = check_texts("TOK101", library, TEXTS)
    assert {f"{row.verdict.value} {row.cause}" for row in found} == wanted


def test_white_space_that_is_split_off_before_spaces_are_marked_is_white_space(found):
    words = [{"type": "WhitespaceSplit"}, metaspace("always", split=True)]
    parts = {
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": words},
        "decoder": metaspace("always", split=True),
    }
    texts = ["\u2581\t", "\t", "a\tb", "a\u2581b", " a", "a\t\u2581", "\u3000\u2581a", "a  b"]
    assert found("unigram", texts, **parts) == {WHITE_SPACE, AT_START, MARK}


def test_white_space_that_an_added_token_takes_is_a_risk(found):
    record = record_of("metaspace_first")
    added = [{**token, "rstrip": True} for token in record["added_tokens"]]
    risk = "risk added tokens: lose white space"
    assert risk in found("metaspace_first", added_tokens=added)
    assert risk not in found("metaspace_first")


def test_marks_and_spaces_that_are_the_same_added_token_are_not_the_decoders_fault(found):
    record = record_of("fallback_bpe")
    _, spaces = record["normalizer"]["normalizers"]
    *decoders, _ = record["decoder"]["decoders"]
    marks = {**record["added_tokens"][0], "id": 316, "content": "\u2581\u2581", "special": False}
    parts = {
        "normalizer": spaces,
        "decoder": {"type": "Sequence", "decoders": decoders},
        "added_tokens": [*record["added_tokens"], marks],
    }
    assert found("fallback_bpe", ["  a", "\u2581a", "\u2581\u2581a", " \u2581\u2581"], **parts) == {
        CHANGED
    }


def test_a_byte_without_a_token_is_lost_where_a_form_composes_what_is_left_to_it(found):
    model = record_of("nfc")["model"]
    lost = {CHARACTER_OF[byte] for byte in (0x9B, 0xA0)}
    model["vocab"] = {text: n for text, n in model["vocab"].items() if lost.isdisjoint(text)}
    model["merges"] = [pair for pair in model["merges"] if lost.isdisjoint("".join(pair))]
    assert found("nfc", ["a\u035b\u0300"], model=model) == {"bug byte without a token: 9B A0"}


def without_bytes(*lost):
    """Return a byte-level file without a decoder that drops some bytes."""
    record = {**record_of("byte_bpe"), "decoder": None}
    dropped = {CHARACTER_OF[byte] for byte in lost}
    model = record["model"]
    model["vocab"] = {text: n for text, n in model["vocab"].items() if dropped.isdisjoint(text)}
    model["merges"] = [pair for pair in model["merges"] if dropped.isdisjoint("".join(pair))]
    return record


def test_a_text_that_is_left_by_chance_where_bytes_are_dropped_has_the_fault_of_the_model(found):
    assert CHARACTER_OF[0xBD] == "\u00bd"
    assert found("byte_bpe", ["\u00bd"], **without_bytes(0xC2)) == {
        "bug model: drops what has no token"
    }


def test_ids_that_only_more_spaces_change_in_each_round_are_the_decoders_fault(check_texts):
    record = without_bytes(0xC4, 0xA0)
    target, reference = (read(copy.deepcopy(record), "file") for _ in range(2))
    rows = check_texts("TOK113", target, [" "], reference=reference)
    assert {str(row.cause) for row in rows.bugs} == {"decoder: joins tokens, U+0020 between them"}


def test_offsets_that_do_not_count_bytes_without_a_token_are_one_bug(check_texts):
    file = read(without_bytes(0xC5), "file")

    class Library:
        normalizer = "tokenizer.json"
        encode, decode = staticmethod(file.encode_ordinary), staticmethod(file.decode)
        normalize, stages_in_file = staticmethod(file.normalize), staticmethod(file.stages)

        def encode_with_offsets(self, text):
            ids, owners = self.encode(text), [at for at, c in enumerate(text) for _ in c.encode()]
            ends = [*accumulate(len(file.token_text(number)) for number in ids)]
            starts = [0, *ends[:-1]]
            return ids, [(owners[a], owners[b - 1] + 1) for a, b in zip(starts, ends, strict=True)]

    rows = check_texts("TOK107", Library(), ["\u017fa", " \u017fa", "\u017f\u017f", "\u00bda"])
    assert [str(row.cause) for row in rows] == ["offsets: without what has no token"]


def test_a_text_that_is_cut_off_is_not_the_decoders_fault(found):
    assert found("truncation", ["a" * 65, "a b"]) == {"bug truncated: 64 tokens"}


def test_a_text_that_is_cut_off_is_named_if_the_normalizer_changes_it(found):
    plain = {"type": "Replace", "pattern": {"String": "\u00e9"}, "content": "e"}
    wanted = {"bug truncated: 64 tokens", CHANGED}
    assert found("truncation", ["\u00e9" * 65, "\u00e9"], normalizer=plain) == wanted


def test_tokens_of_a_word_that_are_joined_with_spaces_are_the_decoders_fault(found):
    parts = {"pre_tokenizer": {"type": "Whitespace"}, "decoder": None}
    texts = ["ab", "\tab", "\nab", "a b", "a\tb"]
    assert found("fallback_bpe", texts, normalizer=None, **parts) == {SPACED, WHITE_SPACE}


def test_ids_that_change_in_each_round_since_tokens_are_joined_are_that_fault(check_texts):
    vocab = {text: number for number, text in enumerate(("<unk>", " ", "a", "b"))}
    parts = {
        "model": {"type": "WordLevel", "unk_token": "<unk>", "vocab": vocab},
        "pre_tokenizer": split_by({"String": " "}, "Isolated"),
    }
    record = {**record_of("word_level"), **parts}
    target, reference = (read(copy.deepcopy(record), "file") for _ in range(2))
    rows = check_texts("TOK113", target, [" a", "a b", "a"], reference=reference)
    assert {str(row.cause) for row in rows.bugs} == {"decoder: joins tokens, U+0020 between them"}


def test_a_mark_that_the_pre_tokenizer_writes_for_a_space_is_lost_by_it(found):
    words = [{"type": "WhitespaceSplit"}, metaspace("always", split=True)]
    parts = {"pre_tokenizer": {"type": "Sequence", "pretokenizers": words}}
    texts = ["a\u2581", "a\u2581b", "\u2581 ", "a\u2581 "]
    assert found("unknown_unigram", texts, **parts) <= {MARK, AT_START, WHITE_SPACE}
    assert MARK in found("unknown_unigram", texts, **parts)


def test_text_that_the_model_drops_is_one_bug_of_the_model(found):
    empty = {"type": "BPE", "vocab": {}, "merges": []}
    added = [{**record_of("added")["added_tokens"][0], "id": 0, "content": "b", "special": False}]
    texts = ["a", "a ", "<a>", "abc", " ", "b", "bb"]
    assert found("byte_bpe", texts, model=empty, added_tokens=added) == {
        "bug model: drops what has no token"
    }


def test_a_missing_byte_of_what_the_normalizer_makes_of_a_text_is_named(found):
    record = record_of("byte_bpe")
    lead = CHARACTER_OF[0xCA]
    vocab = {token: number for token, number in record["model"]["vocab"].items() if lead != token}
    model = {**record["model"], "vocab": vocab}
    causes = found("byte_bpe", ["\u0149", "a"], model=model, normalizer={"type": "NFKC"})
    assert {one.partition(":")[0] for one in causes} == {"bug byte without a token"}


ONE_SPACE = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}


def test_spaces_that_the_normalizer_makes_one_are_not_cut_off(found):
    assert found("metaspace_always", [" ", "  ", "a", "a  a"], normalizer=ONE_SPACE) == {
        AT_START,
        CHANGED,
    }


READS_BYTES = "bug model: reads the text of byte tokens"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        *(("<0xA0>", {READS_BYTES}), ("<0x00>", {READS_BYTES}), ("a<0xC3><0xA9>b", {READS_BYTES})),
        *(("\u4e2d<0x41> <0x42>\u4e2d", {READS_BYTES}), ("<0x4", set()), ("\u4e2d", set())),
    ],
)
def test_text_that_is_read_as_the_token_of_a_byte_is_the_models_fault(found, text, wanted):
    assert found("unigram", [text]) == wanted


def test_a_decoder_that_loses_what_a_byte_token_is_read_from_is_named(found):
    lost = {"type": "Replace", "pattern": {"String": "<"}, "content": ""}
    decoder = {**record_of("unigram")["decoder"]}
    decoder["decoders"] = [lost, *decoder["decoders"]]
    assert found("unigram", ["a<b"], decoder=decoder) == {
        "bug decoder: loses U+003C LESS-THAN SIGN"
    }


def test_a_space_that_the_normalizer_puts_after_an_added_token_is_a_risk(found):
    record = record_of("fallback_bpe")
    added = {**record["added_tokens"][0], "id": 317, "content": "~name~", "special": False}
    parts = {"added_tokens": [*record["added_tokens"], added]}
    for text in ("~name~a", "a~name~b", " ~name~ a"):
        assert found("fallback_bpe", [text], **parts) == {AFTER_ADDED}
    assert found("fallback_bpe", ["a~name~", "~name~", " a"], **parts) == set()
