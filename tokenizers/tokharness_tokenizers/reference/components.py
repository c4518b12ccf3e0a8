"""What a component of a tokenizer does: the protocols of normalizers, pre-tokenizers and others.

A tokenizer is a sequence of stages: added tokens are cut out, the rest is normalized and cut into
pre-tokens, and the model turns each pre-token into tokens; a post-processor puts ids around them,
and a decoder turns ids into text. Normalizers and pre-tokenizers work on plain text if only ids are
needed, and on :class:`~.aligned.Aligned` text if offsets are needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness_tokenizers.reference.aligned import Aligned


class Normalizer(Protocol):
    """Changes a text."""

    def normalize(self, text: str) -> str:
        """Return the normalized text."""
        ...

    def apply(self, text: Aligned) -> Aligned:
        """Normalize an aligned text; its text is the result of :meth:`normalize`."""
        ...


class PreTokenizer(Protocol):
    """Cuts a text into pre-tokens, and may change them."""

    def pieces(self, text: str, *, at_start: bool) -> list[str]:
        """Return the pre-tokens of a text.

        ``at_start`` says that the text begins at the start of the whole text.
        """
        ...

    def split(self, text: Aligned, *, at_start: bool) -> list[Aligned]:
        """Return the pre-tokens of an aligned text, with the texts that :meth:`pieces` gives."""
        ...


class Model(Protocol):
    """Turns a pre-token into tokens."""

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """The id of each token, by its text."""
        ...

    @property
    def unknown_id(self) -> int | None:
        """The id of the unknown token; None if the model has none."""
        ...

    def tokens(self, word: str) -> list[tuple[int, int]]:
        """Return the id and the number of characters of each token of a word."""
        ...


class Decoder(Protocol):
    """Turns the texts of tokens into text."""

    def decode(self, tokens: list[str]) -> list[str]:
        """Return texts that join to the decoded text."""
        ...
