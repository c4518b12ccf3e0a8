"""Case files: curated texts as JSON lines, each with its reason and source.

One ASCII object per line: ``id``, ``text``, ``why``, ``source``, and an optional ``twin``.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING

from tokharness.model import Case

if TYPE_CHECKING:
    from collections.abc import Iterator


def curated_cases(name: str) -> Iterator[Case]:
    """Yield the cases of ``data/NAME.jsonl``, in the order of its lines."""
    path = files("tokharness_cases") / "data" / f"{name}.jsonl"
    for line in path.read_text(encoding="ascii").splitlines():
        record = json.loads(line)
        yield Case(record["text"], record["why"], record.get("twin"))
