"""Tekken, the vocabulary format of Mistral's models since 2024: one JSON file.

Source: the published files of ``mistral-common``, and its documentation of their members (versions
v3 to v15):

- ``vocab``: the ordinary tokens, as objects with ``rank``, ``token_bytes`` in base64 and
  ``token_str``, which is for people to read. They are the tokens of a byte-level BPE.
- ``config``: the ``pattern`` of the pre-tokens, ``default_vocab_size``,
  ``default_num_special_tokens`` and ``version``.
- ``special_tokens``: objects with ``rank``, which is the id, and ``token_str``. Files up to v7 may
  lack it: they have the twenty tokens of :data:`FIRST_SPECIAL_TOKENS`.

Special tokens come first: their ids are the ids below ``default_num_special_tokens``. A special
token without a text has the text ``<SPECIAL_20>``, with its id. The id of an ordinary token is its
rank plus the number of special tokens. A rank in ``vocab`` only counts if its id is below
``default_vocab_size``.

Special tokens are never read from text: the ids of a prompt are put together from ids.

Readers of the format may make mistakes: these are alterations of the tokenizer.
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

from tokharness.json_content import parse_json
from tokharness.regular_files import read_file
from tokharness_tokenizers.reference.byte_bpe import ByteBPE, Special
from tokharness_tokenizers.reference.byte_bpe_alterations import MODEL, alterations
from tokharness_tokenizers.reference.ranks_file import read_bytes
from tokharness_tokenizers.reference.tokenizer_json.fields import Fields

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from pathlib import Path

    from tokharness_tokenizers.reference.base import Altered

FIRST_SPECIAL_TOKENS: Final = (
    *("<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]"),
    *("[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]"),
    *("[IMG_END]", "[PREFIX]", "[MIDDLE]", "[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]"),
    "[TOOL_CONTENT]",
)
"""The special tokens of a file that does not list any, by id."""

WITHOUT_LIST: Final = ("v1", "v2", "v3", "v7")
"""Versions in which a file need not list its special tokens."""

MOST_SPECIAL_TOKENS: Final = 1 << 16
"""Most special tokens; a larger number is damaged, since published files have a thousand."""


def load(path: Path) -> Tekken:
    """Read a file.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is damaged; the message says where.

    """
    try:
        record = parse_json(read_bytes(path, "Tekken vocabulary", read_file))
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    try:
        return read(record, path.stem)
    except ValueError as error:
        raise ValueError(f"{path} is not a Tekken vocabulary: {error}") from error


def read(record: Any, name: str) -> Tekken:
    """Make the tokenizer of the parsed JSON.

    If a token has two ranks, encoding uses the later rank.

    Raises:
        ValueError: it is damaged; the message says where.

    """
    if not isinstance(record, dict):
        raise ValueError("it is not an object")  # noqa: TRY004 - like all file errors
    file = Fields("", record)
    config = Fields("config", file.get("config", dict))
    special, listed = _special_tokens(file, config)
    shift, size = config.natural("default_num_special_tokens"), config.natural("default_vocab_size")
    ids: dict[bytes, int] = {}
    other_ids: dict[int, bytes] = {}
    cut_off: dict[bytes, int] = {}
    for row in file.children("vocab"):
        token, number = _token(row), row.natural("rank") + shift
        if number >= size:
            cut_off[token] = number
            continue
        if token in ids:
            other_ids[ids[token]] = token
        ids[token] = number
    if not ids:
        message = f"all ids of vocab, of which {shift} is the first, are cut off at {size}"
        raise ValueError(f"{message}, the default_vocab_size")
    return Tekken(
        name,
        config.get("pattern", str),
        ids,
        special,
        other_ids=other_ids,
        cut_off=cut_off,
        listed=listed,
        version=config.get("version", str, None),
    )


def _special_tokens(file: Fields, config: Fields) -> tuple[dict[str, int], int]:
    """Return the ids of the special tokens, in order, and the number of tokens with a text."""
    number = config.natural("default_num_special_tokens")
    if number > MOST_SPECIAL_TOKENS:
        raise ValueError(f"config.default_num_special_tokens is {number:,}, which is damaged")
    texts = dict(enumerate(FIRST_SPECIAL_TOKENS))
    lacks_list = file.get("special_tokens", list, None) is None
    if not (lacks_list and config.get("version", str) in WITHOUT_LIST):
        rows = file.children("special_tokens")
        texts = {row.natural("rank"): row.get("token_str", str) for row in rows}
    by_id = sorted({**{one: f"<SPECIAL_{one}>" for one in range(number)}, **texts}.items())
    special = {text: one for one, text in by_id}
    if len(special) < len(by_id):
        raise ValueError("two special tokens have the same text")
    return special, len(texts)


def _token(row: Fields) -> bytes:
    text = row.get("token_bytes", str)
    try:
        token = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        token = b""
    if not token:
        raise ValueError(f"{row.where}.token_bytes is {text!r:.60}, not base64 of a token")
    return token


@dataclasses.dataclass(frozen=True, eq=False)
class Tekken(ByteBPE):
    """A byte-level BPE tokenizer whose special tokens come first and are never read from text.

    Attributes:
        cut_off: The ids that tokens of the file would have if its default size did not leave them
            out, by their bytes.
        listed: The number of special tokens whose texts the file has.
        version: How the ids of a conversation are put together; None if the file does not say it.

    """

    cut_off: Mapping[bytes, int] = dataclasses.field(default_factory=dict, repr=False)
    listed: int = 0
    version: str | None = None

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
    def _altered(self) -> list[Altered]:
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
