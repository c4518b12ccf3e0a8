"""Case files: curated texts as JSON lines beside the families, each with its reason and source.

One object a line, ASCII: ``id``, ``text``, ``why``, ``source``, and ``twin`` where there is one.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING

from tokharness.model import Case

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["curated"]


def curated(name: str) -> Iterator[Case]:
    """Cases of ``data/NAME.jsonl``, in the order of its lines."""
    path = files("tokharness_cases") / "data" / f"{name}.jsonl"
    for line in path.read_text(encoding="ascii").splitlines():
        record = json.loads(line)
        yield Case(record["text"], record["why"], record.get("twin"))
