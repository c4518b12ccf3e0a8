"""A snapshot of a target: its fingerprint, the ids of its golden texts, and why they changed.

The golden set: everyday text and texts that distinguish tokenizers; always the same.
"""

import json
from typing import ClassVar

import pytest

from tokharness import plugins
from tokharness.boundary.tokenizer import OwnProcess
from tokharness.engine.worker.snapshots import NEW, golden_texts, take_snapshot
from tokharness.errors import SkippedTextError, TargetDeath
from tokharness.model import Cause, TargetFacts, Verdict, target_of
from tokharness.outcome import Raised, call
from tokharness.targets.snapshot import (
    NO_CAUSE,
    Explanation,
    Golden,
    Snapshot,
    fertility,
    snapshot_of,
    snapshot_record,
)
from tokharness.targets.subject import Subject
from tokharness.unicode.languages import LANGUAGES, parallel_text
from tokharness.unicode.properties import script
from tokharness.unicode.versions import VERSIONS, category_in

TEXTS = ("a", "it's", "\u200b", "x\u200by", "\ud800", "")


@pytest.fixture(scope="session")
def snapshot(byte_tokenizer):
    """Return a function that takes a snapshot of a tokenizer on texts with earlier ids."""

    def take(tokenizer=None, before=None, **fields):
        tokenizer = byte_tokenizer() if tokenizer is None else tokenizer
        before = before or dict.fromkeys(TEXTS, NEW)
        golden = [Golden("everyday", text, ids) for text, ids in before.items()]
        checks = [plugins.checks()["TOK101"], plugins.checks()["TOK201"]]
        return take_snapshot(Subject(target_of("target", tokenizer), **fields), checks, golden)

    return take


def ids_of(snapshot):
    return {golden.text: golden.ids for golden in snapshot.golden}


@pytest.mark.slow
def test_new_golden_texts_get_their_ids(snapshot, byte_tokenizer):
    expected = {text: tuple(byte_tokenizer().encode(text)) for text in TEXTS}
    assert ids_of(snapshot()) == expected


@pytest.mark.slow
def test_new_golden_texts_need_no_explanation(snapshot):
    assert snapshot().explanations == ()


@pytest.mark.slow
def test_unchanged_ids_need_no_explanation(snapshot):
    assert snapshot(before=ids_of(snapshot())).explanations == ()


@pytest.mark.slow
def test_changed_ids_are_explained(snapshot, byte_tokenizer):
    faulty = byte_tokenizer(before=lambda text: text.replace("\u200b", ""))
    (explanation,) = snapshot(faulty, ids_of(snapshot())).explanations
    assert "U+200B" in str(explanation.cause)
    assert set(explanation.texts) == {"\u200b", "x\u200by"}


@pytest.mark.slow
def test_the_comparison_with_the_reference_comes_first(snapshot, byte_tokenizer):
    class Upper(byte_tokenizer):
        def encode(self, text):
            return super().encode(text.replace("a", "b"))

    reference = target_of("reference", byte_tokenizer())
    (explanation,) = snapshot(Upper(), ids_of(snapshot()), reference=reference).explanations
    assert explanation.texts == ("a",)


@pytest.mark.slow
def test_changes_that_no_check_explains_have_no_cause(snapshot):
    before = {**ids_of(snapshot()), "a": (1, 2, 3)}
    (explanation,) = snapshot(before=before).explanations
    assert str(explanation.cause) == f"{NO_CAUSE}: a letter"


class Raising(OwnProcess):
    def __init__(self, error):
        self.error = error

    def encode(self, text):
        if text == "a":
            raise self.error
        return [1]

    def decode(self, ids):
        return ""

    def call_each(self, method, items):
        results = [call(getattr(self, method), item) for item in items]
        return [one.error if isinstance(one, Raised) else one for one in results]


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (ValueError("x"), "ValueError"),
        (SystemExit(3), "SystemExit"),
        (RecursionError(), "RecursionError"),
        (TargetDeath("SIGSEGV"), "SIGSEGV"),
        (SkippedTextError(), "not tried"),
    ],
    ids=repr,
)
def test_an_error_is_stored_by_name(snapshot, error, name):
    assert ids_of(snapshot(Raising(error)))["a"] == name


def test_a_keyboard_interrupt_is_raised(snapshot):
    with pytest.raises(KeyboardInterrupt):
        snapshot(Raising(KeyboardInterrupt()))


class Index(int):
    """An integer of another type, as arrays have them."""


