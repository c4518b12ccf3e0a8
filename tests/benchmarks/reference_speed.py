"""Compare the speed of the reference with tiktoken's, with cold caches.

    python tests/benchmarks/reference_speed.py [--repeat N] [--encoding NAME ...]

Source code is 10 MB of the standard library's files, one text each; hostile text is 2 MB of the
texts of case families, twenty per line; random text is 2 MB of lines of every script, emoji,
zero-width characters and scalar values, with hardly a repeated word. All of it is encoded as plain
text. Each repetition has a new reference with cold caches. Times are CPU seconds; the best
repetition counts, and repetitions alternate, so that other load affects both sides. The ids are
compared once, outside the measured time; ``--unicode-version`` is tiktoken's Unicode version, at
which they agree.
"""

import argparse
import dataclasses
import random
import sysconfig
import time
from pathlib import Path

import tiktoken

from tokharness import plugins
from tokharness.model import TargetFacts
from tokharness.unicode import properties, versions
from tokharness_tokenizers.adapters import reference_target

ENCODINGS = ("r50k_base", "p50k_base", "cl100k_base", "o200k_base")
SEED = 20240229
NO_TEXT = ("surrogates", "invalid-utf8", "long-inputs")
"""Families of invalid text, or of runs of one unit."""


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--encoding", nargs="+", default=ENCODINGS)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--unicode-version", default=versions.REGEX_VERSION)
    arguments = parser.parse_args()
    corpora = {
        "code": source_code(10_000_000),
        "hostile": family_text(2_000_000),
        "random": random_text(2_000_000),
    }
    for name, texts in corpora.items():
        size = sum(len(text.encode()) for text in texts)
        plain = sum(len(text) for text in texts if text.isascii()) / sum(map(len, texts))
        print(f"{name}: {len(texts):,} texts, {size:,} bytes, {plain:.0%} in ASCII texts")
    print(
        f"{'':<14}{'':<9}{'tiktoken':>11}{'reference':>11}{'ratio':>7}  best of {arguments.repeat}"
    )
    for encoding in arguments.encoding:
        engine = tiktoken.get_encoding(encoding)
        reference = reference_target.load(encoding).with_unicode_version(arguments.unicode_version)
        for name, texts in corpora.items():
            theirs, ours = best_seconds(engine, reference, texts, arguments.repeat)
            row = f"{encoding:<14}{name:<9}{theirs:>9.2f} s{ours:>9.2f} s{ours / theirs:>7.2f}"
            print(row + describe_differences(engine, reference, texts), flush=True)


def source_code(size):
    """Return texts of the standard library's files in random order, up to ``size`` bytes."""
    folder = Path(sysconfig.get_path("stdlib"))
    files = [path for path in sorted(folder.rglob("*.py")) if "site-packages" not in path.parts]
    random.Random(SEED).shuffle(files)
    return list(up_to(size, filter(None, map(readable, files))))


def readable(path):
    """Return the text of a file; empty for the few that are not UTF-8 on purpose."""
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        return ""


def family_text(size):
    """Return lines of texts of the case families in random order, up to ``size`` bytes."""
    families = plugins.families().values()
    texts = [
        case.text
        for family in families
        if family.compared and not family.exhaustive and family.name not in NO_TEXT
        for case in family.cases(TargetFacts())
    ]
    random.Random(SEED).shuffle(texts)
    chosen = list(up_to(size, texts))
    return ["\n".join(chosen[start : start + 20]) for start in range(0, len(chosen), 20)]


def random_text(size):
    """Return lines of up to sixty parts: words, emoji, zero-width characters, scalar values."""
    rng = random.Random(SEED)
    letters = letters_by_block()
    emoji = list(map(chr, properties.members(r"\p{Emoji_Presentation}")))
    hidden = [*map(chr, properties.members(r"\p{Default_Ignorable_Code_Point}")), *"\u200b\u200d"]
    marks = list(map(chr, properties.members(r"\p{M}")))
    kinds = (
        lambda: "".join(rng.choices(rng.choice(letters), k=rng.randint(1, 9))),
        lambda: "".join(rng.choices(emoji, k=rng.randint(1, 3))),
        lambda: rng.choice(emoji) + "\u200d" + rng.choice(emoji) + "\ufe0f",
        lambda: "".join(rng.choices(hidden, k=rng.randint(1, 3))),
        lambda: rng.choice("aeinou") + "".join(rng.choices(marks, k=rng.randint(1, 4))),
        lambda: "".join(scalar(rng) for _ in range(rng.randint(1, 6))),
        lambda: rng.choice((" ", "  ", "\u00a0", "'s", "_", "12345", "a", "Word", "\t")),
    )

    def lines():
        while True:
            yield "".join(rng.choice(kinds)() for _ in range(rng.randint(1, 60))) + "\n"

    return list(up_to(size, lines()))


def letters_by_block():
    """Return the letters of each block of 128 code points: about one list per script."""
    blocks = {}
    for point in properties.members(r"\p{L}"):
        blocks.setdefault(point // 128, []).append(chr(point))
    return list(blocks.values())


def scalar(rng):
    point = rng.randrange(0x110000 - 0x800)
    return chr(point if point < 0xD800 else point + 0x800)


def up_to(size, texts):
    """Yield texts until they have ``size`` bytes together."""
    for text in texts:
        yield text
        size -= len(text.encode())
        if size <= 0:
            return


def best_seconds(engine, reference, texts, repeat, method="encode_ordinary"):
    """Return the seconds of the best run of each over all texts."""
    theirs, ours = [], []
    for _ in range(repeat):
        theirs.append(seconds(getattr(engine, method), texts))
        cold = dataclasses.replace(reference)
        ours.append(seconds(getattr(cold, method), texts))
    return min(theirs), min(ours)


def seconds(encode, texts):
    # CPU time, as both use one thread: other processes do not count.
    begin = time.process_time()
    for text in texts:
        encode(text)
    return time.process_time() - begin


def describe_differences(engine, reference, texts, method="encode_ordinary"):
    """Describe how many texts have different ids, as Unicode versions may differ."""
    theirs, ours = getattr(engine, method), getattr(reference, method)
    count = sum(theirs(text) != ours(text) for text in texts)
    return f"  ids differ on {count} texts" if count else ""


if __name__ == "__main__":
    main()
