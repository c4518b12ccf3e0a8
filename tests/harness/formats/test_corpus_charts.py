"""The charts of a scanned corpus."""

import pytest

from tokharness.formats._html.charts import costs

WIDEST = 11.9
"""Width of the letter W at the size of a label."""

ROW = {"bytes": 10, "tokens": 5, "documents": 1}


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("english.txt", "english.txt"),
        ("W" * 60 + ".txt", "WWWW...WWWWWW.txt"),
        ("a\u200bb", "a\\u{200b}b"),
    ],
)
def test_a_label_has_room_left_of_the_bars(name, label):
    chart = costs([{**ROW, "name": name}])
    short, _ = chart.labels
    assert short.text == label
    assert short.x - WIDEST * label.count("W") - 6 * (len(label) - label.count("W")) > 0
