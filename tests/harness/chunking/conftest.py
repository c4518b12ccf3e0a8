"""Run the checks of chunkers on a chunker of the tests."""

import re
from pathlib import Path

import pytest

from tokharness import plugins
from tokharness.chunking.chunker import Chunker
from tokharness.chunking.examination import examine
from tokharness.chunking.splitting import Splitting
from tokharness.chunking.texts import OWN, Trial

FILES = {
    name: path
    for path in Path(__file__).with_name("chunkers").glob("*.py")
    for name in re.findall(r"^class (\w+)", path.read_text("utf-8"), re.MULTILINE)
}
"""By chunker, the file that has it."""

SETTINGS = ((2, 0), (5, 0), (16, 0), (5, 2), (16, 4))
GROWTH = "TOK611"


@pytest.fixture(scope="session")
def spec_of():
    """Return the spec of a chunker of the tests."""
    return lambda name: f"chunker:{FILES[name]}:{name}"


@pytest.fixture(scope="session")
def findings(spec_of):
    """Return the findings of a chunker on our own texts: verdict, code, cause and text."""

    def run(name, *codes, texts=OWN, seconds=None, settings=SETTINGS):
        checks = [
            check
            for check in plugins.chunk_checks().values()
            if (check.code in codes if codes else check.code != GROWTH)
        ]
        with Chunker(spec_of(name), seconds=seconds) as chunker:
            rows = [
                Trial(text, limit, overlap)
                for text in texts
                for limit, overlap in settings
                if chunker.has_overlap or not overlap
            ]
            return examine(Splitting(chunker, rows), checks, [chunker.spec]).findings

    return run
