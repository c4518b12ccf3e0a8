"""A policy file for the tests."""

import pytest

from tokharness.policy.reading import read


@pytest.fixture
def policy(tmp_path):
    """Policy of a tokharness.toml with this text."""

    def read_policy(text):
        path = tmp_path / "tokharness.toml"
        path.write_text(text, encoding="utf-8")
        return read(path)

    return read_policy
