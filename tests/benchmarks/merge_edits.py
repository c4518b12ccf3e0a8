"""Which random edits of a merge change a word, and which of these a quick check shows.

    python tests/benchmarks/merge_edits.py VOCABULARY... --words FOLDER... [--edits 500]

A vocabulary is what ``reference:`` loads: a tokenizer.json with merges, or a list of ranks. An edit
moves a merge by one place or far, swaps two, drops one or has one twice. The words are those of all
files under the folders, as the tokenizer cuts their text; a tokenizer that cuts none gets each word
between white space as a text. Only words with the text of an edited
merge can change, and only texts with it can show that, so both are looked up. What a quick check
runs are the texts of all families. Of ``merge-orders`` only those for the difference of the two
lists are counted, not its texts with each merge.
"""

from __future__ import annotations

import argparse
import random
import re
from bisect import bisect_right
from collections import Counter
from itertools import chain
from pathlib import Path

from tokharness import plugins
from tokharness.config import PROFILES
from tokharness.engine.worker.units import FamilyTexts
from tokharness.engine.worker.vocabularies import target_facts
from tokharness.targets.loading import load_subject, load_target
from tokharness_cases._overlaps import overlaps_of_merges
from tokharness_cases.merge_orders import changed_texts
from tokharness_tokenizers.adapters import reference_target
from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.merging import encode_piece
from tokharness_tokenizers.reference.models.bpe import merge_by_heap
from tokharness_tokenizers.reference.splitting import join_surrogates

KINDS = ("by one", "far", "swap", "drop", "double")
WORD = re.compile(r"\s?\S+")
LARGEST_FILE, ALL = 2_000_000, 1 << 30


class Listed:
    """The merges of a ``tokenizer.json``, and the ids of a word by them."""

    def __init__(self, pipeline):
        self.pipeline, self.model = pipeline, pipeline.model
        pairs = self.model.pairs
        self.order = sorted(pairs, key=pairs.__getitem__)
        texts = {number: text for text, number in self.model.vocabulary.items()}
        self.texts = {pair: texts[pairs[pair][1]] for pair in self.order}
        rows = pipeline.merges(ALL)
        self.rows = dict(zip(self.order, rows, strict=True))

    @property
    def cuts_text(self):
        """Whether the model gets words of a text, and not all of it."""
        return self.pipeline.text_stages.pre_tokenizer is not None

    def words(self, texts):
        """Return what the model gets of texts, each once."""
        stages = self.pipeline.text_stages
        words = chain.from_iterable(stages.words(join_surrogates(text)) for text in texts)
        return list({word for word, number in words if number is None})

    def encoder(self, order):
        """Return a function from a word to ids, by the merges in an order."""
        ranks = {pair: (rank, self.model.pairs[pair][1]) for rank, pair in enumerate(order)}
        skip = self.model.vocabulary if self.model.ignore_merges else ()
        return lambda w: w if w in skip else merge_by_heap(self.model.first_tokens(w), ranks)

    def tables(self, order):
        """Return the merges in an order, as families get them."""
        return [self.rows[pair] for pair in dict.fromkeys(reversed(order))][::-1]


class Ranked:
    """The tokens of a list of ranks, whose order is that of their ids."""

    cuts_text = True

    def __init__(self, tokenizer):
        self.tokenizer = tokenizer
        self.order = sorted((t for t in tokenizer.ranks if len(t) > 1), key=tokenizer.ranks.get)
        self.texts = {token: token.decode("latin-1") for token in self.order}

    def words(self, texts):
        """Return the bytes of pre-tokens as Latin-1, each once."""
        words = chain.from_iterable(map(self.tokenizer.pretokens, texts))
        return [word.encode().decode("latin-1") for word in set(words)]

    def _ranks(self, order):
        single = {t: rank for t, rank in self.tokenizer.ranks.items() if len(t) == 1}
        ids = sorted(self.tokenizer.ranks[token] for token in self.order)
        ids += range(ids[-1] + 1, ids[-1] + 3)
        return {**single, **dict(zip(order, ids, strict=False))}

    def encoder(self, order):
        """Return a function from a word to ids, by the tokens in an order."""
        ranks = self._ranks(order)
        return lambda word: encode_piece(word.encode("latin-1"), ranks)

    def tables(self, order):
        """Return the last merge of each token."""
        ranks = self._ranks(order)
        return ByteBPE("edited", self.tokenizer.pattern, ranks).merges(ALL)


