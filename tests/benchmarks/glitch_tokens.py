"""Count the published glitch tokens of r50k_base that the checks of the vocabulary name.

    python tests/benchmarks/glitch_tokens.py [--corpus PATH] [--embeddings FILE]

A row is a class of tokens that a check of the vocabulary names; its ids are the candidates. The
row says how many there are, how many of the published tokens are among them, and how many of those
that were verified; precision and recall are those of the published tokens. A new class or check
adds its row by itself. The first row has all tokens, for comparison; the unions come last.

``glitch_tokens.json`` has the published tokens, each with its sources. Those named after
models are reports of Land and Bartolo (2024, "Fishing for Magikarp"): their tokens are below the
threshold of the indicator, and verified if no prompt made the model repeat the token with a
probability of 0.01. garak's list is that of Rumbelow and Watkins (2023, "SolidGoldMagikarp"), which
does not say whether a token was verified.
"""

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path

import tiktoken

from tokharness import plugins
from tokharness.targets.loading import load_subject

PUBLISHED = Path(__file__).with_name("glitch_tokens.json")
ENCODING = "r50k_base"
FILES = ("corpus", "embeddings")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name in FILES:
        parser.add_argument(f"--{name}")
    files = vars(parser.parse_args())
    ids = tiktoken.get_encoding(ENCODING)._mergeable_ranks
    tokens = json.loads(PUBLISHED.read_bytes())["tokens"]
    single = {ids[text]: row for row in tokens if (text := row["label"].encode()) in ids}
    verified = {number for number, row in single.items() if row["verified"]}
    print_sources(tokens, single)
    print(f"\n{'check and class':<62}{'candidates':>10}{'published':>10}{'verified':>9}"
          f"{'precision':>10}{'recall':>8}{'seconds':>8}")  # fmt: skip
    print_row(f"all tokens of {ENCODING}", set(ids.values()), single, verified)
    by_verdict = {}
    for check, failures, seconds in audits(files):
        for verdict, name, numbers in classes(failures):
            label = f"{check.code} {verdict} {name}"
            print_row(label, numbers, single, verified, f"{seconds:>8.1f}")
            by_verdict.setdefault(verdict, set()).update(numbers)
    for verdict, numbers in sorted(by_verdict.items()):
        print_row(f"every {verdict}", numbers, single, verified)
    union = set().union(*by_verdict.values())
    print_row("every check", union, single, verified)
    missed = [row["label"] for number, row in sorted(single.items()) if number not in union]
    print(f"\nno check names {len(missed)}: {', '.join(map(ascii, missed))}")


def print_sources(tokens, single):
    """Print how many tokens each source lists, and those that are not one token."""
    names = dict.fromkeys(name for row in tokens for name in row["sources"])
    for name in names:
        listed = sum(name in row["sources"] for row in tokens)
        verified = sum(name in row["verified"] for row in tokens)
        print(f"{name}: {listed} tokens" + (f", {verified} verified" if verified else ""))
    several = [row["label"] for row in tokens if row not in single.values()]
    print(f"published: {len(tokens)}; not one token of {ENCODING}: {len(several)}"
          f" {', '.join(map(ascii, several))}")  # fmt: skip


def audits(files):
    """Yield each check that examines the vocabulary, with its failures and the seconds."""
    subject = replace(load_subject(f"tiktoken:{ENCODING}", None).subject, **files)
    for check in plugins.checks().values():
        lacks = [name for name in FILES if name in check.requires and not files[name]]
        if check.audit is not None and "n_vocab" in check.requires and not lacks:
            begin = time.perf_counter()
            failures = list(check.audit(subject))
            yield check, failures, time.perf_counter() - begin


def classes(failures):
    """Yield the verdict, the name and the ids of each class of tokens."""
    for failure in failures:
        for name, numbers in failure.tokens.items():
            yield failure.cause.verdict, name or str(failure.cause), set(numbers)


def print_row(label, numbers, single, verified, seconds=""):
    """Print how many of the published and of the verified tokens are candidates."""
    found = numbers & single.keys()
    precision = len(found) / len(numbers) if numbers else 0
    print(
        f"{label[:61]:<62}{len(numbers):>10,}{len(found):>10}{len(found & verified):>9}"
        f"{precision:>10.1%}{len(found) / len(single):>8.1%}{seconds}"
    )


if __name__ == "__main__":
    main()
