"""A release of mistral-common, with a vocabulary that it carries, or a file."""

# scheme: mistral
# library: mistral-common
# pip: mistral-common[sentencepiece]==RELEASE

from __future__ import annotations

from functools import partial
from importlib.metadata import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

# Further entry points of its tokenizers.

NOT_CALLED = dict.fromkeys(
    ("encode_chat_completion", "encode_fim", "encode_speech_request", "encode_transcription"),
    "it takes a request, such as that of a chat, not a text",
)


def encoders_of(tokenizer: Any) -> dict[str, Callable[[list[Any]], Any]]:
    """Return ``encode`` with the start and the end, which are taken off again."""

    def within(text: str) -> list[int]:
        ids: list[int] = tokenizer.encode(text, bos=True, eos=True)
        framed = [ids[:1], ids[-1:]] == [[tokenizer.bos_id], [tokenizer.eos_id]]
        return ids[1:-1] if framed else ids

    return {"encode with bos=True and eos=True": lambda texts: list(map(within, texts))}


def decoders_of(decode: Callable[..., Any], policy: Any) -> dict[str, Callable[[list[Any]], Any]]:
    """Return ``decode`` with another policy for special tokens."""
    other = partial(decode, special_token_policy=policy)
    name = f"decode with SpecialTokenPolicy.{policy.name}"
    return {name: lambda rows: list(map(other, rows))}


class Tekken:
    """A Tekken vocabulary with the method names of tokharness."""

    algorithm = "byte-level BPE"

    def __init__(self, path: str) -> None:
        from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy
        from mistral_common.tokens.tokenizers.tekken import Tekkenizer

        tokenizer: Any = Tekkenizer.from_file(path)
        keep = SpecialTokenPolicy.KEEP
        self.name = path
        self.special_tokens = {
            tokenizer.id_to_piece(one): one for one in range(tokenizer.num_special_tokens)
        }
        self.n_vocab: int = tokenizer.n_words
        self.encode = partial(tokenizer.encode, bos=False, eos=False)
        self.decode = partial(tokenizer.decode, special_token_policy=keep)
        self.token_text: Callable[[int], str] = tokenizer.id_to_piece
        self.decode_single_token_bytes = partial(
            tokenizer.id_to_byte_piece, special_token_policy=keep
        )
        model = getattr(tokenizer, "_model", None)  # there is no public name for its pattern
        self.pattern: str | None = getattr(model, "_pat_str", None)
        self.encoders = encoders_of(tokenizer)
        self.decoders = decoders_of(tokenizer.decode, SpecialTokenPolicy.IGNORE)


class SentencePiece:
    """A SentencePiece model with the method names of tokharness.

    ``SpecialTokenPolicy.KEEP`` shows pieces and no text, as the library documents.
    """

    def __init__(self, path: str) -> None:
        from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy, TokenizerVersion
        from mistral_common.tokens.tokenizers.sentencepiece import SentencePieceTokenizer

        # The library reads the version off the name of the file, for the prompts of a chat alone.
        tokenizer: Any = SentencePieceTokenizer(path, TokenizerVersion.v1)
        control = {number for number in range(tokenizer.n_words) if tokenizer.is_special(number)}
        special = sorted({*control, tokenizer.unk_id} - {-1})
        self.name = path
        self.special_tokens = {tokenizer.id_to_piece(number): number for number in special}
        self.n_vocab: int = tokenizer.n_words
        self.encode = partial(tokenizer.encode, bos=False, eos=False)
        self.decode = partial(tokenizer.decode, special_token_policy=SpecialTokenPolicy.IGNORE)
        self.token_text: Callable[[int], str] = tokenizer.id_to_piece
        self.encoders = encoders_of(tokenizer)


def load(kind: str, vocabulary: str) -> Tekken | SentencePiece:
    """Load a ``tekken``, a ``model``, or a ``name``; raises what the library raises."""
    path = vocabulary
    if kind == "name":
        named = [one for one in files("mistral-common") or () if one.name == vocabulary]
        if not named:
            raise ValueError(f"this release carries no {vocabulary}")
        path = str(named[0].locate())
        kind = "tekken" if vocabulary.endswith(".json") else "model"
    return Tekken(path) if kind == "tekken" else SentencePiece(path)
