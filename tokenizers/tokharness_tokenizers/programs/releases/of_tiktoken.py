"""A release of tiktoken, with a vocabulary of its own, or a ``.tiktoken`` file with a side file."""

# scheme: tiktoken
# library: tiktoken
# pip: tiktoken==RELEASE

from __future__ import annotations

import base64
import json
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

# Further entry points of ``Encoding``.

NOT_CALLED = {
    "encode_with_unstable": "its ids are those of a start of the text, with possible ends",
}
THREADS = 2
"""By default each call of a batch starts eight threads, which takes longer than its texts."""


def encoders_of(encoding: Any) -> dict[str, Callable[[list[str]], Any]]:
    """Return the entry points that give the ids of plain texts."""
    plain: dict[str, Any] = {"disallowed_special": ()}
    found: dict[str, Callable[[list[str]], Any]] = {
        "encode with disallowed_special=()": lambda texts: [
            encoding.encode(text, **plain) for text in texts
        ],
        "encode_batch with disallowed_special=()": partial(
            encoding.encode_batch, num_threads=THREADS, **plain
        ),
    }
    if hasattr(encoding, "encode_to_numpy") and _has("numpy"):
        found["encode_to_numpy"] = lambda texts: [
            encoding.encode_to_numpy(text, **plain).tolist() for text in texts
        ]
    return found


def decoders_of(encoding: Any) -> dict[str, Callable[[list[Any]], Any]]:
    """Return the entry points that give the text of ids, or its bytes."""
    found: dict[str, Callable[[list[Any]], Any]] = {
        "decode_tokens_bytes": lambda rows: [
            b"".join(encoding.decode_tokens_bytes(ids)) for ids in rows
        ],
        "decode_with_offsets": lambda rows: [encoding.decode_with_offsets(ids)[0] for ids in rows],
    }
    if hasattr(encoding, "decode_bytes_batch"):
        found["decode_bytes_batch"] = partial(encoding.decode_bytes_batch, num_threads=THREADS)
    return found


class Library:
    """The bound methods of an ``Encoding``, with the names of tokharness."""

    algorithm = "byte-level BPE"

    def __init__(self, encoding: Any, special_tokens: Mapping[str, int] | None = None) -> None:
        if special_tokens is None:
            names = encoding.special_tokens_set
            special_tokens = {text: encoding.encode_single_token(text) for text in names}
        self.name: str = encoding.name
        self.special_tokens = dict(sorted(special_tokens.items(), key=lambda item: item[1]))
        self.n_vocab: int = encoding.n_vocab
        self.encode: Callable[[str], list[int]] = encoding.encode
        self.encode_ordinary: Callable[[str], list[int]] = encoding.encode_ordinary
        self.encode_special = partial(encoding.encode, allowed_special="all")
        self.encode_batch = partial(encoding.encode_ordinary_batch, num_threads=THREADS)
        self.encode_with_offsets = partial(with_offsets, encoding)
        self.decode: Callable[[Sequence[int]], str] = encoding.decode
        self.decode_batch: Callable[[list[list[int]]], list[str]] = encoding.decode_batch
        self.decode_bytes: Callable[[Sequence[int]], bytes] = encoding.decode_bytes
        self.decode_single_token_bytes: Callable[[int], bytes] = encoding.decode_single_token_bytes
        self.encoders, self.decoders = encoders_of(encoding), decoders_of(encoding)


def with_offsets(encoding: Any, text: str) -> tuple[list[int], list[tuple[int, int]]]:
    """Convert tiktoken's starts of tokens to spans of code points in the decoded text.

    A token ends where the next one starts, or one code point later if the next one starts inside a
    character, since each of them has a part of it.
    """
    ids = encoding.encode_ordinary(text)
    decoded, starts = encoding.decode_with_offsets(ids)
    inside = [piece[0] & 0xC0 == 0x80 for piece in encoding.decode_tokens_bytes(ids)]
    ends = [start + part for start, part in zip(starts, inside, strict=True)][1:]
    return ids, list(zip(starts, [*ends, len(decoded)], strict=True)) if ids else []


def load(kind: str, vocabulary: str) -> Library:
    """Load a vocabulary by its name, or from a file; raises what the library raises."""
    import tiktoken

    if kind == "name":
        return Library(tiktoken.get_encoding(vocabulary))
    with open(vocabulary, "rb") as file:  # noqa: PTH123 - this file imports no more than it has to
        rows = [line.split() for line in file if line.strip()]
    with open(f"{vocabulary}.json", "rb") as file:  # noqa: PTH123
        side = json.load(file)
    special = side.get("special_tokens", {})
    encoding = tiktoken.Encoding(
        side.get("name", vocabulary),
        pat_str=side["pattern"],
        mergeable_ranks={base64.b64decode(token): int(rank) for token, rank in rows},
        special_tokens=special,
    )
    # tiktoken returns the id of the ordinary token if one has the text of a special one.
    return Library(encoding, special)


def _has(library: str) -> bool:
    try:
        return bool(version(library))
    except PackageNotFoundError:
        return False
