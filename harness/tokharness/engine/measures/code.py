"""Tokens of source code, with what is lost of it.

``[{"language", "characters", "bytes", "tokens", "lossless", "lost"}]``: ``tokens`` is null if the
target raised; ``lossless`` is whether the snippet round-trips, and ``lost`` what it loses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.probes.running_text import snippets
from tokharness.engine.worker.token_columns import text_cost

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["measure"]


def measure(subject: Subject) -> list[dict[str, Any]]:
    """Count the tokens of a snippet of each language."""
    return [{"language": name, **text_cost(text, subject)} for name, text in snippets().items()]
