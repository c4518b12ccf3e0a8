"""What other readers of a model do with extra spaces, where the model removes them.

A port strips the text and forgets the spaces inside it, removes them on one side, replaces two
spaces by one where there are three, or removes them before the charsmap makes further spaces.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.sentencepiece.normalizing import SPACES, Normalizing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


def _collapsed(strip: Callable[[str], str], text: str) -> str:
    return strip(SPACES.sub(" ", text))


SPACES_BEFORE: Final = "extra spaces are removed before the charsmap is applied, not after it"

CHANGES: Final[Mapping[str, Callable[[str], str]]] = {
    "extra spaces inside a text stay": lambda text: text.strip(" "),
    "extra spaces at the start become one": partial(_collapsed, lambda text: text.rstrip(" ")),
    "extra spaces at the end become one": partial(_collapsed, lambda text: text.lstrip(" ")),
    "extra spaces at both ends become one": partial(_collapsed, str),
    "two spaces become one, once": lambda text: text.strip(" ").replace("  ", " "),
}
"""Returns a text without some of its extra spaces, by what is done."""


@dataclass(frozen=True)
class OtherSpaces(Normalizing):
    """A normalizer that removes extra spaces in another way, before or after the rules."""

    change: Callable[[str], str] = field(default=str, kw_only=True, repr=False)
    is_first: bool = field(default=False, kw_only=True)

    def normalize(self, text: str) -> str:
        """Return the normalized text."""
        rules, change = self.rules.normalize, self.change
        replaced = rules(change(text)) if self.is_first else change(rules(text))
        marked = replaced.replace(" ", self.mark)
        return self.mark * self.spec.add_dummy_prefix + marked if marked else ""


def other_spaces(normalizing: Normalizing) -> Iterator[tuple[str, Normalizing]]:
    """Yield normalizers that remove extra spaces in other ways, with what each does."""
    spec, rules = normalizing.spec, normalizing.rules
    if not spec.remove_extra_whitespaces or normalizing.space_is_suffix:
        return
    for what, change in CHANGES.items():
        yield what, OtherSpaces(spec, rules, change=change)
    first = partial(_collapsed, lambda text: text.strip(" "))
    yield SPACES_BEFORE, OtherSpaces(spec, rules, change=first, is_first=True)
