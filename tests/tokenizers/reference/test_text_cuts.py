"""Ways to cut a text before any stage."""

import pytest

from tokharness_tokenizers.reference.text_cuts import cut_texts


def test_a_text_is_cut_next_to_each_class():
    found = dict(cut_texts("a\n\n1"))
    assert found["each text is cut behind line ends"] == ["a\n", "\n", "1"]
    assert found["each text is cut before ASCII digits"] == ["a\n\n", "1"]
    assert "each text is cut behind ASCII digits" not in found


LINES = {
    "each text is cut behind U+000A": ["a\r\n", "b\rc\x85d"],
    "each text is cut behind U+000A, U+000D, or both": ["a\r\n", "b\r", "c\x85d"],
    "each text is cut as Python's splitlines does": ["a\r\n", "b\r", "c\x85", "d"],
    "each text is cut behind line ends": ["a\r", "\n", "b\r", "c\x85d"],
}


@pytest.mark.parametrize(("what", "parts"), LINES.items())
def test_a_text_is_cut_into_lines(what, parts):
    assert dict(cut_texts("a\r\nb\rc\x85d"))[what] == parts
    assert what not in dict(cut_texts("ab"))


def test_a_long_text_with_many_characters_is_cut_as_asked():
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 300))) + "a" * 20 + "1"
    assert list(cut_texts(text)) == []
    names = {"each text is cut before ASCII digits", "each text is cut after 20 bytes"}
    every = "each text is cut at each place behind 16 of lowercase letters in a row"
    found = dict(cut_texts(text, {*names, every}))
    assert found.keys() == {*names, every}
    assert found["each text is cut before ASCII digits"] == [text[:-1], "1"]


def test_a_text_is_cut_after_a_number_of_bytes_and_between_characters():
    found = dict(cut_texts("\u4e2d" * 7))
    assert found["each text is cut after 16 bytes"] == ["\u4e2d" * 5, "\u4e2d" * 2]
    assert "each text is cut after 16 characters" not in found


def test_a_text_is_cut_in_long_runs():
    found = dict(cut_texts("ab" + " " * 40 + "c"))
    name = "each 32 of U+0020 SPACE in a row"
    assert found[f"each text is cut behind {name}"] == ["ab" + " " * 32, " " * 8 + "c"]
    assert found[f"each text is cut around {name}"] == ["ab", " " * 32, " " * 8 + "c"]
    assert not any("letters in a row" in what for what in found)


def test_a_long_run_is_cut_at_each_place_behind_its_start():
    found = dict(cut_texts("a" * 10 + "1_" + "a" * 6 + " bb"))
    parts = ["a" * 10 + "1_" + "a" * 4, "a", "a bb"]
    assert found["each text is cut at each place behind 16 of word characters in a row"] == parts
    assert not any("of letters in a row" in what for what in found)
