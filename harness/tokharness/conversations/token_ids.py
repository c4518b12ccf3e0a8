"""The ids of rendered text, by each way in which a server encodes it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tokharness.diagnosis.special.special_ids import unknown_ids
from tokharness.outcome import Raised
from tokharness.targets.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.model import Target

Ids = list[int]

BEGINS = (
    "<|begin_of_text|>",
    "<bos>",
    "<s>",
    "<|startoftext|>",
    "<\uff5cbegin\u2581of\u2581sentence\uff5c>",
)
ENDS = ("<|eot_id|>", "<|im_end|>", "<eos>", "</s>", "<\uff5cend\u2581of\u2581sentence\uff5c>")
"""Usual texts of the tokens that begin a text and that end a turn."""


def variables_of(target: Target) -> dict[str, str]:
    """Return the special tokens that a template gets as variables, where no file says which.

    They are usual ones that the tokenizer has; others are empty.
    """
    known = target.special_tokens
    return {
        "bos_token": next((text for text in BEGINS if text in known), ""),
        "eos_token": next((text for text in ENDS if text in known), ""),
    }


class Tokens:
    """A tokenizer, as a server uses it for rendered text.

    Attributes:
        special: Text to id, of its special tokens.
        added: Text to id, of its other added tokens, which all text gets.
        stop_ids: The ids that end a generation; None if no file says so.
        stops_by_token: Whether they are the id of the end token, as no file has ids.

    """

    def __init__(
        self, target: Target, stop_ids: tuple[int, ...] | None, end_token: str = ""
    ) -> None:
        self._target = target
        self.special: Mapping[str, int] = target.special_tokens
        self.added: Mapping[str, int] = target.added_tokens
        ends = {**self.added, **self.special}.get(end_token)
        self.stops_by_token = stop_ids is None and ends is not None
        self.stop_ids = (ends,) if stop_ids is None and ends is not None else stop_ids
        self._read: dict[str, Ids | None] = {}
        self._plain: dict[str, Ids | None] = {}

    @property
    def reads_special(self) -> bool:
        """Whether it has an entry point that reads special tokens and adds none."""
        return self._target.can("encode_special")

    @cached_property
    def unknown(self) -> frozenset[int]:
        """The ids of special tokens that text gets for which there is no token."""
        return unknown_ids(Subject(self._target))

    def read(self, text: str) -> Ids | None:
        """Return the ids of rendered text, in which special tokens are read and none is added.

        None if the tokenizer raises.
        """
        return self.read_all([text])[0]

    def read_all(self, texts: Sequence[str]) -> list[Ids | None]:
        """Return :meth:`read` of each text, in one request."""
        return _cached(self._target, "encode_special", texts, self._read)

    def plain(self, text: str) -> Ids | None:
        """Return the ids of a text that is a user's, in which special tokens are text."""
        return self.plain_all([text])[0]

    def plain_all(self, texts: Sequence[str]) -> list[Ids | None]:
        """Return :meth:`plain` of each text, in one request."""
        return _cached(self._target, self._target.entry_point, texts, self._plain)

    def default(self, text: str) -> Ids | None:
        """Return the ids that the library's default gives, with those that it adds."""
        result = self._target.call("encode", text)
        return None if isinstance(result, Raised) else list(result)

    def name_of(self, number: int) -> str:
        """Return the text of a special or added token, or the number."""
        for text, one in (*self.special.items(), *self.added.items()):
            if one == number:
                return text
        return str(number)


def _cached(
    target: Target, method: str, texts: Sequence[str], known: dict[str, Ids | None]
) -> list[Ids | None]:
    asked = [text for text in dict.fromkeys(texts) if text not in known]
    if asked:
        results = target.call_each(method, asked)
        rows = (None if isinstance(one, Raised) else list(one) for one in results)
        known.update(zip(asked, rows, strict=True))
    return [known[text] for text in texts]
