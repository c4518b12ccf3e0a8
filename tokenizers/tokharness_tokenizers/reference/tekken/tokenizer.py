"""The tokenizer of a Tekken vocabulary, and what readers of the format may do wrong."""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal

from tokharness_tokenizers.reference.byte_bpe import ByteBPE, Special
from tokharness_tokenizers.reference.patterns import CL100K, O200K, R50K

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

__all__ = ["Tekken"]

MODEL, PRE_TOKENIZER = "model", "pre-tokenizer"
OTHER_PATTERNS: Final = {"r50k": R50K, "cl100k": CL100K, "o200k": O200K}
LOOK_AHEAD: Final = r"|\s+(?!\S)"


@dataclasses.dataclass(frozen=True, eq=False)
class Tekken(ByteBPE):
    """A byte-level BPE tokenizer whose special tokens come first and are never read from text.

    Attributes:
        cut_off: The ids that tokens of the file would have if its default size did not leave them
            out, by their bytes.
        listed: The number of special tokens whose texts the file has.

    """

    cut_off: Mapping[bytes, int] = dataclasses.field(default_factory=dict, repr=False)
    listed: int = 0

    def encode(
        self,
        text: str,
        *,
        allowed_special: Special = frozenset(),
        disallowed_special: Literal["all"] | Collection[str] = (),
    ) -> list[int]:
        """Encode text; the text of a special token is plain text unless it is allowed."""
        return super().encode(
            text, allowed_special=allowed_special, disallowed_special=disallowed_special
        )

    def token_text(self, number: int) -> str:
        """Return the text of a token, with U+FFFD for parts of characters.

        Raises KeyError for an unknown id.
        """
        return self.decode([number])

    def encode_altered(self, text: str) -> list[tuple[str, str, list[int]]]:
        """Encode a plain text with each alteration; each row has the stage, what, and the ids."""
        rows = []
        for stage, what, encode in self._altered:
            try:
                rows.append((stage, what, encode(text)))
            except KeyError:  # a byte has no token, and a token over it has gone
                continue
        return rows

    @cached_property
    def _altered(self) -> list[tuple[str, str, Callable[[str], list[int]]]]:
        whole = dataclasses.replace(self, ranks={**self.ranks, **self.cut_off})
        return [
            (MODEL, "default_vocab_size is ignored", whole.encode_ordinary),
            *((MODEL, what, self._minus(number)) for what, number in self._shifts.items()),
            *(
                (PRE_TOKENIZER, what, self._with_pattern(pattern).encode_ordinary)
                for what, pattern in self._patterns.items()
            ),
        ]

    @property
    def _shifts(self) -> dict[str, int]:
        """What an id may lack if special tokens are counted in another way."""
        number = len(self.special_tokens)
        unlisted = {"special tokens without a text are not counted": number - self.listed}
        return {
            "special tokens do not come first": number,
            **(unlisted if self.listed < number else {}),
            "ids are one less": 1,
            "ids are one more": -1,
        }

    @property
    def _patterns(self) -> dict[str, str]:
        return {
            "pattern without look-ahead": self.pattern.replace(LOOK_AHEAD, ""),
            **{f"pattern of {name}": pattern for name, pattern in OTHER_PATTERNS.items()},
        }

    def _minus(self, number: int) -> Callable[[str], list[int]]:
        return lambda text: [token - number for token in self.encode_ordinary(text)]

    def _with_pattern(self, pattern: str) -> Tekken:
        other = dataclasses.replace(self, pattern=pattern)
        vars(other).update(_ids_of=self._ids_of, _bytes_of=self._bytes_of)
        return other
