"""Fixtures for the tests of tokenizers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokharness_tokenizers.reference import ranks_file
from tokharness_tokenizers.vocabularies.locate import EMBEDDED_PATH, PUBLISHED

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.byte_bpe import ByteBPE


@pytest.fixture(scope="session")
def embedded() -> ByteBPE:
    return ranks_file.load(EMBEDDED_PATH)


@pytest.fixture(scope="session", params=["embedded", *PUBLISHED])
def vocabulary_name(request: pytest.FixtureRequest) -> str:
    """Each vocabulary; those of tiktoken only if its cache has them."""
    name: str = request.param
    if name in PUBLISHED and not PUBLISHED[name].cache_path.exists():
        pytest.skip(f"{name} is not in tiktoken's cache: set TIKTOKEN_CACHE_DIR")
    return name
