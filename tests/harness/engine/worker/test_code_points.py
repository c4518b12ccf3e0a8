"""What a sweep finds is told as ranges with categories, scripts and ages."""

from tokharness.engine.worker.code_points import describe_code_points, summarize_code_points


def test_characters_are_ranges_with_their_categories_scripts_and_ages():
    found = describe_code_points("\uac00\uac01\uac02\u0300")
    assert found["code_points"] == 4
    assert found["ranges"] == "U+0300, U+AC00..U+AC02"
    assert found["categories"] == {"Lo": 3, "Mn": 1}
    assert found["scripts"] == {"Hang": 3, "Zinh": 1}


def test_the_age_of_what_is_not_assigned_is_none():
    assert describe_code_points("\U000c8000")["ages"] == {"without it": 1}


def test_many_ranges_are_cut_off_with_their_number():
    found = describe_code_points(chr(0x4E00 + 2 * n) for n in range(100))
    assert found["ranges"].endswith("and 88 more ranges")
    assert summarize_code_points(found).startswith("100 code points; U+4E00, ")
