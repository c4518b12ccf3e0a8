"""Scripts and script extensions."""

import pytest

from tokharness.unicode import properties


@pytest.mark.parametrize(
    ("char", "code"),
    [("a", "Latn"), ("\u0430", "Cyrl"), ("1", "Zyyy"), ("\u0301", "Zinh"), ("\u0378", "Zzzz")],
)
def test_script_is_an_iso_15924_code(char, code):
    assert properties.script(char) == code


def test_script_extensions_are_all_scripts_that_use_a_mark():
    assert {"Deva", "Beng"} <= properties.script_extensions("\u0964")


def test_script_extensions_of_an_ordinary_letter_are_its_script():
    assert properties.script_extensions("a") == {"Latn"}


def test_script_extensions_of_an_unassigned_code_point_are_unknown():
    assert properties.script_extensions("\u0378") == {"Zzzz"}


@pytest.mark.slow
def test_every_assigned_character_has_a_script_in_the_table():
    in_table = "".join(rf"\p{{sc={code}}}" for code in properties._supported())
    others = properties.members(rf"[^{in_table}]")
    assert others == properties.members(r"[\p{Cn}\p{Co}\p{Cs}]")


@pytest.mark.slow
def test_regex_knows_the_names_and_the_codes_of_scripts():
    for code in properties._supported():
        name = properties.script_name(code)
        assert properties.members(rf"\p{{sc={name}}}") == properties.members(rf"\p{{sc={code}}}")
