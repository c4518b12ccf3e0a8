"""Scripts and script extensions."""

import pytest

from tokharness.unicode import properties, scripts


@pytest.mark.parametrize(
    ("char", "code"),
    [("a", "Latn"), ("\u0430", "Cyrl"), ("1", "Zyyy"), ("\u0301", "Zinh"), ("\u0378", "Zzzz")],
)
def test_script_is_an_iso_15924_code(char, code):
    assert scripts.script(char) == code


def test_script_extensions_list_every_script_a_mark_is_used_in():
    assert {"Deva", "Beng"} <= scripts.script_extensions("\u0964")


def test_script_extensions_of_an_ordinary_letter_are_its_script():
    assert scripts.script_extensions("a") == {"Latn"}


def test_script_extensions_of_an_unassigned_code_point_are_unknown():
    assert scripts.script_extensions("\u0378") == {"Zzzz"}


@pytest.mark.slow
def test_every_assigned_character_has_a_script_in_the_table():
    known = "".join(rf"\p{{sc={code}}}" for code in scripts._known())
    unknown = properties.members(rf"[^{known}]")
    assert unknown == properties.members(r"[\p{Cn}\p{Co}\p{Cs}]")


def test_names_are_those_that_the_engine_knows_the_codes_by():
    for code in scripts._known():
        name = scripts.script_name(code)
        assert properties.members(rf"\p{{sc={name}}}") == properties.members(rf"\p{{sc={code}}}")
