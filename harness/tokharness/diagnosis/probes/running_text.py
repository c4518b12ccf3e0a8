"""Running text: a page of English prose, and source code in several languages."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = files("tokharness.diagnosis.probes")


@cache
def page() -> str:
    """Return some paragraphs of plain English in ASCII, one line each."""
    paragraphs = FOLDER.joinpath("prose.txt").read_text(encoding="ascii").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


@cache
def snippets() -> Mapping[str, str]:
    """Return a snippet of source code for each language."""
    source = FOLDER.joinpath("code.json").read_text(encoding="ascii")
    by_language: Mapping[str, str] = json.loads(source)
    return by_language
