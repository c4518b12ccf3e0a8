"""The merges and the scores of a model, with tokens as they stand in a text.

Case families make texts of them in which a merge or a score decides. A list of ranks has no pairs:
that of a token is what its own bytes become without it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from tokharness_tokenizers.reference.last_merges import last_merges
from tokharness_tokenizers.reference.merging import merge_short
from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.models.pieces import Pieces
from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.sentencepiece_unigram import SentencePieceUnigram
from tokharness_tokenizers.reference.models.unigram import Unigram

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["Merges", "Pair", "Scores", "merges_of_model", "merges_of_ranks", "scores_of_model"]

Token = TypeVar("Token", str, bytes)
Item = TypeVar("Item")
Pair: TypeAlias = tuple[bytes, bytes]
Merges: TypeAlias = "Callable[[int], list[Pair]]"
"""Returns so many merges at most, first ones first and each once; of more, an even sample."""
Scores: TypeAlias = "Callable[[int], list[tuple[bytes, float]]]"
"""Returns so many pieces at most with their scores; of more, an even sample."""

MARK: Final = "\u2581"
"""What a space becomes."""


def merges_of_model(model: object, bytes_of: Callable[[str], bytes] | None = None) -> Merges | None:
    """Return the merges of a model; None if it has none.

    ``bytes_of`` gives the bytes of a token. Without it a token has those of its text, in which the
    mark of a space is a space. The end of a word is a space, too.
    """
    inner = model.model if isinstance(model, Pieces) else model
    if isinstance(inner, BPE):
        return partial(_merges_of_list, inner, bytes_of or _in_text)
    if isinstance(inner, SentencePieceBPE):
        return partial(_merges_of_pieces, inner)
    return None


def _merges_of_list(model: BPE, bytes_of: Callable[[str], bytes], most: int) -> list[Pair]:
    # A pair that is in the list twice has its last place.
    places = {pair: place for place, pair in enumerate(model.merges)}
    ordered = _sample(sorted(places, key=places.__getitem__), most)
    known = {token: _spelled(model, bytes_of, token) for pair in ordered for token in pair}
    return [(known[left], known[right]) for left, right in ordered]


def _sample(items: Sequence[Item], most: int) -> Sequence[Item]:
    return items[:: len(items) // (most + 1) + 1]


def _spelled(model: BPE, bytes_of: Callable[[str], bytes], token: str) -> bytes:
    is_last = bool(model.suffix) and token.endswith(model.suffix)
    text = token.removeprefix(model.prefix)
    return bytes_of(text.removesuffix(model.suffix)) + b" " if is_last else bytes_of(text)


def _in_text(token: str) -> bytes:
    return token.replace(MARK, " ").encode()


def _merges_of_pieces(model: SentencePieceBPE, most: int) -> list[Pair]:
    """Return the last merge of each piece: the piece with the highest score comes first."""
    known = dict(model.vocabulary)
    smaller = SentencePieceBPE(known, model.scores)
    costs = {piece: -model.scores[number] for piece, number in known.items()}

    def parts(piece: str) -> list[str]:
        (_, size), *others = smaller.tokens(piece)
        return [piece[:size], piece[size:]] if len(others) == 1 else []

    pairs = _last_merges(costs, most, known, parts)
    return [(_in_text(left), _in_text(right)) for left, right in pairs]


def merges_of_ranks(ranks: Mapping[bytes, int], most: int) -> list[Pair]:
    """Return the last merge of each token, in the order of their ranks.

    A token that no merges lead to has none. If there are more than ``most``, they are those of an
    even sample.
    """
    if len(ranks) <= most and (parts := last_merges(ranks)) is not None:
        return list(parts.values())
    known = dict(ranks)
    return list(_last_merges(ranks, most, known, lambda token: merge_short(token, known)))


def _last_merges(
    costs: Mapping[Token, float],
    most: int,
    known: dict[Token, int],
    parts: Callable[[Token], list[Token]],
) -> Iterator[tuple[Token, Token]]:
    """Yield the pair that becomes each token; ``parts`` merges a token by those in ``known``."""
    longer = [token for token in costs if len(token) > 1]
    for token in _sample(sorted(longer, key=costs.__getitem__), most):
        cost = costs[token]
        ways = [
            at
            for at in range(1, len(token))
            if costs.get(token[:at], cost) < cost and costs.get(token[at:], cost) < cost
        ]
        if len(token) == 2:
            ways = [1]  # of bytes or characters, which need not be tokens
        if len(ways) == 1:
            yield token[: ways[0]], token[ways[0] :]
        elif ways:
            number = known.pop(token)
            found = parts(token)
            known[token] = number
            if len(found) == 2:
                yield found[0], found[1]


def scores_of_model(model: object) -> Scores | None:
    """Return the pieces of a Unigram model with their scores; None if it is another model."""
    inner = model.model if isinstance(model, Pieces) else model
    if isinstance(inner, Unigram):
        pieces = inner.pieces
        scores = {text: pieces[number][1] for text, number in inner.vocabulary.items() if text}
        return partial(_rows, scores)
    return partial(_rows, inner.piece_scores) if isinstance(inner, SentencePieceUnigram) else None


def _rows(scores: Mapping[str, float], most: int) -> list[tuple[bytes, float]]:
    return [(_in_text(text), score) for text, score in _sample([*scores.items()], most)]
