"""A snapshot of a target: its fingerprint, the ids of its golden texts, and why they changed."""

import json
from typing import ClassVar

import pytest

from tokharness import plugins
from tokharness.engine.worker.snapshotting import NEW, take_snapshot
from tokharness.errors import SkippedTextError, TargetDeath
from tokharness.model import Cause, Verdict, target_of
from tokharness.targets.snapshot import (
    Golden,
    Snapshot,
    Why,
    fertility,
    snapshot_of,
    snapshot_record,
)
from tokharness.targets.subject import Subject

TEXTS = ("a", "it's", "\u200b", "x\u200by", "\ud800", "")


@pytest.fixture(scope="session")
def snapshot(byte_tokenizer):
    """Snapshot of a tokenizer on some texts, with the ids that they had."""

    def taken(tokenizer=None, before=None, **fields):
        tokenizer = byte_tokenizer() if tokenizer is None else tokenizer
        before = before or dict.fromkeys(TEXTS, NEW)
        golden = [Golden("everyday", text, ids) for text, ids in before.items()]
        checks = [plugins.checks()["TOK101"], plugins.checks()["TOK201"]]
        return take_snapshot(Subject(target_of("target", tokenizer), **fields), checks, golden)

    return taken


def ids_of(found):
    return {one.text: one.ids for one in found.golden}


def test_new_golden_texts_get_their_ids(snapshot, byte_tokenizer):
    expected = {text: tuple(byte_tokenizer().encode(text)) for text in TEXTS}
    assert ids_of(snapshot()) == expected


def test_new_golden_texts_need_no_explanation(snapshot):
    assert snapshot().why == ()


def test_texts_that_have_their_ids_need_no_explanation(snapshot):
    assert snapshot(before=ids_of(snapshot())).why == ()


def test_changed_ids_are_explained(snapshot, byte_tokenizer):
    faulty = byte_tokenizer(before=lambda text: text.replace("\u200b", ""))
    (why,) = snapshot(faulty, ids_of(snapshot())).why
    assert "U+200B" in str(why.cause)
    assert set(why.texts) == {"\u200b", "x\u200by"}


def test_the_comparison_with_the_reference_explains_first(snapshot, byte_tokenizer):
    class Upper(byte_tokenizer):
        def encode(self, text):
            return super().encode(text.replace("a", "b"))

    reference = target_of("reference", byte_tokenizer())
    (why,) = snapshot(Upper(), ids_of(snapshot()), reference=reference).why
    assert why.texts == ("a",)


def test_what_no_check_can_explain_is_left(snapshot):
    before = {**ids_of(snapshot()), "a": (1, 2, 3)}
    assert snapshot(before=before).why == ()


class Raising:
    def __init__(self, error):
        self.error = error

    def encode(self, text):
        if text == "a":
            raise self.error
        return [1]

    def decode(self, ids):
        return ""


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("x"), "ValueError"),
        (SystemExit(3), "SystemExit"),
        (RecursionError(), "RecursionError"),
        (TargetDeath("SIGSEGV"), "SIGSEGV"),
        (SkippedTextError(), "not tried"),
    ],
    ids=repr,
)
def test_what_came_in_the_place_of_ids_is_kept_by_name(snapshot, error, told):
    assert ids_of(snapshot(Raising(error)))["a"] == told


def test_the_users_ctrl_c_is_no_answer(snapshot):
    with pytest.raises(KeyboardInterrupt):
        snapshot(Raising(KeyboardInterrupt()))


class Index(int):
    """A whole number of another kind, as arrays have them."""


@pytest.mark.parametrize(
    ("ids", "kept"),
    [
        ([1, 2], (1, 2)),
        ((Index(1),), (1,)),
        (iter([3]), (3,)),
        ([True], (1,)),
        ([], ()),
        ([1.0], "no integers"),
        (["1"], "no integers"),
        ([None], "no integers"),
        ([[1]], "no integers"),
        ("ab", "no integers"),
        (None, "TypeError"),
        (3, "TypeError"),
    ],
)
def test_ids_are_kept_as_integers_or_told_to_be_none(snapshot, byte_tokenizer, ids, kept):
    tokenizer = byte_tokenizer()
    tokenizer.encode = lambda _: ids
    found = ids_of(snapshot(tokenizer, {"a": NEW}))
    assert found == {"a": kept}
    assert all(type(one) is int for one in found["a"]) or isinstance(kept, str)


