r"""Texts that failed once: what an earlier run found, in this project or on this machine.

A campaign (``tokharness fuzz``) shrinks the text of each fault that it finds and writes it to
``cases/regressions/*.jsonl`` of the project, or to the folder that the policy names. Every later
run tries these texts before all others, in every profile, and each of them by all checks, also by
those that ask the target once more about some texts only. So a fault that comes back is told after
seconds, and by chance no more.

The family has no texts of its own: without such files it has none. Lines may be added by hand;
``text`` is all that one needs.

Source: the findings of the project itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness_cases._family import NO_FACTS, distinct

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["REPLAYED", "cases", "strategy"]

REPLAYED = True


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Texts of the project's files, in the order of files and lines."""
    return distinct(Case(text, why) for text, why in facts.regressions)


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """One of the texts; nothing if there are none."""
    from hypothesis import strategies as st

    texts = [case.text for case in cases(facts)]
    return st.sampled_from(texts) if texts else st.nothing()
