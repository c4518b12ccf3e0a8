"""Fingerprints of vocabularies, and the published ones in ``known.json``, which says where from.

A fingerprint is computed from the bytes of ordinary tokens, in the order of their ids. Therefore a
``tokenizer.json``, a SentencePiece model and a GGUF file of the same vocabulary have the same
fingerprint. Its sketches (Broder 1997, "On the resemblance and containment of documents") estimate
what two vocabularies have in common without the tokens of either vocabulary.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b, sha256
from heapq import nsmallest
from importlib.resources import files
from typing import TYPE_CHECKING

from tokharness.diagnosis.reachability.tokens import own_texts
from tokharness.diagnosis.vocabulary.byte_table import byte_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokharness.targets.subject import Subject

SKETCH_SIZE = 256
"""Hashes of a sketch. The estimate of a share is off by 6 points or less, two times of three."""

HASH_BYTES = 6
STARTS_WITH_SPACE = frozenset({"WordPiece"})
"""Algorithms whose decoder, not whose tokens, decides whether a space precedes a token."""

NEAR = 0.5
"""Least share of common tokens that makes two vocabularies alike."""

LEAST_TOKENS = 500
"""Least number of tokens of a vocabulary that is compared with known vocabularies."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What a vocabulary is recognized by.

    ``places`` is a sketch of its pairs of id and bytes, and ``tokens`` of its bytes alone: the
    smallest hashes, in order.
    """

    size: int
    digest: str
    places: tuple[int, ...]
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """A published vocabulary: its name, how names of files write it, and where it is from."""

    name: str
    words: tuple[str, ...]
    source: str
    fingerprint: Fingerprint


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a vocabulary has in common with a known one, as shares from 0 to 1.

    ``places`` and ``tokens`` estimate the share of the known tokens that the vocabulary has, with
    the same id and with any id. ``resemblance`` estimates the share of all tokens that both
    vocabularies have: a large vocabulary has most tokens of each small vocabulary, which does not
    make them alike.
    """

    known: Known
    places: float
    tokens: float
    resemblance: float


def fingerprint_of(subject: Subject) -> Fingerprint | None:
    """Return the fingerprint of a target's vocabulary; None if it shows too few tokens."""
    target = subject.target
    others = {*target.special_tokens.values(), *target.added_tokens.values()}
    tokens = {number: data for number, data in byte_table(subject).items() if number not in others}
    if target.algorithm in STARTS_WITH_SPACE:
        tokens = {number: data.removeprefix(b" ") for number, data in tokens.items()}
    return None if len(tokens) < LEAST_TOKENS else fingerprint(tokens)


def fingerprint_of_texts(subject: Subject) -> Fingerprint | None:
    """Return the fingerprint of the texts to which single ids decode, without parts of characters.

    None if there are too few texts. The fingerprint is near to the vocabulary's, seldom equal.
    """
    tokens = {
        number: text.encode("utf-8", "surrogatepass")
        for number, text in own_texts(subject).items()
        if isinstance(text, str) and "\ufffd" not in text
    }
    return None if len(tokens) < LEAST_TOKENS else fingerprint(tokens)


def fingerprint(tokens: Mapping[int, bytes]) -> Fingerprint:
    """Return the fingerprint of tokens by id."""
    rows = [b"%d %d " % (number, len(data)) + data for number, data in sorted(tokens.items())]
    return Fingerprint(
        len(tokens),
        sha256(b"".join(rows)).hexdigest()[:32],
        _sketch(rows),
        _sketch(dict.fromkeys(tokens.values())),
    )


def _sketch(items: Iterable[bytes]) -> tuple[int, ...]:
    hashes = (int.from_bytes(blake2b(item, digest_size=HASH_BYTES).digest()) for item in items)
    return tuple(nsmallest(SKETCH_SIZE, hashes))


def equal_to(own: Fingerprint) -> Known | None:
    """Return the known vocabulary with this fingerprint."""
    return next((one for one in known() if one.fingerprint.digest == own.digest), None)


def nearest(own: Fingerprint) -> Likeness | None:
    """Return the known vocabulary that a vocabulary was made from, or resembles; None for none."""
    likenesses = [likeness(own, one) for one in known()]
    best = max(likenesses, key=lambda one: max(one.places, one.resemblance), default=None)
    return best if best and max(best.places, best.resemblance) >= NEAR else None


def likeness(own: Fingerprint, other: Known) -> Likeness:
    """Estimate the share of a known vocabulary that another vocabulary has."""
    theirs = other.fingerprint
    sizes = (own.size, theirs.size)
    places, tokens = (
        _resemblance(*one) for one in ((own.places, theirs.places), (own.tokens, theirs.tokens))
    )
    return Likeness(other, _contained(places, *sizes), _contained(tokens, *sizes), tokens)


def _resemblance(own: tuple[int, ...], theirs: tuple[int, ...]) -> float:
    """Estimate the share of common members of two sets from their smallest hashes."""
    smallest = nsmallest(SKETCH_SIZE, {*own, *theirs})
    both = {*own} & {*theirs}
    return sum(one in both for one in smallest) / len(smallest) if smallest else 0.0


def _contained(resemblance: float, size: int, of: int) -> float:
    """Return the share of a set of ``of`` members that a set of ``size`` members has."""
    return min(resemblance * (size + of) / (1 + resemblance) / of, 1.0)


def named_in(path: str) -> list[Known]:
    """Return the known vocabularies whose names stand in a path: in the file's, or its folder's.

    A version that goes on is another name, and so is a word that ends with the name: "Qwen3.5",
    "llama-2048" and "protgpt2" name no Qwen 3, Llama 2 or GPT-2, and "Qwen3-4B" does.
    """
    text = "/".join(re.split(r"[/\\]", path)[-2:]).lower()
    return [one for one in known() if any(_stands_in(word, text) for word in one.words)]


def _stands_in(word: str, text: str) -> bool:
    end = r"(?!\.?[0-9])" if word[-1].isdigit() else ""
    return re.search("(?<![a-z])" + "[^a-z0-9/]*".join(word) + end, text) is not None


@cache
def known() -> tuple[Known, ...]:
    """Return the published vocabularies, in the order of the file."""
    text = files("tokharness.diagnosis.vocabulary").joinpath("known.json").read_text("ascii")
    return tuple(_known(row) for row in json.loads(text)["vocabularies"])


def _known(row: Mapping[str, object]) -> Known:
    places, tokens = (_unpacked(str(row[key])) for key in ("places", "tokens"))
    own = Fingerprint(int(str(row["size"])), str(row["digest"]), places, tokens)
    return Known(str(row["name"]), tuple(str(row["words"]).split()), str(row["source"]), own)


def _unpacked(text: str) -> tuple[int, ...]:
    data = bytes.fromhex(text)
    starts = range(0, len(data), HASH_BYTES)
    return tuple(int.from_bytes(data[start : start + HASH_BYTES]) for start in starts)
