"""The merges and the scores of a model, with tokens as they stand in a text.

Case families make texts from them in which a merge or a score decides. A list of ranks has no
pairs: the pair of a token is the result of encoding its bytes without this token.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from tokharness_tokenizers.reference.merging import merge_short
from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.models.pieces import Pieces
from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.sentencepiece_unigram import SentencePieceUnigram
from tokharness_tokenizers.reference.models.unigram import Unigram

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

# The last merge of each token of a list of ranks, which has no pairs.
#
# When a token is made, its bytes have become two earlier tokens, so that its last merge is a cut
# into two earlier tokens. It is the only cut across which no earlier merge happens. To test a cut,
# the merges on both sides are undone, the latest merge first: each time, the two parts at the cut
# must not form a token with a lower rank than the undone merge.
#
# The bpe crate for Rust tests in this way which tokens may stand next to each other.

_AT_ONCE: Final = -1
"""The rank of a byte, which no merge makes."""


def last_merges(ranks: Mapping[bytes, int]) -> dict[bytes, tuple[bytes, bytes]] | None:
    """Return the two parts of each token of several bytes, in the order of the ranks.

    As in tiktoken, a pair is merged if its bytes are a token: first the lowest rank, and of equal
    ranks the leftmost. Return None if a token is not made of earlier tokens: then tokens may be
    made before their parts, and only merging shows the last merges.
    """
    parts: dict[bytes, tuple[bytes, bytes]] = {}
    made = {bytes([byte]): _AT_ONCE for byte in range(256)}
    for token in sorted(ranks, key=ranks.__getitem__):
        if len(token) < 2:
            continue
        rank = ranks[token]
        for at in range(1, len(token)):
            left = token[:at]
            if left in made:
                right = token[at:]
                if right in made and _stay_apart(left, right, rank, ranks, parts, made):
                    parts[token] = left, right
                    made[token] = rank
                    break
        else:
            return None
    return parts


def _stay_apart(
    left: bytes,
    right: bytes,
    limit: int,
    ranks: Mapping[bytes, int],
    parts: Mapping[bytes, tuple[bytes, bytes]],
    made: Mapping[bytes, int],
) -> bool:
    """Whether no merge below the rank ``limit`` crosses the cut between two tokens."""
    while True:
        if ranks.get(left + right, limit) < limit:
            return False
        of_left, of_right = made[left], made[right]
        if of_left > of_right:  # the left was made later; of equals, the right
            limit, left = of_left, parts[left][1]
        elif of_right == _AT_ONCE:
            return True
        else:
            limit, right = of_right + 1, parts[right][0]


Token = TypeVar("Token", str, bytes)
Item = TypeVar("Item")
Pair: TypeAlias = tuple[bytes, bytes]
Merges: TypeAlias = "Callable[[int], list[Pair]]"
"""Returns at most a number of distinct merges, in order; an even sample if there are more."""
Scores: TypeAlias = "Callable[[int], list[tuple[bytes, float]]]"
"""Returns at most a number of pieces with their scores; an even sample if there are more."""

MARK: Final = "\u2581"
"""The mark that replaces a space."""


def merges_of_model(model: object, bytes_of: Callable[[str], bytes] | None = None) -> Merges | None:
    """Return the merges of a model; None if it has none.

    ``bytes_of`` gives the bytes of a token. Without it, a token has the bytes of its text, with
    spaces in place of their marks. The end of a word is a space, too.
    """
    inner = model.model if isinstance(model, Pieces) else model
    if isinstance(inner, BPE):
        return partial(_merges_of_list, inner, bytes_of or _in_text)
    if isinstance(inner, SentencePieceBPE):
        return partial(_merges_of_pieces, inner)
    return None


def _merges_of_list(model: BPE, bytes_of: Callable[[str], bytes], most: int) -> list[Pair]:
    # A pair that occurs twice in the list has its last place.
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

    A token that no merges make has no last merge. If there are more than ``most`` merges, return an
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
    """Yield the pair that becomes each token; ``parts`` merges its bytes by tokens in ``known``."""
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
    """Return the pieces of a Unigram model with their scores; None for any other model."""
    inner = model.model if isinstance(model, Pieces) else model
    if isinstance(inner, Unigram | SentencePieceUnigram):
        return partial(_rows, inner)
    return None


def _rows(model: Unigram | SentencePieceUnigram, most: int) -> list[tuple[bytes, float]]:
    scores = [*model.piece_scores.items()]
    return [(_in_text(text), score) for text, score in _sample(scores, most)]
