"""The names that estimate the cost of languages, and the tables that were generated from CLDR."""

import json
from importlib.metadata import version
from importlib.resources import files

import pytest

from tokharness.unicode import generate_language_codes, generate_parallel_names
from tokharness.unicode.languages import parallel_names

FOLDER = files("tokharness.unicode")
GENERATORS = {
    "parallel_names.json": generate_parallel_names,
    "language_codes.json": generate_language_codes,
}


def test_a_language_has_the_same_names_as_english():
    names = parallel_names()
    assert list(names) == ["en", *sorted(names.keys() - {"en"})]
    own, english = names["en"]
    assert own == english
    german, english = names["de"]
    assert "Quadratmeter" in german
    assert ("square meters" in english, "square meters" in german) == (True, False)


def test_a_language_has_many_names_or_is_left_out():
    assert len(parallel_names()) > 170
    assert min(len(english.split()) for _, english in parallel_names().values()) >= 60
    assert "ht" not in parallel_names(), "it has only the names of French"


def test_the_tables_are_ascii_and_not_large():
    sizes = [len(FOLDER.joinpath(name).read_text("ascii")) for name in GENERATORS]
    assert sum(sizes) < 1_200_000


@pytest.mark.slow
@pytest.mark.parametrize("name", GENERATORS)
def test_a_table_is_what_its_command_makes(tmp_path, name):
    source = json.loads(FOLDER.joinpath(name).read_text("ascii"))["source"]
    if not source.endswith(f"babel {version('babel')}"):
        pytest.skip(f"babel {version('babel')} is not the release of the table")
    path = tmp_path / name
    GENERATORS[name].main([str(path)])
    assert path.read_text("ascii") == FOLDER.joinpath(name).read_text("ascii")


@pytest.mark.parametrize("generator", GENERATORS.values())
def test_the_command_without_arguments_prints_its_usage(generator):
    with pytest.raises(SystemExit, match="OUTPUT"):
        generator.main([])
