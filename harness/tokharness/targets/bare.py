"""The tokenizer of a target without the guard around its calls, for the engine alone.

The engine runs whole columns, sets time limits and serves a target to another process. It handles
what the tokenizer raises itself. An import contract keeps checks and diagnoses from this module.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokharness.model import Target

__all__ = ["tokenizer_of", "with_tokenizer"]


def tokenizer_of(target: Target) -> Any:
    """Return the tokenizer of a target; its methods raise what the tokenizer raises."""
    return target._tokenizer  # noqa: SLF001 - the one place


def with_tokenizer(target: Target, tokenizer: Any) -> Target:
    """Return the target with another tokenizer, which has the same methods."""
    return replace(target, _tokenizer=tokenizer)
