"""Count the candidates for glitch tokens of a vocabulary, and the published ones among them.

    python tests/benchmarks/glitch_tokens.py [TARGET] [--corpus PATH]

``glitch_tokens.json`` has published lists of glitch tokens of GPT-2, whose vocabulary is r50k_base,
without single bytes. Candidates are the tokens whose own text is not encoded to them alone
(TOK401), scaffold tokens (TOK409) and, with a corpus, residue tokens (TOK411).
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

from tokharness.diagnosis.reachability import ALONE, reach_of_tokens
from tokharness.diagnosis.token_content.texts import content_texts
from tokharness.diagnosis.vocabulary.corpus import corpus_counts
from tokharness.diagnosis.vocabulary.residues import residues
from tokharness.diagnosis.vocabulary.scaffolds import scaffolds
from tokharness.targets.loading import load_subject

LISTS = Path(__file__).with_name("glitch_tokens.json")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("target", nargs="?", default="tiktoken:r50k_base")
    parser.add_argument("--corpus")
    arguments = parser.parse_args()
    found = candidates(arguments.target, arguments.corpus)
    texts = found.pop("all tokens")
    published = json.loads(LISTS.read_text("utf-8"))
    print(f"{'candidates':<34}{'tokens':>8}", *(f"  {name}" for name in published), sep="")
    for name, tokens in {"all tokens": texts, **found}.items():
        counts = (len(tokens & set(of_list)) for of_list in published.values())
        cells = (f"{count:>{len(of) + 2}}" for of, count in zip(published, counts, strict=True))
        print(f"{name:<34}{len(tokens):>8,}", *cells, sep="")


def candidates(spec, corpus):
    """Return the texts of the candidates of each kind."""
    subject = load_subject(spec, None).subject
    texts = content_texts(subject)
    reach = reach_of_tokens(subject)
    found = {
        "all tokens": set(texts.values()),
        "TOK401 not its own encoding": {
            texts[n] for n, one in reach.items() if n in texts and one.state != ALONE
        },
        "TOK409 scaffold tokens": {one.text for one in scaffolds(texts)},
    }
    if corpus:
        counts = corpus_counts(replace(subject, corpus=corpus))
        found["TOK411 residue tokens"] = {one.text for one in residues(texts, counts)}
    return found


if __name__ == "__main__":
    main()
