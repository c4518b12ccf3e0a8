"""Short names of targets: their specs without folders, where these still differ."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["short_names"]


def short_names(specs: Iterable[str]) -> Mapping[str, str]:
    """Return a short name of each spec, ``hf:llama2.json`` for ``hf:folder/llama2.json``.

    Specs that would have the same short name keep the whole spec.
    """
    names = {spec: _without_folders(spec) for spec in specs}
    counts = Counter(names.values())
    return {spec: name if counts[name] == 1 else spec for spec, name in names.items()}


def _without_folders(spec: str) -> str:
    scheme, colon, rest = spec.partition(":")
    return f"{scheme}{colon}{rest.rpartition('/')[2]}" if rest.rpartition("/")[2] else spec
