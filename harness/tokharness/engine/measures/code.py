"""Tokens of source code: ``[{"language", "characters", "bytes", "tokens", "lossless"}]``.

``tokens`` is null if the target raised; ``lossless`` is whether the snippet round-trips.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.token_costs import text_cost

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.targets.subject import Subject

__all__ = ["measure", "snippets"]


def snippets() -> Mapping[str, str]:
    """Return a snippet of source code for each language."""
    source = files("tokharness.engine.measures").joinpath("code.json")
    by_language: Mapping[str, str] = json.loads(source.read_text(encoding="ascii"))
    return by_language


def measure(subject: Subject) -> list[dict[str, Any]]:
    """Count the tokens of a snippet of each language."""
    return [{"language": name, **text_cost(text, subject)} for name, text in snippets().items()]
