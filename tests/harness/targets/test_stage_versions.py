from types import SimpleNamespace

import pytest
from planted._tokenizer_files import healthy

from tokharness.model import target_of
from tokharness.targets.stage_versions import detect_stage_versions, version_of
from tokharness.unicode.versions import category_in


def tokenizer(name, **versions):
    return target_of(name, healthy(name).with_stage_versions(versions))


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("version", ["9.0", "13.0", "16.0", "18.0"])
def test_the_version_of_a_normalizer_is_seen_from_outside(version):
    found = detect_stage_versions(tokenizer("nfc", normalizer=version), tokenizer("nfc"))
    assert found["normalizer"] == version


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("version", ["9.0", "10.0", "13.0"])
def test_the_version_of_a_normalizer_is_seen_where_the_vocabulary_lacks_the_new_marks(version):
    name = "unknown_unigram"
    found = detect_stage_versions(tokenizer(name, normalizer=version), tokenizer(name))
    assert found["normalizer"] == version


@pytest.mark.parametrize("version", ["10.0", "14.0"])
def test_the_version_of_a_split_is_seen_from_outside(version):
    table = "split, punctuation"
    target = target_of("bert", healthy("bert_pre_tokenizer").with_stage_versions({table: version}))
    found = detect_stage_versions(target, tokenizer("bert_pre_tokenizer"))
    assert version_of("split", found) == version


@pytest.mark.slow
def test_a_target_that_drops_what_is_unassigned_has_the_version_whose_letters_it_keeps():
    name, version = "wordpiece_list", "14.0"
    plain = healthy(name).with_stage_versions(dict.fromkeys(healthy(name).stage_versions, version))

    def encode(text):
        assigned = (char for char in text if category_in(char, version) != "Cn")
        return plain.encode_ordinary("".join(assigned))

    target = target_of(name, SimpleNamespace(encode=encode, decode=plain.decode))
    found = detect_stage_versions(target, tokenizer(name))
    assert found["normalizer, categories"] == version


def test_a_version_that_no_text_shows_is_left_out():
    assert detect_stage_versions(tokenizer("fallback_bpe"), tokenizer("fallback_bpe")) == {}


def test_the_version_of_a_stage_is_that_of_its_main_table():
    versions = {"split, punctuation": "8.0", "split": "16.0", "normalizer, marks": "9.0"}
    assert version_of("split", versions) == "16.0"
    assert version_of("normalizer", versions) == "9.0"
    assert version_of("case mapping", versions) is None
