"""Texts that failed before: findings of earlier runs, in this project or on this machine.

A campaign (``tokharness fuzz``) shrinks the text of each fault that it finds and writes it to
``cases/regressions/*.jsonl`` of the project, or to the folder that the policy names. Later runs try
these texts first, in every profile and with all checks, including checks that call the target a
second time only for some texts. So a fault that comes back is reported within seconds, not by
chance.

The family has no texts of its own: without such files it is empty. Lines may be added by hand;
``text`` is the only required key.

Source: the findings of the project itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness_cases._family import NO_FACTS, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["REPLAYED", "cases", "strategy"]

REPLAYED = True


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Texts of the project's files, in the order of files and lines."""
    return without_duplicates(Case(text, why) for text, why in facts.regressions)


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """One of the texts, or nothing if there are none."""
    from hypothesis import strategies as st

    texts = [case.text for case in cases(facts)]
    return st.sampled_from(texts) if texts else st.nothing()
