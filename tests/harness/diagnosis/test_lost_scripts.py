"""Scripts that a target loses."""

from tokharness.diagnosis.text.edits import describe_lost_scripts
from tokharness.unicode.properties import characters_by_script


def described(is_lost):
    """What is said of the scripts if the characters of a function are lost."""
    everything = [char for chars in characters_by_script().values() for char in chars]
    lost = [char for char in everything if is_lost(char)]
    return describe_lost_scripts(lost, lambda chars: [is_lost(char) for char in chars])


def members(code):
    return set(characters_by_script()[code])


def test_a_script_is_named_with_the_number_of_its_characters():
    armenian = members("Armn")
    assert described(armenian.__contains__) == f"Armenian ({len(armenian)} characters)"


def test_a_script_is_named_if_a_few_of_its_characters_are_kept():
    armenian = members("Armn") - {"\u0531"}
    assert described(armenian.__contains__) == f"Armenian ({len(armenian)} characters)"


def test_of_many_scripts_those_that_are_kept_are_named():
    kept = members("Latn") | members("Grek")
    assert described(lambda char: char not in kept).startswith("every script but Greek, Latin (")


def test_all_scripts_together_are_no_script():
    assert described(bool) is None


def test_characters_of_every_script_are_no_script():
    assert described(lambda char: ord(char) % 2 == 0) is None


def test_a_few_characters_are_no_script():
    assert describe_lost_scripts(["\u0531"], lambda chars: [True] * len(chars)) is None
