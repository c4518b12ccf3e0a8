"""The pre-tokenizer Metaspace: spaces become U+2581, which begins words, as in SentencePiece."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.aligned import Aligned

__all__ = ["PREPEND_SCHEMES", "Metaspace", "PrependScheme"]

PrependScheme: TypeAlias = Literal["first", "always", "never"]
PREPEND_SCHEMES: Final[tuple[PrependScheme, ...]] = ("first", "always", "never")


@dataclass(frozen=True, slots=True)
class Metaspace:
    """Replace spaces by a character, and split the text before each of these if ``split``.

    A text that does not begin with the replacement gets it: ``always``; ``never``; or ``first``,
    if the text is at the start of the whole one. Older files have ``add_prefix_space`` instead,
    where true is ``always``. (False is ``never``, but ``tokenizers`` 0.23.3 refuses a file with
    false that does not have the scheme ``never``, too.)
    """

    replacement: str = "\u2581"
    prepend_scheme: PrependScheme = "always"
    split_at_replacement: bool = True

    def pieces(self, text: str, *, at_start: bool) -> list[str]:
        """Return the pre-tokens of a text."""
        if not text:
            return []
        mark = self.replacement
        text = text.replace(" ", mark)
        if self._prepends(text, at_start):
            text = mark + text
        if not self.split_at_replacement:
            return [text]
        first, *rest = text.split(mark)
        words = [mark + word for word in rest]
        return [first, *words] if first else words

    def split(self, text: Aligned, *, at_start: bool) -> list[Aligned]:
        """Return the pre-tokens of an aligned text.

        The replacement that was put first has the empty span at its place. (``tokenizers`` gives it
        the span of the first character.)
        """
        if not text.text:
            return []
        mark = self.replacement
        spaces = (at for at, char in enumerate(text.text) if char == " " != mark)
        text = text.edit([(at, at + 1, mark) for at in spaces])
        if self._prepends(text.text, at_start):
            text = text.edit([(0, 0, mark)])
        if not self.split_at_replacement:
            return [text]
        starts = [at for at, char in enumerate(text.text) if at == 0 or char == mark]
        ends = [*starts[1:], len(text.text)]
        return [text[start:end] for start, end in zip(starts, ends, strict=True)]

    def _prepends(self, text: str, at_start: bool) -> bool:
        scheme = self.prepend_scheme
        if scheme == "never" or (scheme == "first" and not at_start):
            return False
        return not text.startswith(self.replacement)
