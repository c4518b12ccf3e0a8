"""Code points are described by ranges, categories, scripts and ages."""

from tokharness.engine.worker.findings import describe_code_points, summarize_code_points


def test_characters_are_counted_by_category_and_script():
    points = describe_code_points("\uac00\uac01\uac02\u0300")
    assert points["code_points"] == 4
    assert points["ranges"] == "U+0300, U+AC00..U+AC02"
    assert points["categories"] == {"Lo": 3, "Mn": 1}
    assert points["scripts"] == {"Hang": 3, "Zinh": 1}


def test_an_unassigned_code_point_has_no_age():
    assert describe_code_points("\U000c8000")["ages"] == {"without it": 1}


def test_many_ranges_are_truncated():
    points = describe_code_points(chr(0x4E00 + 2 * n) for n in range(100))
    assert points["ranges"].endswith("and 88 more ranges")
    assert summarize_code_points(points).startswith("100 code points; U+4E00, ")
