"""The tokenizers of ``mistral-common`` as targets."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers import variants
from tokharness_tokenizers.file_errors import FILE_ERRORS
from tokharness_tokenizers.reference.algorithm_names import BYTE_LEVEL_BPE
from tokharness_tokenizers.variants import one_by_one

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from tokharness_tokenizers.reference.sentencepiece.tokenizer import SentencePiece
    from tokharness_tokenizers.variants import Result, Variants

# Further entry points of the tokenizers of ``mistral-common``.

NOT_CALLED = dict.fromkeys(
    ("encode_chat_completion", "encode_fim", "encode_speech_request", "encode_transcription"),
    "it takes a request, such as that of a chat, not a text",
)


def encoders_of(tokenizer: Any) -> Variants:
    """Return ``encode`` with the start and the end, which are taken off again."""

    def within(text: str) -> list[int]:
        ids: list[int] = tokenizer.encode(text, bos=True, eos=True)
        framed = [ids[:1], ids[-1:]] == [[tokenizer.bos_id], [tokenizer.eos_id]]
        return ids[1:-1] if framed else ids

    return {"encode with bos=True and eos=True": one_by_one(within)}


def decoders_of(decode: Callable[..., Any], policy: Any) -> Variants:
    """Return ``decode`` with another policy for special tokens."""
    other = one_by_one(partial(decode, special_token_policy=policy))
    return {f"decode with SpecialTokenPolicy.{policy.name}": other}


@dataclass(frozen=True, slots=True)
class Engine:
    """A tokenizer of the library with the method names of tokharness."""

    name: str
    special_tokens: Mapping[str, int]
    n_vocab: int
    encode: Callable[[str], list[int]]
    decode: Callable[[Sequence[int]], str]
    token_text: Callable[[int], str] | None = None
    decode_single_token_bytes: Callable[[int], bytes] | None = None
    pattern: str | None = None
    added_tokens: Mapping[str, int] = field(default_factory=dict)
    normalizer: str | None = None
    normalize: Callable[[str], str] | None = None
    algorithm: str | None = None
    encode_variants: Callable[[list[str]], list[list[Result]]] | None = None
    decode_variants: Callable[[list[list[int]]], list[list[Result]]] | None = None


def load_tekken(path: Path) -> Engine:
    """Load a Tekken vocabulary; raises what the library raises."""
    from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    tokenizer = Tekkenizer.from_file(path)
    keep = SpecialTokenPolicy.KEEP
    decoders = decoders_of(tokenizer.decode, SpecialTokenPolicy.IGNORE)
    model = getattr(tokenizer, "_model", None)  # the library has no public name for its pattern
    return Engine(
        name=str(path),
        special_tokens={
            tokenizer.id_to_piece(one): one for one in range(tokenizer.num_special_tokens)
        },
        n_vocab=tokenizer.n_words,
        encode=partial(tokenizer.encode, bos=False, eos=False),
        decode=partial(tokenizer.decode, special_token_policy=keep),
        token_text=tokenizer.id_to_piece,
        decode_single_token_bytes=partial(tokenizer.id_to_byte_piece, special_token_policy=keep),
        pattern=getattr(model, "_pat_str", None),
        algorithm=BYTE_LEVEL_BPE,
        encode_variants=partial(variants.results, encoders_of(tokenizer)),
        decode_variants=partial(variants.results, decoders),
    )


def load_sentencepiece(path: Path) -> Engine:
    """Load a SentencePiece model; raises what the library raises.

    ``SpecialTokenPolicy.KEEP`` shows pieces and no text, as the library documents.
    """
    from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy, TokenizerVersion
    from mistral_common.tokens.tokenizers.sentencepiece import SentencePieceTokenizer

    # The library reads the version off the name of the file, for the prompts of a chat alone.
    tokenizer = SentencePieceTokenizer(path, TokenizerVersion.v1)
    control = {number for number in range(tokenizer.n_words) if tokenizer.is_special(number)}
    special = sorted({*control, tokenizer.unk_id} - {-1})
    declared = _declaration(path)
    return Engine(
        name=str(path),
        special_tokens={tokenizer.id_to_piece(number): number for number in special},
        n_vocab=tokenizer.n_words,
        encode=partial(tokenizer.encode, bos=False, eos=False),
        decode=partial(tokenizer.decode, special_token_policy=SpecialTokenPolicy.IGNORE),
        token_text=tokenizer.id_to_piece,
        added_tokens=declared.added_tokens if declared else {},
        normalizer=declared.normalizer if declared else None,
        normalize=declared.normalize if declared else None,
        algorithm=declared.algorithm if declared else None,
        encode_variants=partial(variants.results, encoders_of(tokenizer)),
    )


def _declaration(path: Path) -> SentencePiece | None:
    """Return our reading of a model, which says what it declares; None if we cannot read it."""
    from tokharness_tokenizers.reference.sentencepiece import reading

    try:
        return reading.load(path)
    except FILE_ERRORS:
        return None
