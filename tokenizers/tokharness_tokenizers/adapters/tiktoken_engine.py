"""tiktoken, the tokenizer library of OpenAI's models (a Rust core).

``tiktoken:NAME``       a vocabulary tiktoken knows: ``o200k_base``, ``cl100k_base``, ``p50k_base``,
                        ``r50k_base``, ``gpt2``, ...; it downloads those that its cache
                        (TIKTOKEN_CACHE_DIR) has not
``tiktoken:embedded``   tiktoken's engine with the vocabulary trained in this project
``tiktoken:PATH``       its engine with a ``.tiktoken`` file and that file's side file ``PATH.json``

Every method is one call of tiktoken's public interface. ``encode`` raises ValueError for the text
of a special token, which is tiktoken's default; ``encode_special`` allows all of them;
``encode_ordinary`` knows none. Compared with ``reference`` on the same ranks and pattern.

A vocabulary with a defect is loaded as tiktoken itself loads it: of two ids of one token it knows
the one on the later line only, and it panics where a byte without a token is left over. What the
file says of such ids is told beside that (``contested``).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import TYPE_CHECKING

from tokharness.errors import TargetError, UnknownNameError, VocabularyError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from tiktoken import Encoding

__all__ = ["SCHEME", "load", "names", "reference", "versions"]

SCHEME = "tiktoken"


@dataclass(frozen=True)
class Engine:
    """An ``Encoding`` under the names of tokharness: its bound methods, nothing in between."""

    name: str
    special_tokens: Mapping[str, int]
    n_vocab: int
    pattern: str | None
    encode: Callable[[str], list[int]]
    encode_ordinary: Callable[[str], list[int]]
    encode_special: Callable[[str], list[int]]
    encode_batch: Callable[[list[str]], list[list[int]]]
    encode_with_offsets: Callable[[str], tuple[list[int], list[tuple[int, int]]]]
    decode: Callable[[Sequence[int]], str]
    decode_bytes: Callable[[Sequence[int]], bytes]
    decode_single_token_bytes: Callable[[int], bytes]
    contested: Mapping[int, bytes] = field(default_factory=dict)


def load(rest: str) -> Engine:
    """Load a vocabulary into tiktoken; raises TargetError, VocabularyError or UnknownNameError."""
    from tokharness_tokenizers.vocabularies import locate

    if rest in locate.PUBLISHED or rest in _tiktoken_names():
        return _wrapped(_by_name(rest))
    try:
        path = locate.path_of(rest)
    except UnknownNameError:
        raise UnknownNameError("vocabulary of tiktoken", rest, names()) from None
    if path is None:
        raise UnknownNameError("vocabulary of tiktoken", rest, names())
    return _by_path(path)


def reference(rest: str) -> str | None:
    """Name our reference with the same vocabulary; None where it has none of that name."""
    from tokharness_tokenizers.vocabularies import locate

    try:
        locate.path_of(rest)
    except UnknownNameError:
        return None
    return f"reference:{rest}"


def names() -> tuple[str, ...]:
    """Name the vocabularies that need no path."""
    return ("embedded", *_tiktoken_names())


def versions() -> dict[str, str]:
    """Name the version of tiktoken."""
    return {"tiktoken": version("tiktoken")}


def _tiktoken_names() -> list[str]:
    import tiktoken

    return tiktoken.list_encoding_names()


def _by_name(name: str) -> Encoding:
    import tiktoken

    from tokharness_tokenizers.vocabularies import locate

    known = locate.PUBLISHED.get(name)
    # A corrupt file is told: tiktoken itself would delete it, unasked, and fetch it again.
    if known and known.cache_path.exists():
        locate.published_bytes(known)
    try:
        return tiktoken.get_encoding(name)
    except Exception as error:
        raise TargetError(
            f"tiktoken cannot load {name!r} ({type(error).__name__}): it is not in its cache and "
            "could not be fetched; run once with a network, or set TIKTOKEN_CACHE_DIR to where it "
            "is, or use tiktoken:embedded, which needs neither"
        ) from error


def _by_path(path: Path) -> Engine:
    import tiktoken

    from tokharness_tokenizers.reference import ranks_file, side_file
    from tokharness_tokenizers.reference.byte_bpe import contested_ids

    # Not tiktoken's own reader: that keeps a copy of each path it has read, and reads that.
    try:
        side = side_file.read_side_file(path)
        read = ranks_file.read_ranks(path, side)
    except (ValueError, OSError) as error:
        raise VocabularyError(str(error)) from error
    try:
        encoding = tiktoken.Encoding(
            side.name,
            pat_str=side.pattern,
            mergeable_ranks=dict(read.ranks),
            special_tokens=dict(side.special_tokens),
        )
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a panic is not an Exception
        told = " ".join(str(error).split())
        raise VocabularyError(f"tiktoken refuses the vocabulary {path}: {told}") from error
    contested = contested_ids(read.ranks, read.other_ids, side.special_tokens)
    # tiktoken gives the id of an ordinary token where one has the text of a special one.
    special = dict(sorted(side.special_tokens.items(), key=lambda item: item[1]))
    return replace(_wrapped(encoding), special_tokens=special, contested=contested)


def _wrapped(encoding: Encoding) -> Engine:
    special = {text: encoding.encode_single_token(text) for text in encoding.special_tokens_set}
    return Engine(
        name=encoding.name,
        special_tokens=dict(sorted(special.items(), key=lambda item: item[1])),
        n_vocab=encoding.n_vocab,
        pattern=getattr(encoding, "_pat_str", None),  # tiktoken has no public name for it
        encode=encoding.encode,
        encode_ordinary=encoding.encode_ordinary,
        encode_special=functools.partial(encoding.encode, allowed_special="all"),
        encode_batch=encoding.encode_ordinary_batch,
        encode_with_offsets=functools.partial(_with_offsets, encoding),
        decode=encoding.decode,
        decode_bytes=encoding.decode_bytes,
        decode_single_token_bytes=encoding.decode_single_token_bytes,
    )


def _with_offsets(encoding: Encoding, text: str) -> tuple[list[int], list[tuple[int, int]]]:
    """Turn tiktoken's starts into spans, over the code points of the decoded text.

    tiktoken says where a token starts. It ends where the next one starts, or one later if that
    one starts inside a character, of which both have a part.
    """
    ids = encoding.encode_ordinary(text)
    decoded, starts = encoding.decode_with_offsets(ids)
    inside = [piece[0] & 0xC0 == 0x80 for piece in encoding.decode_tokens_bytes(ids)]
    ends = [start + part for start, part in zip(starts, inside, strict=True)][1:]
    return ids, list(zip(starts, [*ends, len(decoded)], strict=True)) if ids else []
