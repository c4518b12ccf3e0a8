"""What source code costs: ``[{"language", "characters", "bytes", "tokens"}]``; null: it raised."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from tokharness.calling import Raised
from tokharness.checks._each import encoded_each

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.subject import Subject

__all__ = ["measure", "snippets"]


def snippets() -> Mapping[str, str]:
    """Source code by the name of its language."""
    source = files("tokharness.engine.measures").joinpath("code.json")
    found: Mapping[str, str] = json.loads(source.read_text(encoding="ascii"))
    return found


def measure(subject: Subject) -> list[dict[str, Any]]:
    """Count the tokens of a page of each language."""
    texts = snippets()
    rows = encoded_each(list(texts.values()), subject)
    return [
        {
            "language": name,
            "characters": len(text),
            "bytes": len(text.encode()),
            "tokens": None if isinstance(ids, Raised) else len(ids),
        }
        for (name, text), ids in zip(texts.items(), rows, strict=True)
    ]
