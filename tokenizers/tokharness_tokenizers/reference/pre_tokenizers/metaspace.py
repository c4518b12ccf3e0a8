"""Pre-tokenizers that write a text in other characters: Metaspace and ByteLevel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from tokharness.unicode.versions import REGEX_VERSION
from tokharness_tokenizers.reference.byte_characters import characters_of
from tokharness_tokenizers.reference.patterns import R50K
from tokharness_tokenizers.reference.splitting import splitter

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.aligned import Aligned

# The pre-tokenizer ByteLevel: split by GPT-2's pattern, and write bytes as characters.
#
# The categories of the pattern come from Unicode 14.0 in ``tokenizers`` 0.20.3, from 16.0 in
# 0.23.3, and of 17.0 in 1.0.0rc3.


@dataclass(frozen=True, slots=True)
class ByteLevel:
    """Split a text, if ``use_regex``, and write the UTF-8 bytes of each piece as characters.

    ``add_prefix_space`` puts a space before each text that does not begin with a space: also before
    the pieces of an earlier pre-tokenizer and the text after an added token, although the library's
    documentation only speaks of the first word.
    """

    add_prefix_space: bool = True
    use_regex: bool = True
    version: str | None = None
    pattern: str = R50K  # no file declares it: an engine may have another one

    def pieces(self, text: str, *, at_start: bool) -> list[str]:  # noqa: ARG002
        """Return the pre-tokens of a text."""
        words = self.words(text)
        written = {word: characters_of(word) for word in set(words)}
        return list(map(written.__getitem__, words))

    def words(self, text: str) -> list[str]:
        """Return the pieces of a text before their bytes are written as characters.

        A caller with a cache of words calls :meth:`write` only for new words.
        """
        if self.add_prefix_space and text and text[0] != " ":
            text = f" {text}"
        if self.use_regex:
            return splitter(self.pattern, self.version or REGEX_VERSION)(text)
        return [text] if text else []

    def write(self, word: str) -> str:
        """Return the characters for the bytes of a word."""
        return characters_of(word)

    def split(self, text: Aligned, *, at_start: bool) -> list[Aligned]:  # noqa: ARG002
        """Return the pre-tokens of an aligned text.

        The characters for the bytes of a character have its span. The prefix space has the empty
        span at its place. (``tokenizers`` gives it the span of the first character.)
        """
        if self.add_prefix_space and text.text and text.text[0] != " ":
            text = text.edit([(0, 0, " ")])
        words = []
        at = 0
        # No prefix is needed any more, and the pattern omits no text.
        for word in self.words(text.text):
            words.append(_written(text[at : at + len(word)]))
            at += len(word)
        return words


def _written(text: Aligned) -> Aligned:
    changes = ((at, at + 1, characters_of(char)) for at, char in enumerate(text.text))
    return text.edit([edit for edit in changes if edit[2] != text.text[edit[0]]])


PrependScheme: TypeAlias = Literal["first", "always", "never"]
PREPEND_SCHEMES: Final[tuple[PrependScheme, ...]] = ("first", "always", "never")


@dataclass(frozen=True, slots=True)
class Metaspace:
    """Replace spaces by a character, and split the text before each of these if ``split``.

    A text that does not begin with the replacement gets it: ``always``; ``never``; or ``first``,
    if it is at the start of the whole text. Older files have ``add_prefix_space`` instead, where
    true means ``always``. (False means ``never``, but ``tokenizers`` 0.23.3 refuses a file with
    false that does not also have the scheme ``never``.)
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

        The prepended replacement has the empty span at its place. (``tokenizers`` gives it the span
        of the first character.)
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
