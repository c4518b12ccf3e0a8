"""The tokenizer of a Tekken vocabulary, and possible mistakes of readers of the format."""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from tokharness_tokenizers.reference.byte_bpe import ByteBPE, Special
from tokharness_tokenizers.reference.byte_bpe_alterations import MODEL, Alteration, alterations

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping


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

    @cached_property
    def _altered(self) -> list[Alteration]:
        whole = dataclasses.replace(self, ranks={**self.ranks, **self.cut_off})
        return [
            (MODEL, "default_vocab_size is ignored", whole.encode_ordinary),
            *((MODEL, what, self._minus(number)) for what, number in self._shifts.items()),
            *alterations(self),
        ]

    @property
    def _shifts(self) -> dict[str, int]:
        """Possible offsets of ids if special tokens are counted in another way."""
        number = len(self.special_tokens)
        unlisted = {"special tokens without a text are not counted": number - self.listed}
        return {
            "special tokens do not come first": number,
            **(unlisted if self.listed < number else {}),
            "ids are one less": 1,
            "ids are one more": -1,
        }

    def _minus(self, number: int) -> Callable[[str], list[int]]:
        return lambda text: [token - number for token in self.encode_ordinary(text)]
