"""Fixtures for the comparisons with Hugging Face's library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


def ids_of_plain_text(tokenizer: Any, text: str) -> list[int] | None:
    try:
        return tokenizer.encode(text, add_special_tokens=False).ids
    except BaseException as error:  # a panic of Rust is no Exception
        if "bad split" not in str(error):
            raise
        return None


@pytest.fixture(scope="session")
def library_ids() -> Callable[..., list[int] | None]:
    """Return the ids; None if a token takes white space that the one before it has taken."""
    return ids_of_plain_text
