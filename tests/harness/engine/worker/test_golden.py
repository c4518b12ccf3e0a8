"""The golden set: what everybody writes, and what tells tokenizers apart; the same every time."""

import pytest

from tokharness import plugins
from tokharness.engine.worker.golden import golden_texts
from tokharness.model import TargetFacts
from tokharness.unicode.languages import LANGUAGES, parallel_text
from tokharness.unicode.scripts import script
from tokharness.unicode.versions import VERSIONS, category_in

FACTS = TargetFacts(("<|end|>",), profile="quick")


@pytest.fixture(scope="module")
def golden():
    return list(golden_texts(FACTS))


def of_group(golden, kind):
    """Texts by what stands behind the kind of their group."""
    found = {}
    for group, text in golden:
        if group.partition(":")[0] == kind:
            found.setdefault(group.partition(":")[2], []).append(text)
    return found


def test_it_is_the_same_every_time(golden):
    assert list(golden_texts(FACTS)) == golden


def test_it_does_not_depend_on_profile_or_pattern(golden):
    assert list(golden_texts(TargetFacts(("<|end|>",), "\\s+", "thorough"))) == golden


def test_it_does_not_depend_on_what_a_project_replays(golden):
    facts = TargetFacts(("<|end|>",), regressions=(("failed once", "why"),))
    assert list(golden_texts(facts)) == golden


def test_no_text_is_there_twice(golden):
    texts = [text for _, text in golden]
    assert len(set(texts)) == len(texts)


def test_what_everybody_writes_stands_first(golden):
    assert golden[0][0] == "everyday"
    assert any("'s" in text or "'S" in text for text in of_group(golden, "everyday")[""])


def test_it_is_small_enough_to_be_read(golden):
    assert 1000 < len(golden) < 3000
    assert max(len(text) for _, text in golden) < 1000


def test_each_family_has_some(golden):
    found = of_group(golden, "family")
    assert set(found) == set(plugins.families()) - {"very-long-inputs", "regressions"}
    assert all(len(texts) <= 40 for texts in found.values())


def test_each_language_has_the_same_text(golden):
    found = of_group(golden, "language")
    assert found == {code: [parallel_text(code)] for code in LANGUAGES}


def test_each_script_has_letters_of_its_own(golden):
    found = of_group(golden, "script")
    assert {"Latn", "Mymr", "Arab", "Deva"} <= found.keys()
    for code, (text,) in found.items():
        assert {script(char) for char in text if char != " "} == {code}


def test_each_unicode_version_has_characters_that_it_classifies_anew(golden):
    found = of_group(golden, "unicode")
    assert set(found) <= set(VERSIONS[1:])
    before = dict(zip(VERSIONS[1:], VERSIONS, strict=False))
    for version, texts in found.items():
        for text in texts:
            assert any(
                category_in(char, version) != category_in(char, before[version]) for char in text
            )


def test_the_special_tokens_of_the_target_are_in_it(golden):
    assert any("<|end|>" in text for _, text in golden)
