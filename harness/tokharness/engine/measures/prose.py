"""What a page of English costs.

``{"characters", "bytes", "tokens", "same", "words", "kept"}``: ``tokens`` is null where the target
raised, ``same`` says whether the page comes back, ``words`` counts its different words, and
``count_single_token_words`` those that are one token behind a space.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

import regex

from tokharness.engine.worker.costs import count_single_token_words, text_cost

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["measure", "page"]


def page() -> str:
    """Some paragraphs of plain English, in ASCII, a line each."""
    source = files("tokharness.engine.measures").joinpath("prose.txt")
    paragraphs = source.read_text(encoding="ascii").split("\n\n")
    return "\n\n".join(" ".join(one.split()) for one in paragraphs)


def measure(subject: Subject) -> dict[str, Any]:
    """Count the tokens of the page, and its words that are one."""
    words = list(dict.fromkeys(regex.findall(r"[A-Za-z]+", page())))
    return {**text_cost(page(), subject), "words": len(words), "single_token_words": count_single_token_words(words, subject)}
