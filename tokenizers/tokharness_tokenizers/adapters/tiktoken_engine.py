"""tiktoken, the tokenizer library of OpenAI's models.

``tiktoken:NAME``       a vocabulary of tiktoken: ``o200k_base``, ``cl100k_base``, ``p50k_base``,
                        ``r50k_base``, ``gpt2``, ...; tiktoken downloads a vocabulary that is not in
                        its cache (TIKTOKEN_CACHE_DIR)
``tiktoken:MODEL``      the vocabulary of a model, by tiktoken's names: ``gpt-4``, ``gpt-4o-mini``
``tiktoken:embedded``   tiktoken's engine with the vocabulary that tokharness includes
``tiktoken:PATH``       tiktoken's engine with a ``.tiktoken`` file and its side file ``PATH.json``

Every method is one call of tiktoken's public interface. ``encode`` raises ValueError for the text
of a special token, which is tiktoken's default; ``encode_special`` allows all special tokens;
``encode_ordinary`` recognizes none. The automatic reference is ``reference`` with the same ranks
and pattern.

A vocabulary with a defect is loaded as tiktoken itself loads it: of two ids of one token only the
one on the later line is known, and encoding panics where a byte without a token remains. The ids
that are lost in this way are in ``conflicting_tokens``.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetError, UnknownNameError, VocabularyError
from tokharness_tokenizers import libraries, variants
from tokharness_tokenizers.file_errors import named_file_errors
from tokharness_tokenizers.variants import one_by_one

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from tiktoken import Encoding

    from tokharness.model import Description
    from tokharness_tokenizers.variants import Result, Variants

__all__ = [
    "NOT_CALLED",
    "RUNS_CODE",
    "SCHEME",
    "aliases",
    "decoders_of",
    "describe",
    "encoders_of",
    "healthy",
    "load",
    "names",
    "recognize",
    "reference",
    "versions",
]


# Further entry points of tiktoken's ``Encoding``.

NOT_CALLED = {
    "encode_with_unstable": "its ids are those of a start of the text, with possible ends",
}
THREADS = 2


def encoders_of(encoding: Any) -> Variants:
    """Return the entry points that give the ids of plain texts."""
    plain: dict[str, Any] = {"disallowed_special": ()}
    found: dict[str, Callable[[Any], Sequence[Any]]] = {
        "encode with disallowed_special=()": one_by_one(partial(encoding.encode, **plain)),
        "encode_batch with disallowed_special=()": partial(
            encoding.encode_batch, num_threads=THREADS, **plain
        ),
    }
    if hasattr(encoding, "encode_to_numpy") and libraries.find_version("numpy"):
        found["encode_to_numpy"] = one_by_one(
            lambda text: encoding.encode_to_numpy(text, **plain).tolist()
        )
    return found


def decoders_of(encoding: Any) -> Variants:
    """Return the entry points that give the text of ids, or its bytes."""

    def join(ids: Sequence[int]) -> bytes:
        return b"".join(encoding.decode_tokens_bytes(ids))

    def text_of_offsets(ids: Sequence[int]) -> str:
        return encoding.decode_with_offsets(ids)[0]  # type: ignore[no-any-return]

    found: dict[str, Callable[[Any], Sequence[Any]]] = {
        "decode_tokens_bytes": one_by_one(join),
        "decode_with_offsets": one_by_one(text_of_offsets),
    }
    if hasattr(encoding, "decode_bytes_batch"):
        found["decode_bytes_batch"] = partial(encoding.decode_bytes_batch, num_threads=THREADS)
    return found


SCHEME = "tiktoken"
RUNS_CODE = False


@dataclass(frozen=True)
class Engine:
    """The bound methods of an ``Encoding``, with the names of tokharness."""

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
    decode_batch: Callable[[list[list[int]]], list[str]]
    decode_bytes: Callable[[Sequence[int]], bytes]
    decode_single_token_bytes: Callable[[int], bytes]
    encode_variants: Callable[[list[str]], list[list[Result]]]
    decode_variants: Callable[[list[list[int]]], list[list[Result]]]
    conflicting_tokens: Mapping[int, bytes] = field(default_factory=dict)
    algorithm: str = "byte-level BPE"


def load(rest: str) -> Engine:
    """Load a vocabulary into tiktoken; raises TargetError, VocabularyError or UnknownNameError."""
    from tokharness_tokenizers.vocabularies import locate

    rest = _vocabulary_of(rest)
    if rest in locate.PUBLISHED or rest in _tiktoken_names():
        return _wrap(_by_name(rest))
    known = (*names(), *aliases())
    try:
        path = locate.path_of(rest)
    except UnknownNameError:
        raise UnknownNameError("vocabulary or model of tiktoken", rest, known) from None
    if path is None:
        raise UnknownNameError("vocabulary or model of tiktoken", rest, known)
    return _by_path(path)


def reference(rest: str) -> str | None:
    """Return the spec of our reference with the same vocabulary; None if it does not have it."""
    from tokharness_tokenizers.vocabularies import locate

    rest = _vocabulary_of(rest)
    try:
        locate.path_of(rest)
    except UnknownNameError:
        return None
    return f"reference:{rest}"


def describe(rest: str) -> Description | None:
    """Return what the files have; of an encoding that we cannot read, what tiktoken has.

    Raises TargetError, VocabularyError or UnknownNameError.
    """
    from tokharness_tokenizers.descriptions.tiktoken_ranks import (
        describe_ranks,
        describe_vocabulary,
    )
    from tokharness_tokenizers.reference.ranks_file import Ranks
    from tokharness_tokenizers.vocabularies import locate

    rest = _vocabulary_of(rest)
    if rest in locate.PUBLISHED or rest not in _tiktoken_names():
        found = describe_vocabulary(rest)
        read = {name: stage for name, stage in found.stages.items() if name != "options"}
        return replace(found, stages=read)
    encoding = _by_name(rest)
    names = ("_mergeable_ranks", "_pat_str", "_special_tokens")  # tiktoken has no public ones
    values: list[Any] = [getattr(encoding, name, None) for name in names]
    return None if None in values else describe_ranks(Ranks(values[0]), *values[1:])


def names() -> tuple[str, ...]:
    """Return the names of the vocabularies that need no path."""
    return ("embedded", *_tiktoken_names())


def aliases() -> tuple[str, ...]:
    """Return the names of models, each of which has one of the vocabularies."""
    from tiktoken.model import MODEL_TO_ENCODING

    return tuple(MODEL_TO_ENCODING)


def recognize(path: Path) -> str | None:
    """Return the path if it is a file of ranks; with a slash or the suffix it is not a name."""
    from tokharness_tokenizers.file_formats import is_a

    if not path.is_file() or not is_a("tiktoken_ranks", path):
        return None
    text = path.as_posix()
    return text if text.endswith(".tiktoken") or "/" in text else f"./{text}"


def healthy(_rest: str) -> list[str]:
    """Return our vocabulary, and a small one with another pattern."""
    from tokharness_tokenizers.vocabularies.locate import healthy_files

    return ["embedded", *healthy_files("other.tiktoken")]


def versions() -> dict[str, str]:
    """Return the version of tiktoken."""
    return {"tiktoken": version("tiktoken")}


def _tiktoken_names() -> list[str]:
    import tiktoken

    return tiktoken.list_encoding_names()


def _vocabulary_of(rest: str) -> str:
    """Return the name of the vocabulary of a model; anything else stays as it is."""
    import tiktoken

    if rest in names() or "/" in rest or rest.endswith(".tiktoken"):
        return rest
    try:
        return tiktoken.encoding_name_for_model(rest)
    except KeyError:
        return rest


def _by_name(name: str) -> Encoding:
    import tiktoken

    from tokharness_tokenizers.vocabularies import locate

    published = locate.PUBLISHED.get(name)
    # Raise for a corrupt file, which tiktoken itself would delete and download again.
    if published and published.cache_path.exists():
        locate.read_published(published)
    try:
        return tiktoken.get_encoding(name)
    except Exception as error:
        raise TargetError(
            f"tiktoken cannot load {name!r} ({type(error).__name__}): it is not in its cache and "
            "could not be downloaded; run once with a network connection, set TIKTOKEN_CACHE_DIR "
            "to a folder that has it, or use tiktoken:embedded"
        ) from error


def _by_path(path: Path) -> Engine:
    import tiktoken

    from tokharness_tokenizers.reference import ranks_file
    from tokharness_tokenizers.reference.byte_bpe import find_conflicting_tokens

    # Not tiktoken's own reader, which caches a copy of each path and reads that later.
    with named_file_errors(path):
        side = ranks_file.read_side_file(path)
        lines = ranks_file.read_ranks(path, side)
    try:
        encoding = tiktoken.Encoding(
            side.name,
            pat_str=side.pattern,
            mergeable_ranks=dict(lines.ranks),
            special_tokens=dict(side.special_tokens),
        )
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a panic is not an Exception
        reason = " ".join(str(error).split())
        message = f"tiktoken refuses the vocabulary {path}: {reason}"
        raise VocabularyError(message, failure=type(error).__name__) from error
    conflicting_tokens = find_conflicting_tokens(lines.ranks, lines.other_ids, side.special_tokens)
    # tiktoken returns the id of the ordinary token if one has the text of a special one.
    special = dict(sorted(side.special_tokens.items(), key=lambda item: item[1]))
    return replace(_wrap(encoding), special_tokens=special, conflicting_tokens=conflicting_tokens)


def _wrap(encoding: Encoding) -> Engine:
    special = {text: encoding.encode_single_token(text) for text in encoding.special_tokens_set}
    return Engine(
        name=encoding.name,
        special_tokens=dict(sorted(special.items(), key=lambda item: item[1])),
        n_vocab=encoding.n_vocab,
        pattern=getattr(encoding, "_pat_str", None),  # tiktoken has no public name for it
        encode=encoding.encode,
        encode_ordinary=encoding.encode_ordinary,
        encode_special=functools.partial(encoding.encode, allowed_special="all"),
        # By default each call starts eight threads, which takes longer than its texts.
        encode_batch=functools.partial(encoding.encode_ordinary_batch, num_threads=THREADS),
        encode_with_offsets=functools.partial(_with_offsets, encoding),
        decode=encoding.decode,
        decode_batch=encoding.decode_batch,
        decode_bytes=encoding.decode_bytes,
        decode_single_token_bytes=encoding.decode_single_token_bytes,
        encode_variants=functools.partial(variants.results, encoders_of(encoding)),
        decode_variants=functools.partial(variants.results, decoders_of(encoding)),
    )


def _with_offsets(encoding: Encoding, text: str) -> tuple[list[int], list[tuple[int, int]]]:
    """Convert tiktoken's starts of tokens to spans of code points in the decoded text.

    A token ends where the next one starts, or one code point later if the next one starts inside a
    character, since each of them has a part of it.
    """
    ids = encoding.encode_ordinary(text)
    decoded, starts = encoding.decode_with_offsets(ids)
    inside = [piece[0] & 0xC0 == 0x80 for piece in encoding.decode_tokens_bytes(ids)]
    ends = [start + part for start, part in zip(starts, inside, strict=True)][1:]
    return ids, list(zip(starts, [*ends, len(decoded)], strict=True)) if ids else []
