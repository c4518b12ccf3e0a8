"""What a component of a tokenizer does: the protocols of normalizers, pre-tokenizers and others.

A tokenizer is a sequence of stages: added tokens are cut out, the rest is normalized and cut into
pre-tokens, and the model turns each pre-token into tokens; a post-processor puts ids around them,
and a decoder turns ids into text. Normalizers and pre-tokenizers work on plain text if only ids are
needed, and on :class:`~.aligned.Aligned` text if offsets are needed.

A sequence of components bounds the length of a text. A component that doubles a text is harmless;
forty of them take all memory for a single letter. A sequence with several components that may make
a text longer measures it after each component.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from tokharness_tokenizers.reference.splitting import LargeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

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


MOST_TIMES: Final = 64
"""Most characters for each character; U+FDFA becomes 18 characters of NFKC, and these 33 bytes."""
MOST_MORE: Final = 1 << 14
"""Most further characters, as components put some before each text or each word."""
MOST_COMPONENTS: Final = 1000
"""Most components of a stage, each of which is applied to each text."""
FEW: Final = 2
"""Components that write bytes as characters, or spaces as marks: so few cannot exceed a bound."""

PROBES: Final = tuple(
    text * 64
    for text in ("a", "\u00e9 ", "\u4e2d", "\U0001f600", "\ufdfa", "1", "\u2581", "\t\n", "Ab'.-")
)
"""Texts that go through the components of a file when it is read."""


def probe(where: str, apply: Callable[[str], object], literals: Iterable[str] = ()) -> None:
    """Raise LargeError if the components at a place of a file make a probe too long.

    ``literals`` are texts that the components replace.
    """
    for text in (*PROBES, *(literal * 64 for literal in literals)):
        try:
            apply(text)
        except LargeError as error:
            raise LargeError(f"{where}: {error}") from error


def refuse_growth(before: int, after: int) -> None:
    """Raise LargeError if components made too many characters of a text.

    ``before`` and ``after`` are numbers of characters.
    """
    if after > MOST_TIMES * before + MOST_MORE:
        raise LargeError(
            f"its components make {after:,} characters of a text of {before:,}, and "
            f"{MOST_TIMES * before + MOST_MORE:,} at most are read"
        )
