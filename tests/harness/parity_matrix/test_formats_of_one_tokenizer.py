"""Conversions from one format to another: what only one of the formats says is no fault."""

import json
from base64 import b64encode
from dataclasses import replace
from struct import pack, unpack

import pytest
from parity_conversions import bpe
from planted._gguf_files import CONTROL, NORMAL, PREFIX, RECORDS, UNUSED, gguf_bytes
from planted._sentencepiece_models import MODELS, RULES

from tokharness.diagnosis.ids.stages import _stage_of_formats
from tokharness.model import Verdict
from tokharness.parity_matrix.files import OTHERS_AROUND, unseen_edits
from tokharness_tokenizers.programs.releases.of_tokenizers import stages
from tokharness_tokenizers.reference.sentencepiece.generate_nmt_nfkc import charsmap_bytes
from tokharness_tokenizers.reference.sentencepiece.model_file import PieceKind, model_bytes
from tokharness_tokenizers.reference.sentencepiece.other_rules import (
    CLUSTERS,
    FIRST,
    NO_CHARSMAP,
    STRIPPED,
    UNPREFIXED,
)


@pytest.fixture
def gguf(tmp_path):
    """Write a GGUF file of a byte-level BPE with changes; return the spec of our reference."""

    def write(name, **changes):
        record = RECORDS["byte_level"] | {PREFIX + key: new for key, new in changes.items()}
        path = tmp_path / f"{name}.gguf"
        path.write_bytes(gguf_bytes(record))
        return f"reference:{path}"

    return write


def _columns(*names):
    return [[*RECORDS["byte_level"][PREFIX + name]] for name in names]


@pytest.mark.slow
def test_padding_of_a_gguf_file_is_a_fact(gguf, compared):
    tokens, kinds, scores = _columns("tokens", "token_type", "scores")
    size = len(tokens)
    padded = {
        "tokens": [*tokens, *(f"[PAD{number}]" for number in range(size, size + 8))],
        "token_type": [*kinds, *[UNUSED] * 8],
        "scores": [*scores, *[0.0] * 8],
    }
    result = compared(gguf("good"), gguf("padded", **padded))
    (fact,) = result.causes
    assert (fact.name, fact.verdict, fact.count) == ("padding", Verdict.FACT, 8)
    assert result.cell(0, 1, "token bytes").state == "same"


@pytest.mark.slow
def test_a_placeholder_of_another_number_is_no_padding(gguf, compared):
    tokens, kinds, scores = _columns("tokens", "token_type", "scores")
    further = {"tokens": [*tokens, "[PAD7]"], "token_type": [*kinds, UNUSED]}
    result = compared(gguf("good"), gguf("further", **further, scores=[*scores, 0.0]))
    assert [one.verdict for one in result.causes] == [Verdict.BUG]


@pytest.mark.slow
def test_a_control_token_that_is_normal_is_one_cause(gguf, compared):
    (kinds,) = _columns("token_type")
    normal = [NORMAL if one == CONTROL else one for one in kinds]
    result = compared(gguf("good"), gguf("bad", token_type=normal), families=("special-tokens",))
    bugs = [one.name for one in result.causes if one.verdict is Verdict.BUG]
    assert bugs == ["special tokens are not special"]


TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [
        {"SpecialToken": {"id": "<mask>", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
    ],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
    "special_tokens": {"<mask>": {"id": "<mask>", "ids": [1000], "tokens": ["<mask>"]}},
}  # fmt: skip


@pytest.mark.slow
def test_flags_of_a_gguf_file_and_a_post_processor_that_add_other_ids_are_a_cause(gguf, written):
    with_template = written("framed", bpe() | {"post_processor": TEMPLATE})
    specs = [written("plain", bpe()), gguf("bos", add_bos_token=True, bos_token_id=1000)]
    (cause,) = bugs_unseen(specs)
    assert cause.name == OTHERS_AROUND
    assert "[1000] before it by the file of the target, and no ids" in cause.message
    assert not bugs_unseen([with_template, specs[1]])
    assert not bugs_unseen([specs[0], gguf("none", add_bos_token=False)])


def bugs_unseen(specs):
    """Return what two files differ in as a fault; their merges, which differ too, are facts."""
    return [one for one in unseen_edits(specs, []) if one.verdict is Verdict.BUG]


@pytest.mark.slow
def test_an_edit_of_the_template_of_pairs_adds_nothing_around_a_text(written):
    pair = TEMPLATE | {"pair": TEMPLATE["pair"][::-1]}
    specs = [
        written(name, bpe() | {"post_processor": one})
        for name, one in (("a", TEMPLATE), ("b", pair))
    ]
    assert [one.verdict for one in unseen_edits(specs, [])] == [Verdict.FACT]


# A Unigram model of SentencePiece, and the tokenizer.json that conversions make of it.


FILE = replace(
    MODELS["sp_unigram"],
    pieces=tuple(
        replace(one, kind=PieceKind.NORMAL) if one.kind is PieceKind.UNUSED else one
        for one in MODELS["sp_unigram"].pieces
    ),
)


def _unigram(change=lambda _: None):
    marks = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always"}
    record = {
        "version": "1.0",
        "added_tokens": [
            {"id": number, "content": piece.text, "special": True, "normalized": False,
             "lstrip": False, "rstrip": False, "single_word": False}
            for number, piece in enumerate(FILE.pieces[:3])
        ],
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "Precompiled",
             "precompiled_charsmap": b64encode(charsmap_bytes(RULES)).decode()},
            {"type": "Strip", "strip_left": True, "strip_right": True},
            {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
        ]},
        "pre_tokenizer": {**marks, "split": True},
        "post_processor": None,
        "decoder": {**marks, "split": True},
        "model": {
            "type": "Unigram",
            "unk_id": 0,
            "vocab": [[piece.text, piece.score] for piece in FILE.pieces],
        },
    }  # fmt: skip
    change(record)
    return record


