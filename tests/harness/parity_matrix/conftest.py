"""Files of small tokenizers, and what a parity says of them."""

import json

import pytest

from tokharness.config import Options
from tokharness.parity_matrix.running import parity

FAMILIES = ("digits",)


@pytest.fixture
def written(tmp_path):
    """Write a tokenizer.json; return the spec of our reference with it, or of another scheme."""

    def write(name, record, scheme="reference"):
        (tmp_path / f"{name}.json").write_text(json.dumps(record))
        return f"{scheme}:{tmp_path / f'{name}.json'}"

    return write


@pytest.fixture(scope="session")
def compared():
    """Compare specs on few families in this process."""

    def compare(*specs, families=FAMILIES, **options):
        given = Options(profile="quick", examples=0, families=families, **options)
        return parity(specs, given, jobs=0)

    return compare
