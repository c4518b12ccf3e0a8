"""The table of blocks is that of the Unicode version in use, and says what it was made from."""

import json
import sys
from importlib.metadata import version
from importlib.resources import files
from itertools import pairwise

import pytest

from tokharness.unicode import generate_blocks
from tokharness.unicode.blocks import blocks
from tokharness.unicode.properties import members

TABLE = files("tokharness.unicode").joinpath("blocks.json")


def test_blocks_are_in_order_and_do_not_overlap():
    found = blocks()
    assert len(found) > 300
    assert found[0].first == 0
    assert found[-1].last == sys.maxunicode
    assert all(one.last < other.first for one, other in pairwise(found))


@pytest.mark.slow
def test_regex_has_the_same_blocks():
    for one in blocks():
        points = members(rf"\p{{Block={one.name}}}")
        assert (points[0], points[-1], len(points)) == (one.first, one.last, len(points)), one
    named = sum(one.last + 1 - one.first for one in blocks())
    assert len(members(r"\p{Block=No_Block}")) == sys.maxunicode + 1 - named


def test_the_table_is_what_its_command_makes(tmp_path):
    source = json.loads(TABLE.read_text("ascii"))["source"]
    if not source.endswith(f"fontTools {version('fonttools')}"):
        pytest.skip(f"fontTools {version('fonttools')} is another release than that of the table")
    path = tmp_path / "blocks.json"
    generate_blocks.main([str(path)])
    assert path.read_text("ascii") == TABLE.read_text("ascii")


def test_the_command_says_how_it_is_used():
    with pytest.raises(SystemExit, match="generate_blocks OUTPUT"):
        generate_blocks.main([])