@pytest.mark.parametrize(
    ("ids", "stored"),
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
def test_ids_are_stored_as_integers_or_as_an_error(snapshot, byte_tokenizer, ids, stored):
    tokenizer = byte_tokenizer()
    tokenizer.encode = lambda _: ids
    golden = ids_of(snapshot(tokenizer, {"a": NEW}))
    assert golden == {"a": stored}
    assert all(type(number) is int for number in golden["a"]) or isinstance(stored, str)


VOCABULARY = {0: b"a", 1: b"b", 2: b"ab"}


class WithVocabulary:
    n_vocab = 4

    def __init__(self, vocabulary=VOCABULARY, **attributes):
        self.vocabulary = vocabulary
        self.special_tokens = {"<|end|>": 3}
        vars(self).update(attributes)

    def encode(self, text):
        return [0] * len(text)

    def decode(self, ids):
        return "a" * len(ids)

    def decode_single_token_bytes(self, number):
        return self.vocabulary[number]


def test_the_fingerprint_has_the_attributes_of_the_target(snapshot):
    fingerprint = snapshot(WithVocabulary(pattern="\\s+", normalizer="NFC")).fingerprint
    assert fingerprint.n_vocab == 4
    assert (fingerprint.pattern, fingerprint.normalizer) == ("\\s+", "NFC")
    assert fingerprint.special_tokens == {"<|end|>": 3}


@pytest.mark.slow
def test_the_same_vocabulary_has_the_same_hash(snapshot):
    one, other = (snapshot(WithVocabulary()).fingerprint.vocabulary for _ in range(2))
    assert one == other
    assert len(one) == 16


@pytest.mark.slow(every=3)
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
def test_another_vocabulary_has_another_hash(snapshot, vocabulary):
    one, other = (
        snapshot(WithVocabulary(tokens)).fingerprint.vocabulary
        for tokens in (VOCABULARY, vocabulary)
    )
    assert one != other


def test_the_vocabulary_has_figures(snapshot):
    assert snapshot(WithVocabulary()).figures == {
        "tokens": 3,
        "bytes a token": 1.333333,
        "bytes of the longest token": 2,
    }


def test_without_a_vocabulary_there_are_no_hash_and_figures(snapshot):
    plain = snapshot()
    assert (plain.fingerprint.vocabulary, plain.figures) == (None, {})


@pytest.mark.parametrize("version", [(15, 0), 15.0])
def test_a_version_that_is_not_a_string_is_ignored(snapshot, version):
    assert snapshot(unicode_version=version).fingerprint.unicode_version is None


def test_a_version_string_is_stored(snapshot):
    assert snapshot(unicode_version="15.0").fingerprint.unicode_version == "15.0"


def test_a_pattern_that_is_not_a_string_is_ignored(snapshot):
    assert snapshot(WithVocabulary(pattern=len)).fingerprint.pattern is None


def test_a_snapshot_is_restored_from_its_record(snapshot):
    cause = Cause("a kind", (("of", "it"),), Verdict.BUG, "a message")
    taken = snapshot(WithVocabulary())
    explanations = (Explanation(cause, ("a", "b")),)
    whole = Snapshot(taken.fingerprint, taken.golden, taken.figures, explanations)
    assert snapshot_of(json.loads(json.dumps(snapshot_record(whole)))) == whole


def test_tokens_per_code_point_are_computed_by_group():
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
    """Bytes as ids; ``encode`` gives 300 for the special token."""

    special_tokens: ClassVar = {"<|end|>": 300}

    def encode_ordinary(self, text):
        return list(text.encode())

    def encode(self, text):
        return [300] if text == "<|end|>" else self.encode_ordinary(text)

    def decode(self, ids):
        return ""


def test_different_ids_of_another_entry_point_are_stored(snapshot):
    entries = snapshot(WithOrdinary(), {"a": NEW, "<|end|>": NEW}).entries
    assert entries == (Golden("encode", "<|end|>", (300,)),)


def test_it_is_of_the_target_as_given(snapshot, byte_tokenizer):
    uppercase = target_of("target", byte_tokenizer(before=str.upper))
    original = snapshot(byte_tokenizer(), {"a": NEW}, original_target=uppercase)
    assert ids_of(original) == {"a": (0x41,)}


FACTS = TargetFacts(("<|end|>",), profile="quick")
WITHOUT_TEXTS = {"merge-orders", "very-long-inputs", "regressions", "vocabulary-tokens"}


@pytest.fixture(scope="module")
def golden():
    return list(golden_texts(FACTS))


def of_kind(golden, kind):
    """Texts of the groups of a kind, by the rest of the group's name."""
    texts = {}
    for group, text in golden:
        if group.partition(":")[0] == kind:
            texts.setdefault(group.partition(":")[2], []).append(text)
    return texts


@pytest.mark.slow
def test_it_is_the_same_every_time(golden):
    assert list(golden_texts(FACTS)) == golden


@pytest.mark.slow
def test_it_does_not_depend_on_profile_or_pattern(golden):
    assert list(golden_texts(TargetFacts(("<|end|>",), "\\s+", "thorough"))) == golden


@pytest.mark.slow
def test_it_does_not_depend_on_regressions(golden):
    facts = TargetFacts(
        ("<|end|>",), regressions=(("failed once", "why"),), tokens=lambda: ("a token",)
    )
    assert list(golden_texts(facts)) == golden


@pytest.mark.slow
def test_no_text_occurs_twice(golden):
    texts = [text for _, text in golden]
    assert len(set(texts)) == len(texts)


def test_everyday_text_comes_first(golden):
    assert golden[0][0] == "everyday"
    assert any("'s" in text or "'S" in text for text in of_kind(golden, "everyday")[""])


def test_it_is_small(golden):
    assert 1000 < len(golden) < 3000
    assert max(len(text) for _, text in golden) < 1000


def test_each_family_has_some_texts(golden):
    groups = of_kind(golden, "family")
    assert set(groups) == set(plugins.families()) - WITHOUT_TEXTS
    assert all(len(texts) <= 40 for texts in groups.values())


def test_each_language_has_the_same_text(golden):
    groups = of_kind(golden, "language")
    assert groups == {code: [parallel_text(code)] for code in LANGUAGES}


def test_each_script_has_its_letters(golden):
    groups = of_kind(golden, "script")
    assert {"Latn", "Mymr", "Arab", "Deva"} <= groups.keys()
    for code, (text,) in groups.items():
        assert {script(char) for char in text if char != " "} == {code}


def test_each_unicode_version_has_characters_that_it_reclassifies(golden):
    groups = of_kind(golden, "unicode")
    assert set(groups) <= set(VERSIONS[1:])
    before = dict(zip(VERSIONS[1:], VERSIONS, strict=False))
    for version, texts in groups.items():
        for text in texts:
            assert any(
                category_in(char, version) != category_in(char, before[version]) for char in text
            )


def test_it_has_the_special_tokens_of_the_target(golden):
    assert any("<|end|>" in text for _, text in golden)