@pytest.fixture
def against(tmp_path, written, compared):
    """Compare the SentencePiece model with a tokenizer.json, on families of texts."""

    def compare(record, *families):
        path = tmp_path / "unigram.model"
        path.write_bytes(model_bytes(FILE))
        result = compared(f"reference:{path}", written("converted", record), families=families)
        return [one for one in result.causes if one.verdict is Verdict.BUG and one.aspect == "ids"]

    return compare


@pytest.mark.slow
def test_a_unigram_of_a_tokenizer_json_departs_in_its_rules_and_its_control_pieces(against):
    causes = against(_unigram(), "white-space", "special-tokens")
    assert [one.name for one in causes if one.symptom] == []
    assert {one.name for one in causes} == {
        f"normalizer: {CLUSTERS}, and {STRIPPED.format('both ends')}, and {UNPREFIXED}",
        "model: control pieces are found in text",
        "special token: exact text",
    }


@pytest.mark.slow
def test_another_id_of_the_unknown_piece_is_the_cause(against):
    causes = against(_unigram(lambda one: one["model"].update(unk_id=1)), "noncharacters")
    assert [one.name for one in causes] == ["model: unknown text gets the id 1"]


@pytest.mark.slow
@pytest.mark.needs("sentencepiece")
def test_a_charsmap_that_a_conversion_loses_is_no_normal_form_before_the_other_one(
    tmp_path, compared
):
    columns = {
        "model": "t5",
        "tokens": [one.text for one in FILE.pieces],
        "scores": [float(one.score) for one in FILE.pieces],
        "token_type": [int(one.kind) for one in FILE.pieces],
        "unknown_token_id": 0,
        "add_space_prefix": True,
        "remove_extra_whitespaces": True,
    }
    converted, file = tmp_path / "converted.gguf", tmp_path / "unigram.model"
    converted.write_bytes(gguf_bytes({PREFIX + key: value for key, value in columns.items()}))
    file.write_bytes(model_bytes(FILE))
    specs = (f"sentencepiece:{file}", f"reference:{converted}")
    causes = compared(*specs, families=("letter-case", "normal-forms")).causes
    bugs = [one for one in causes if one.verdict is Verdict.BUG]
    assert [(one.name, one.forms) for one in bugs if one.aspect == "ids"] == [
        ("normalizer: the charsmap is not applied", (1,))
    ]
    decoded = [one.name for one in bugs if one.aspect == "decoded text"]
    assert decoded == ["decoding: text of the unknown token"]


@pytest.mark.slow
def test_a_charsmap_that_a_tokenizer_json_loses_is_one_cause_of_ids(against):
    causes = against(
        _unigram(lambda one: one["normalizer"]["normalizers"].pop(0)), "white-space", "letter-case"
    )
    assert [one.name for one in causes] == [
        f"normalizer: {NO_CHARSMAP}, and {STRIPPED.format('both ends')}"
    ]


@pytest.mark.nightly
@pytest.mark.slow
def test_a_space_that_only_the_first_word_gets_is_one_cause_of_ids(against):
    def first(record):
        record["pre_tokenizer"]["prepend_scheme"] = "first"

    causes = against(_unigram(first), "white-space", "leading-space")
    assert [one.name for one in causes] == [
        f"normalizer: {STRIPPED.format('both ends')}, and {FIRST}"
    ]


@pytest.mark.needs("tokenizers")
def test_the_stages_of_a_library_have_no_mark_where_it_has_stripped_the_start():
    import tokenizers

    record = _unigram(lambda one: one["pre_tokenizer"].update(prepend_scheme="first"))
    library = tokenizers.Tokenizer.from_str(json.dumps(record))

    def encode(text):
        return library.encode(text, add_special_tokens=False).ids

    def words(text):
        return dict(stages(library, text, encode, encode, ()))["pre-tokenizer"]

    assert words("a a") == ["\u2581a", "\u2581a"]
    assert words(" a a") == ["a", "\u2581a"]
    assert words(" \u2581a") == ["\u2581a"]


@pytest.mark.slow
def test_scores_that_a_conversion_rounds_are_a_fact_of_the_files(tmp_path, written):
    def rounded(record):
        vocab = record["model"]["vocab"]
        vocab[:] = [[text, unpack("e", pack("e", score - 0.3))[0]] for text, score in vocab]

    path = tmp_path / "unigram.model"
    path.write_bytes(model_bytes(FILE))
    first = f"reference:{path}"
    assert unseen_edits([first, written("same", _unigram())], []) == []
    (fact,) = unseen_edits([first, written("rounded", _unigram(rounded))], [])
    assert (fact.stage, fact.verdict) == ("model", Verdict.FACT)
    assert "scores of" in fact.name


def test_marks_of_spaces_are_no_difference_of_stages():
    one = {"normalizer": ["a b"], "pre-tokenizer": ["\u2581a", "\u2581b"], "model": ["\u2581a"]}
    other = {"normalizer": ["\u2581a\u2581b"], "model": ["\u2581"]}
    assert _stage_of_formats(one, other) == "model"
    assert _stage_of_formats(one, other | {"model": ["\u2581a"]}) is None
    assert _stage_of_formats(other | {"normalizer": ["a b"]}, one) == "normalizer"
