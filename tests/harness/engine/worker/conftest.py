"""A small file, and targets of edited files."""

import pytest

from tokharness.targets.description import describe, write
from tokharness.targets.loading import load_target
from tokharness.targets.subject import Subject


@pytest.fixture(scope="session")
def old():
    """A byte-level BPE of 1,000 tokens."""
    return describe("reference:byte-level-bpe")


@pytest.fixture
def subject_of(tmp_path):
    def load(description):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        return Subject(load_target(write(description, folder)))

    return load