VOCABULARY = {0: b"a", 1: b"b", 2: b"ab"}


class WithVocabulary:
    n_vocab = 4

    def __init__(self, vocabulary=VOCABULARY, **beside):
        self.vocabulary = vocabulary
        self.special_tokens = {"<|end|>": 3}
        vars(self).update(beside)

    def encode(self, text):
        return [0] * len(text)

    def decode(self, ids):
        return "a" * len(ids)

    def decode_single_token_bytes(self, number):
        return self.vocabulary[number]


def test_the_fingerprint_is_what_the_target_says_of_itself(snapshot):
    found = snapshot(WithVocabulary(pattern="\\s+", normalizer="NFC")).fingerprint
    assert (found.n_vocab, found.pattern, found.normalizer) == (4, "\\s+", "NFC")
    assert found.special_tokens == {"<|end|>": 3}


def test_the_same_vocabulary_has_the_same_hash(snapshot):
    one, other = (snapshot(WithVocabulary()).fingerprint.vocabulary for _ in range(2))
    assert one == other
    assert len(one) == 16


@pytest.mark.parametrize(
    "vocabulary",
    [
        {**VOCABULARY, 0: b"c"},
        {0: b"b", 1: b"a", 2: b"ab"},
        {0: b"a", 1: b"b"},
        {0: b"a", 1: b"", 2: b"ab"},
    ],
    ids=str,
)
def test_another_vocabulary_has_another(snapshot, vocabulary):
    one, other = (
        snapshot(WithVocabulary(some)).fingerprint.vocabulary for some in (VOCABULARY, vocabulary)
    )
    assert one != other


def test_the_figures_of_the_vocabulary_are_told(snapshot):
    assert snapshot(WithVocabulary()).figures == {
        "tokens": 3,
        "bytes a token": 1.333333,
        "bytes of the longest token": 2,
    }


def test_without_a_vocabulary_there_is_neither_hash_nor_figure(snapshot):
    found = snapshot()
    assert (found.fingerprint.vocabulary, found.figures) == (None, {})


@pytest.mark.parametrize("version", [(15, 0), 15.0])
def test_a_version_that_is_no_text_is_not_kept(snapshot, version):
    assert snapshot(unicode_version=version).fingerprint.unicode_version is None


def test_a_version_that_was_told_is_kept(snapshot):
    assert snapshot(unicode_version="15.0").fingerprint.unicode_version == "15.0"


def test_a_pattern_that_is_no_text_is_not_kept(snapshot):
    assert snapshot(WithVocabulary(pattern=len)).fingerprint.pattern is None


def test_a_snapshot_comes_back_from_its_record(snapshot):
    cause = Cause("a kind", (("of", "it"),), Verdict.BUG, "a message")
    taken = snapshot(WithVocabulary())
    whole = Snapshot(taken.fingerprint, taken.golden, taken.figures, (Why(cause, ("a", "b")),))
    assert snapshot_of(json.loads(json.dumps(snapshot_record(whole)))) == whole


def test_tokens_a_code_point_are_counted_by_group():
    golden = [
        Golden("everyday", "abcd", (1, 2)),
        Golden("everyday", "ab", (1,)),
        Golden("language:en", "ab", (1, 2, 3)),
        Golden("language:my", "ab", "ValueError"),
        Golden("unicode:16.0", "ab", (1,)),
        Golden("script:Zzzz", "", ()),
    ]
    assert fertility(golden) == {"everyday": 0.5, "language:en": 1.5}


class WithOrdinary:
    """Bytes as ids, and 300 for a special token where it is asked for by ``encode``."""

    special_tokens: ClassVar = {"<|end|>": 300}

    def encode_ordinary(self, text):
        return list(text.encode())

    def encode(self, text):
        return [300] if text == "<|end|>" else self.encode_ordinary(text)

    def decode(self, ids):
        return ""


def test_what_another_entry_point_gives_special_tokens_is_kept(snapshot):
    found = snapshot(WithOrdinary(), {"a": NEW, "<|end|>": NEW})
    assert found.entries == (Golden("encode", "<|end|>", (300,)),)


def test_it_is_of_the_target_as_it_was_given(snapshot, byte_tokenizer):
    shouting = target_of("target", byte_tokenizer(before=str.upper))
    found = snapshot(byte_tokenizer(), {"a": NEW}, given=shouting)
    assert ids_of(found) == {"a": (0x41,)}
