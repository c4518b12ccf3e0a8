"""The last merge of each token of a list of ranks, which has no pairs.

When a token is made, its bytes have become two earlier tokens, so its last merge is a cut into two
of these. Of all such cuts it is the only one across which nothing is merged before. Undoing the
merges on both sides of a cut shows that, the latest one first: each time, the two parts that meet
there must not be a token with a lower rank than the merge that was undone.

The bpe crate for Rust tests in this way which tokens may stand next to each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["last_merges"]

_AT_ONCE: Final = -1
"""The rank of a byte, which no merge makes."""


def last_merges(ranks: Mapping[bytes, int]) -> dict[bytes, tuple[bytes, bytes]] | None:
    """Return the two parts of each token of several bytes, in the order of the ranks.

    As in tiktoken, a pair is merged if its bytes are a token, the lowest rank first, and of equals
    the leftmost. Return None if a token is not made of earlier ones: then others may be made before
    the tokens that they are made of, and only merging shows which.
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
    """Whether nothing is merged across the cut between two tokens before the rank ``limit``."""
    while True:
        if ranks.get(left + right, limit) < limit:
            return False
        of_left, of_right = made[left], made[right]
        if of_left > of_right:  # it was made later, or else the right one was, also of equals
            limit, left = of_left, parts[left][1]
        elif of_right == _AT_ONCE:
            return True
        else:
            limit, right = of_right + 1, parts[right][0]
