"""The table of older Unicode versions is correct, and so are stand-ins."""

# The standard library has the tables of one of the versions, for comparison.
import json
import sys
import unicodedata
from importlib.resources import files
from itertools import pairwise

import pytest
import regex
import unicodedata2
from hypothesis import given
from hypothesis import strategies as st

from tokharness.unicode import generate_versions, versions
from tokharness.unicode.properties import members

EVERY_CHARACTER = [chr(point) for point in range(sys.maxunicode + 1)]


@pytest.mark.slow
@pytest.mark.parametrize("module", [unicodedata, unicodedata2])
def test_table_equals_a_library_of_that_version(module):
    version = module.unidata_version.removesuffix(".0")
    if version not in versions.VERSIONS:
        pytest.skip(f"the table does not have Unicode {version}")
    categories = [versions.category_in(char, version) for char in EVERY_CHARACTER]
    assert categories == list(map(module.category, EVERY_CHARACTER))


@pytest.mark.parametrize("category", sorted(versions.STANDINS))
def test_regex_has_the_categories_of_its_inferred_version(category):
    points = set(members(rf"\p{{{category}}}"))
    table = versions._table(versions.REGEX_VERSION)
    index = versions._CATEGORIES.index(category)
    assert points == {point for point, value in enumerate(table) if value == index}


def test_the_table_names_its_sources_and_its_command():
    data = json.loads(files("tokharness.unicode").joinpath("versions.json").read_text("ascii"))
    assert data["command"].startswith("python -m tokharness.unicode.generate_versions")
    assert set(data["sources"]) == set(versions.VERSIONS)


@pytest.mark.slow
def test_the_generator_reads_the_running_interpreter():
    version, origin, table = generate_versions._read(sys.executable)
    assert unicodedata.unidata_version.startswith(version)
    assert origin.startswith("unicodedata of")
    assert table == list(map(unicodedata.category, EVERY_CHARACTER))


def test_generated_runs_have_the_changed_categories():
    before, after = ["Lu", "Lu", "Cn", "Cn"], ["Lu", "Ll", "Ll", "Cn"]
    assert list(generate_versions._runs([], before)) == ["0-1:Lu", "2-3:Cn"]
    assert list(generate_versions._runs(before, after)) == ["1-2:Ll"]


@pytest.mark.parametrize(
    ("char", "version"),
    [("a", versions.VERSIONS[0]), ("\u32ff", "12.1"), ("\u0897", "16.0"), ("\u0378", None)],
)
def test_age(char, version):
    assert versions.age(char) == version


def test_category_in_depends_on_the_version():
    assert [versions.category_in("\u0295", version) for version in ("16.0", "17.0")] == ["Ll", "Lo"]


def test_changed_is_symmetric():
    assert versions.changed("14.0", "16.0") == versions.changed("16.0", "14.0")


def test_assigned_characters_stay_assigned():
    for old, new in pairwise(versions.VERSIONS):
        lost = [p for p in versions.changed(old, new) if versions.category_in(chr(p), new) == "Cn"]
        assert not lost


def test_a_version_may_have_three_numbers():
    assert versions.canonical("15.1.0") == "15.1"


def test_an_unknown_version_is_an_error():
    with pytest.raises(ValueError, match="unknown Unicode version"):
        versions.category_in("a", "99.0")


@pytest.mark.parametrize(("category", "char"), sorted(versions.STANDINS.items()))
def test_a_standin_is_plain(category, char):
    assert {versions.category_in(char, version) for version in versions.VERSIONS} == {category}
    assert not regex.search(r"[\s\p{Default_Ignorable_Code_Point}\p{Nchar}\p{sc=Han}]", char)
    assert not regex.search(r"(?i)[a-z0-9']", char)


@pytest.mark.parametrize("version", versions.VERSIONS)
def test_standins_have_the_category_of_the_pinned_version(version):
    base = versions.REGEX_VERSION
    for point, standin in versions.standins(version, base).items():
        expected = versions.category_in(chr(point), version)
        assert versions.category_in(chr(standin), base) == expected


changed = st.sampled_from(versions.changed("9.0", versions.REGEX_VERSION)).map(chr)


@given(st.text(st.one_of(changed, st.sampled_from("aZ's 1.\n\u017f"))))
def test_translated_text_has_the_categories_of_the_pinned_version(text):
    translated = text.translate(versions.standins("9.0", versions.REGEX_VERSION))
    assert len(translated) == len(text)
    for old, char in zip(text, translated, strict=True):
        assert regex.match(rf"\p{{{versions.category_in(old, '9.0')}}}", char)


def test_regex_version_is_that_of_its_release():
    if regex.__version__ != "2026.11.15":
        pytest.skip("the version is that of regex 2026.11.15")
    assert versions.REGEX_VERSION == "18.0"
