"""The table of blocks is that of the current Unicode version, and names its source."""

import json
import sys
from importlib.metadata import version
from importlib.resources import files
from itertools import pairwise

import pytest

from tokharness.unicode import generate_blocks
from tokharness.unicode.properties import blocks, members

TABLE = files("tokharness.unicode").joinpath("blocks.json")


def test_blocks_are_in_order_and_do_not_overlap():
    table = blocks()
    assert len(table) > 300
    assert table[0].first == 0
    assert table[-1].last == sys.maxunicode
    assert all(block.last < following.first for block, following in pairwise(table))


@pytest.mark.slow
def test_regex_has_the_same_blocks():
    for block in blocks():
        points = members(rf"\p{{Block={block.name}}}")
        expected = (block.first, block.last, len(points))
        assert (points[0], points[-1], len(points)) == expected, block
    named = sum(block.last + 1 - block.first for block in blocks())
    assert len(members(r"\p{Block=No_Block}")) == sys.maxunicode + 1 - named


def test_the_table_is_what_its_command_makes(tmp_path):
    source = json.loads(TABLE.read_text("ascii"))["source"]
    if not source.endswith(f"fontTools {version('fonttools')}"):
        pytest.skip(f"fontTools {version('fonttools')} is not the release of the table")
    path = tmp_path / "blocks.json"
    generate_blocks.main([str(path)])
    assert path.read_text("ascii") == TABLE.read_text("ascii")


def test_the_command_without_arguments_prints_its_usage():
    with pytest.raises(SystemExit, match="generate_blocks OUTPUT"):
        generate_blocks.main([])
