"""The golden set: everyday text and texts that distinguish tokenizers; always the same."""

import pytest

from tokharness import plugins
from tokharness.engine.worker.snapshots import golden_texts
from tokharness.model import TargetFacts
from tokharness.unicode.languages import LANGUAGES, parallel_text
from tokharness.unicode.properties import script
from tokharness.unicode.versions import VERSIONS, category_in

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


def test_it_is_the_same_every_time(golden):
    assert list(golden_texts(FACTS)) == golden


def test_it_does_not_depend_on_profile_or_pattern(golden):
    assert list(golden_texts(TargetFacts(("<|end|>",), "\\s+", "thorough"))) == golden


def test_it_does_not_depend_on_regressions(golden):
    facts = TargetFacts(
        ("<|end|>",), regressions=(("failed once", "why"),), tokens=lambda: ("a token",)
    )
    assert list(golden_texts(facts)) == golden


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
