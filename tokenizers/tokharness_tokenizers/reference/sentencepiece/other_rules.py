"""Rules that other readers of a model apply in place of the rules of its charsmap."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, starmap
from typing import TYPE_CHECKING, ClassVar, Final

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.reference.aligned import edited
from tokharness_tokenizers.reference.normalizers.charsmap import LongestRules
from tokharness_tokenizers.reference.normalizers.precompiled import Precompiled
from tokharness_tokenizers.reference.normalizers.replacing import Strip
from tokharness_tokenizers.reference.sentencepiece.normalizing import SPACES, Normalizing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokharness_tokenizers.reference.aligned import Edit
    from tokharness_tokenizers.reference.sentencepiece.normalizing import Rules

STRIPPED = "white space at {} is stripped, not spaces alone"
STEPS: Final[Mapping[str, Callable[[str], str]]] = {
    STRIPPED.format("both ends"): Strip(strip_left=True, strip_right=True).normalize,
    STRIPPED.format("the end"): Strip(strip_left=False, strip_right=True).normalize,
}
START: Final = Strip(strip_left=True, strip_right=False)
LOWERCASE = "letters are lowercased after it"
"""What conversions put behind the rules: components Strip and Lowercase of ``tokenizers``."""

UNPREFIXED = "no space is added before a space"
"""What the component Metaspace does."""

FIRST = "no space is added where white space at the start is stripped"
"""What the component Metaspace with the scheme ``first`` does, besides."""

NO_CHARSMAP = "the charsmap is not applied"

CLUSTERS = "the charsmap is applied to grapheme clusters"
"""What the component Precompiled of ``tokenizers`` does."""


class ShortestRules(LongestRules):
    """Rules that replace the shortest text with a rule."""

    def normalize(self, text: str) -> str:
        """Return the text with all rules applied."""
        return edited(text, self.edits(text))

    def _match(self, text: str, start: int) -> Edit | None:
        """Return the shortest text that has a rule at a place, with its replacement."""
        return None if self.charsmap is None else next(self.charsmap.matches(text, start), None)


@dataclass(frozen=True)
class Function:
    """A change of the whole text, and nothing else."""

    change: Callable[[str], str] = field(repr=False)
    verbatim: ClassVar[tuple[str, ...]] = ()

    def normalize(self, text: str) -> str:
        """Return the changed text."""
        return self.change(text)

    def edits(self, text: str) -> list[Edit]:
        """Return one replacement, of the whole text."""
        return [(0, len(text), self.change(text))]


class Metaspace(Normalizing):
    """A normalizer that leaves the marks of spaces to a component, as ``tokenizers`` does.

    A text that begins with a space or with U+2581 gets no further one, and U+2581 stays at the end.
    """

    def normalize(self, text: str) -> str:
        """Return the normalized text."""
        replaced = self.rules.normalize(text)
        if self.spec.remove_extra_whitespaces:
            replaced = SPACES.sub(" ", replaced.strip(" "))
        marked = replaced.replace(" ", self.mark)
        return self.mark + marked if marked and self._is_prefixed(text, marked) else marked

    def _is_prefixed(self, text: str, marked: str) -> bool:  # noqa: ARG002 - for subclasses
        return not marked.startswith(self.mark)


@dataclass(frozen=True)
class FirstMetaspace(Metaspace):
    """One that adds a space only where no white space is stripped before the first word.

    ``unstripped`` are its rules without the step that strips.
    """

    unstripped: Rules = field(default=LongestRules(None), repr=False)

    def _is_prefixed(self, text: str, marked: str) -> bool:
        rules = self.unstripped.normalize(text)
        return START.normalize(rules) == rules and super()._is_prefixed(text, marked)


def other_normalizers(normalizing: Normalizing) -> Iterator[tuple[str, Normalizing]]:
    """Yield normalizers with other rules, each with the description of the alteration.

    What a conversion does after the rules is joined with what it has in their place.
    """
    spec, rules = normalizing.spec, normalizing.rules
    others: list[tuple[str, Rules]] = []
    replacing: list[tuple[str, Rules]] = [("", rules)]
    instead = ""
    if isinstance(rules, LongestRules) and rules.charsmap is not None:
        bare = LongestRules(None, rules.verbatim)
        others += [*_stripped(NO_CHARSMAP, bare)]
        others.append(("the shortest rule counts", ShortestRules(rules.charsmap, rules.verbatim)))
        clusters = Precompiled(b64encode(spec.precompiled_charsmap).decode())
        replacing.append((CLUSTERS, Function(clusters.normalize)))
        instead = " instead of the charsmap"
    forms = ("NFC", "NFD", "NFKD")
    others += (
        (f"{form} is applied{instead}", Function(partial(normalize, form))) for form in forms
    )
    replacing.append((f"NFKC is applied{instead}", Function(partial(normalize, "NFKC"))))
    converted = [*chain.from_iterable(starmap(_followed, replacing))]
    for what, other in (*others, *converted[1:]):
        yield what, replace(normalizing, rules=other)
    if spec.add_dummy_prefix and spec.escape_whitespaces and not normalizing.space_is_suffix:
        for what, other in (*converted, *others):
            yield _named(what, UNPREFIXED), Metaspace(spec, other)
        for what, other in replacing:
            (_, _), (stripped, both_ends), *_ = _stripped(what, other)
            yield _named(stripped, FIRST), FirstMetaspace(spec, both_ends, unstripped=other)


def _followed(what: str, rules: Rules) -> Iterator[tuple[str, Rules]]:
    """Yield rules with each choice of the steps after them; the first is without a step."""
    found = [*_stripped(what, rules)]
    yield from found
    for before, other in found:
        lowered = Function(partial(_in_turn, (other.normalize, str.lower)))
        yield _named(before, LOWERCASE), lowered


def _stripped(what: str, rules: Rules) -> Iterator[tuple[str, Rules]]:
    """Yield rules as they are, and with each way to strip white space after them."""
    yield what, rules
    for step, strip in STEPS.items():
        yield _named(what, step), Function(partial(_in_turn, (rules.normalize, strip)))


def _named(*whats: str) -> str:
    return ", and ".join(filter(None, whats))


def _in_turn(changes: Sequence[Callable[[str], str]], text: str) -> str:
    for change in changes:
        text = change(text)
    return text
