"""The facts that name the Unicode versions of a target."""

from tokharness.diagnosis.ids.stage_versions import unicode_facts
from tokharness.model import target_of
from tokharness.targets.subject import Subject


def facts(byte_tokenizer, **fields):
    subject = Subject(target_of("target", byte_tokenizer()), **fields)
    return {str(fact): fact.message for fact in unicode_facts(subject)}


def test_a_fact_about_another_table_than_the_main_one_names_it(byte_tokenizer):
    versions = {"split, punctuation": "8.0"}
    assert facts(byte_tokenizer, unicode_version="8.0", stage_versions=versions) == {
        "Unicode version of the split, punctuation: 8.0": "the target classifies characters as "
        "Unicode 8.0 does, in its table of punctuation"
    }


def test_tables_of_different_versions_are_facts_of_their_own(byte_tokenizer):
    versions = {"normalizer": "9.0", "normalizer, categories": "8.0"}
    assert [*facts(byte_tokenizer, normalizer_version="9.0", stage_versions=versions)] == [
        "Unicode version of the normalizer: 9.0",
        "Unicode version of the normalizer, categories: 8.0",
    ]


def test_tables_of_the_version_of_the_main_table_are_not_named(byte_tokenizer):
    versions = {"split": "16.0", "split, words": "16.0"}
    found = facts(byte_tokenizer, unicode_version="16.0", stage_versions=versions)
    assert [*found] == ["Unicode version of the split: 16.0"]


class Staged:
    """A tokenizer with a table that changed in Unicode 13.0."""

    def __init__(self, version="9.0"):
        self.stage_versions = {"split": version}

    def with_stage_versions(self, versions):
        return Staged(versions["split"])

    def encode(self, text):
        return [int(float(self.stage_versions["split"]) >= 13)]

    def decode(self, ids):
        return ""


def test_versions_with_the_same_table_are_one_interval(byte_tokenizer):
    explainer = target_of("explainer", Staged())
    found = facts(byte_tokenizer, explainer=explainer, stage_versions={"split": "9.0"})
    assert found == {
        "Unicode version of the split: 7.0 to 12.1": "the target classifies characters as "
        "Unicode 7.0 to 12.1 do, which are the same here"
    }
    found = facts(byte_tokenizer, explainer=explainer, stage_versions={"split": "16.0"})
    assert [*found] == ["Unicode version of the split: 13.0 to 18.0"]


def test_a_version_without_tables_is_a_fact_of_its_stage(byte_tokenizer):
    assert [*facts(byte_tokenizer, case_version="17.0")] == [
        "Unicode version of the case mapping: 17.0"
    ]