class Words:
    """Words, of which those with a text are found, and their ids before any edit."""

    def __init__(self, words, encode):
        self.words, self._encode, self._ids = words, encode, {}
        self._joined = "\n".join(words)
        self._starts, at = [], 0
        for word in words:
            self._starts.append(at)
            at += len(word) + 1

    def first_changed(self, texts, encode):
        """Return a word with one of the texts that another encoder encodes differently, or None."""
        for text in texts:
            at = self._joined.find(text)
            while at >= 0:
                number = bisect_right(self._starts, at) - 1
                word = self.words[number]
                if number not in self._ids:
                    self._ids[number] = self._encode(word)
                if encode(word) != self._ids[number]:
                    return word
                at = self._joined.find(text, self._starts[number] + len(word))
        return None


def edited(order, kind, rng):
    """Return the order after a random edit, and what was edited."""
    new, at = list(order), rng.randrange(len(order) - 1)
    to, one = rng.randrange(len(order)), order[at]
    if kind in ("by one", "swap"):
        to = at + 1 if kind == "by one" else to
        new[at], new[to] = new[to], new[at]
        return new, [one, order[to]]
    if kind == "double":
        new.insert(to, one)
        # Of two the last one counts.
        return [*dict.fromkeys(reversed(new))][::-1], [one]
    del new[at]
    if kind == "far":
        new.insert(to, one)
    return new, [one]


def bodies(folders):
    """Yield the texts of all files under folders."""
    for path in chain.from_iterable(sorted(Path(one).rglob("*")) for one in folders):
        if path.is_file() and path.stat().st_size < LARGEST_FILE:
            try:
                yield path.read_text("utf-8")
            except (ValueError, OSError):
                continue


def family_texts(spec):
    """Return the texts of all families in a quick check but merge-orders, without random ones."""
    facts = target_facts(load_subject(spec, "none").subject, "quick")
    texts = []
    for family in plugins.families().values():
        if family.compared and not family.replayed and family.name != "merge-orders":
            made = FamilyTexts(family, facts, PROFILES["quick"], 0, 0)
            texts += chain.from_iterable(map(made.texts_of_unit, range(made.units)))
    return texts


def in_pieces(found):
    """Yield words in long texts, of which a tokenizer cuts the words again."""
    text = "".join(sorted(found))
    yield from (text[at : at + 100_000] for at in range(0, len(text), 100_000))


def measure(rest, found, number, seed):
    """Print what became of random edits of one vocabulary."""
    tokenizer = reference_target.load(rest)
    model = Ranked(tokenizer) if isinstance(tokenizer, ByteBPE) else Listed(tokenizer)
    encode = model.encoder(model.order)
    texts = in_pieces(found) if model.cuts_text else sorted({word.strip() for word in found})
    words = Words(model.words(texts), encode)
    families = Words(model.words(family_texts(load_target(f"reference:{rest}").spec)), encode)
    print(f"{rest}: {len(model.order)} merges, {len(words.words)} different words")
    rng, counts = random.Random(seed), Counter()
    old = overlaps_of_merges(model.tables(model.order))
    for _ in range(number):
        kind = rng.choice(KINDS)
        order, what = edited(model.order, kind, rng)
        texts, new = [model.texts[one] for one in what], model.encoder(order)
        word = words.first_changed(texts, new)
        if word is None:
            counts[kind, "changes no word"] += 1
            continue
        shown = families.first_changed(texts, new) is not None
        different = changed_texts(old, overlaps_of_merges(model.tables(order)))
        made = Words(model.words(f"\n{text} " for text in different), encode)  # as they are packed
        found = made.first_changed(texts, new)
        by = "merge-orders and others" if shown and found else "merge-orders" if found else ""
        by = by or ("others alone" if shown else "MISSED")
        counts[kind, f"found by {by}" if by != "MISSED" else by] += 1
        if not shown and not found:
            print(f"missed: {kind} {[model.texts[one] for one in what]!a} changes {word!a}")
    for (kind, result), count in sorted(counts.items()):
        print(f"  {kind:8} {result:32} {count:4}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("vocabularies", nargs="+")
    parser.add_argument("--words", nargs="+", required=True)
    parser.add_argument("--edits", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    found = {word for body in bodies(arguments.words) for word in WORD.findall(body)}
    print(f"{len(found)} different words between white space")
    for vocabulary in arguments.vocabularies:
        measure(vocabulary, found, arguments.edits, arguments.seed)


if __name__ == "__main__":
    main()
