"""Compare certificates of seams with random cuts: no cut text may contradict a certificate.

    python tests/benchmarks/random_cuts.py [--cuts N] [--seed N] [SPEC ...]

A text of random characters, words and parts of added tokens is cut at some of the places that the
certificate calls safe: at one, at a part of them, or at all. The reference encodes the whole and
the parts. It prints the number of compared cuts, the number of texts that contradict the
certificate, and the time.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import time
from itertools import chain, pairwise
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tokenizers" / "seams"))

from test_certificates import FRAGMENTS, SMALL, Certified

from tokharness_tokenizers.adapters import reference_target

WORDS = ("the", "and", "ing", "it's", "I'LL", "12345", "\u0e01\u0e33", "\U0001f469\u200d\U0001f467")
LONGEST = 120
MOST_SHOWN = 5


def random_text(choose: random.Random, parts: list[str]) -> str:
    """Return a text of a few different fragments, so that many of them meet again."""
    pool = choose.sample(FRAGMENTS, 8) + choose.choices(WORDS, k=2) + choose.choices(parts, k=1)
    return "".join(choose.choices(pool, k=choose.randint(2, LONGEST)))


def random_parts(text: str, one: Certified, choose: random.Random) -> list[str]:
    """Cut a text at some of the safe places."""
    pairs = enumerate(map("".join, pairwise(text)), start=1)
    places = [place for place, pair in pairs if one.cuts.is_safe(pair)]
    size = choose.choice((1, len(places) // 3, len(places)))
    places = sorted(choose.sample(places, min(max(size, 1), len(places))))
    return [text[start:end] for start, end in pairwise([0, *places, len(text)])]


def contradictions(one: Certified, cuts: int, seed: int) -> tuple[int, list[list[str]]]:
    """Return the number of cuts, and the parts of each text that contradicts the certificate."""
    choose, made, found = random.Random(seed), 0, []
    parts = [
        text[:size]
        for entry in one.data["added"][:50]
        for text in [entry["text"]]
        for size in range(1, len(text) + 1)
    ] or ["a"]
    while made < cuts:
        text = random_text(choose, parts)
        pieces = random_parts(text, one, choose)
        if len(pieces) == 1:
            continue
        with contextlib.suppress(KeyError):  # a character without a token: nothing is compared
            found += [
                pieces
                for encode in one.encoders
                if [*chain.from_iterable(map(encode, pieces))] != encode(text)
            ]
            made += len(pieces) - 1
    return made, found


def main() -> int:
    """Print a row for each spec; the exit code is 1 if a text contradicts a certificate."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("specs", nargs="*", default=SMALL)
    parser.add_argument("--cuts", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    code = 0
    for spec in arguments.specs:
        one = Certified(reference_target.load(spec))
        if not one.cuts.has_any:
            print(f"{spec}: no cut is proven", flush=True)
            continue
        start = time.process_time()
        made, found = contradictions(one, arguments.cuts, arguments.seed)
        seconds = time.process_time() - start
        print(f"{spec}: {made:,} cuts, {len(found)} contradictions, {seconds:.0f} s", flush=True)
        for pieces in found[:MOST_SHOWN]:
            print("   ", ascii(pieces), flush=True)
        code |= bool(found)
    return code


if __name__ == "__main__":
    sys.exit(main())
