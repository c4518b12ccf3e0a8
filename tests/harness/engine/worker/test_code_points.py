"""What a sweep finds is told as ranges with categories, scripts and ages."""

from tokharness.engine.worker.code_points import described, in_words


def test_characters_are_ranges_with_their_categories_scripts_and_ages():
    found = described("\uac00\uac01\uac02\u0300")
    assert found["code_points"] == 4
    assert found["ranges"] == "U+0300, U+AC00..U+AC02"
    assert found["categories"] == {"Lo": 3, "Mn": 1}
    assert found["scripts"] == {"Hang": 3, "Zinh": 1}


def test_the_age_of_what_is_not_assigned_is_none():
    assert described("\U000c8000")["ages"] == {"without it": 1}


def test_many_ranges_are_cut_off_with_their_number():
    found = described(chr(0x4E00 + 2 * n) for n in range(100))
    assert found["ranges"].endswith("and 88 more ranges")
    assert in_words(found).startswith("100 code points; U+4E00, ")
