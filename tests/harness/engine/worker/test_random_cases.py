"""Random cases depend on the seed only."""

import os
import subprocess
import sys

import pytest
from hypothesis import strategies as st

from tokharness import plugins
from tokharness.engine.worker.units import draw
from tokharness.model import TargetFacts

DRAW = """
from hypothesis import strategies as st
from tokharness.engine.worker.units import draw
print(ascii(draw(st.text(), 50, 7)))
"""


@pytest.mark.slow
@pytest.mark.parametrize("family", plugins.families())
def test_the_same_seed_gives_the_same_texts_of_every_family(family):
    facts = TargetFacts(("<s>",), regressions=(("a", "why"), ("b", "why")))
    strategy = plugins.families()[family].strategy(facts)
    texts = draw(strategy, 40, 3)
    assert texts == draw(strategy, 40, 3)
    assert len(set(texts)) == len(texts)


@pytest.mark.slow
def test_nothing_is_left_in_a_folder_that_others_may_write(tmp_path):
    folders = {name: tmp_path / name for name in ("work", "TMPDIR", "XDG_CACHE_HOME")}
    for folder in folders.values():
        folder.mkdir()
    environment = os.environ | {name: str(folder) for name, folder in folders.items()}
    environment.pop("HYPOTHESIS_STORAGE_DIRECTORY", None)
    subprocess.run([sys.executable, "-c", DRAW], check=True, cwd=folders["work"], env=environment)
    assert list(folders["work"].iterdir()) == []
    assert list(folders["TMPDIR"].iterdir()) == []


def test_another_seed_gives_other_texts():
    assert draw(st.text(), 50, 0) != draw(st.text(), 50, 1)


@pytest.mark.parametrize("count", [0, 1, 19, 20, 21, 100])
def test_the_number_of_texts_is_limited(count):
    assert len(draw(st.integers().map(str), count, 0)) <= count


def test_most_of_the_requested_texts_are_drawn():
    assert len(draw(st.text(min_size=5), 200, 0)) > 150


def test_no_text_is_drawn_twice():
    assert sorted(draw(st.sampled_from("ab"), 100, 0)) == ["a", "b"]


@pytest.mark.slow
def test_processes_draw_the_same_and_write_nothing(tmp_path):
    runs = [
        subprocess.run([sys.executable, "-c", DRAW], cwd=tmp_path, capture_output=True, check=True)
        for _ in range(2)
    ]
    assert runs[0].stdout == runs[1].stdout
    assert list(tmp_path.iterdir()) == []
