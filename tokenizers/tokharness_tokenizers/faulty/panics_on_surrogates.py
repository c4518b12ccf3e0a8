"""Panics on lone surrogates, which no handler of Exception catches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import before

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK102", "panics: encode, PanicError")
FAMILIES = ("surrogates",)
AGAINST = "none"


class PanicError(BaseException):
    """What no handler of Exception catches."""


def _checked(text: str) -> None:
    if re.search("[\ud800-\udfff]", text):
        raise PanicError("not a scalar value")


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return before(_checked)
