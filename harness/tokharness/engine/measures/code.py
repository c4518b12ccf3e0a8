"""What source code costs: ``[{"language", "characters", "bytes", "tokens", "same"}]``.

``tokens`` is null where the target raised; ``same`` says whether the page comes back.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.costs import text_cost

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.targets.subject import Subject

__all__ = ["measure", "snippets"]


def snippets() -> Mapping[str, str]:
    """Source code by the name of its language."""
    source = files("tokharness.engine.measures").joinpath("code.json")
    found: Mapping[str, str] = json.loads(source.read_text(encoding="ascii"))
    return found


def measure(subject: Subject) -> list[dict[str, Any]]:
    """Count the tokens of a page of each language."""
    return [{"language": name, **text_cost(text, subject)} for name, text in snippets().items()]
