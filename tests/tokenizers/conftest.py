"""Fixtures for the tests of tokenizers."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

import pytest

from tokharness_tokenizers.reference import ranks_file
from tokharness_tokenizers.vocabularies.locate import EMBEDDED_PATH, PUBLISHED

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.byte_bpe import ByteBPE


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for mark in item.iter_markers("needs"):
            if not _is_installed(*mark.args):
                item.add_marker(pytest.mark.skip(f"{' '.join(mark.args)} is not installed"))


def _is_installed(name: str, release: str = "") -> bool:
    try:
        return f"{version(name)}.".startswith(f"{release}." if release else "")
    except PackageNotFoundError:
        return False


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
