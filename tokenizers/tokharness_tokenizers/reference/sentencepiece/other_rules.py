"""Other rules in the place of those of a charsmap, as tokenizers that read a model wrongly have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.reference.aligned import edited
from tokharness_tokenizers.reference.normalizers.longest_rules import LongestRules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.aligned import Edit
    from tokharness_tokenizers.reference.sentencepiece.normalizing import Rules

__all__ = ["FormRules", "ShortestRules", "other_rules"]

FORMS = ("NFC", "NFKC")


class ShortestRules(LongestRules):
    """Rules of which the shortest text that has one is replaced."""

    def normalize(self, text: str) -> str:
        """Return the text with all rules applied."""
        return edited(text, self.edits(text))

    def _match(self, text: str, start: int) -> Edit | None:
        """Return the shortest text that has a rule at a place, with its replacement."""
        return None if self.charsmap is None else next(self.charsmap.matches(text, start), None)


@dataclass(frozen=True)
class FormRules:
    """A normal form at the newest Unicode version, and nothing else."""

    form: str
    verbatim: ClassVar[tuple[str, ...]] = ()

    def normalize(self, text: str) -> str:
        """Return the text in the form."""
        return self._form(text)

    def edits(self, text: str) -> list[Edit]:
        """Return one replacement, of the whole text."""
        return [(0, len(text), self._form(text))]

    @cached_property
    def _form(self) -> Callable[[str], str]:
        return lambda text: normalize(self.form, text)


def other_rules(rules: Rules) -> Iterator[tuple[str, Rules]]:
    """Yield other rules, each with what is altered."""
    if isinstance(rules, LongestRules) and rules.charsmap is not None:
        yield "the charsmap is not applied", LongestRules(None, rules.verbatim)
        yield "the shortest rule counts", ShortestRules(rules.charsmap, rules.verbatim)
    yield from ((f"{form} is applied instead of the charsmap", FormRules(form)) for form in FORMS)
