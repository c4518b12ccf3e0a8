"""What a campaign costs over the bare loop by source, and what it reaches beside random text.

    python tests/benchmarks/fuzz_speed.py [--target SPEC] [--rounds N] [--seconds S]

The bare loop encodes and decodes each text with the target and encodes it with the reference, with
caches that have seen none of the texts; the campaign makes the same texts, does that, runs all
checks and looks at what they reach. Both in one process; long texts are left out. So is the first
round, whose seconds are told apart: in it the vocabulary is read, which a campaign does once.

Then a campaign of S seconds, and S seconds of a loop over ``hypothesis.strategies.text()``, twenty
texts an example: what has each reached, counted alike.
"""

import argparse
import contextlib
import gc
import os
import tempfile
import time
from collections import defaultdict
from dataclasses import asdict

from endless_draws import TimeoutReached, draw_endlessly
from hypothesis import strategies as st

from tokharness.config import Options
from tokharness.engine.fuzzing.feedback import Features, count_features, new_features
from tokharness.engine.fuzzing.schedule import LAG, round_at, select_sources
from tokharness.engine.worker.dispatch import Worker
from tokharness.targets.loading import load_subject


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--target", default="tiktoken:o200k_base")
    parser.add_argument("--rounds", type=int, default=72)
    parser.add_argument("--seconds", type=float, default=20.0)
    given_ = parser.parse_args()
    os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", tempfile.mkdtemp())
    campaign = Campaign(given_.target)
    print(f"{given_.target}: texts a second, {given_.rounds} rounds")
    print(f"{'':<14}{'texts':>8}{'campaign':>10}{'bare loop':>11}{'ratio':>7}")
    texts_of, seconds_of = defaultdict(list), defaultdict(float)
    _, _, once = campaign.next_round()
    for _ in range(given_.rounds):
        source, texts, seconds = campaign.next_round()
        texts_of[source] += texts
        seconds_of[source] += seconds
    for source, texts in texts_of.items():
        if source != "long-texts":
            bare = bare_loop(given_.target, texts)
            row = f"{source:<14}{len(texts):>8,}{len(texts) / seconds_of[source]:>8,.0f}/s"
            print(f"{row}{len(texts) / bare:>9,.0f}/s{bare / seconds_of[source]:>7.2f}")
    print(f"once, the first round: {once:.2f} s")
    reach(given_.target, given_.seconds)


class Campaign:
    """The rounds of a campaign in this process, one after another."""

    def __init__(self, spec):
        self.worker = Worker(timed=False)
        options = asdict(Options(enumerated=False))
        self.worker.answer(
            {"op": "load", "spec": spec, "options": options, "path": [], "guarded": False}
        )
        self.kept, self.heard, self.number = [], 0, 0
        self.texts = []
        tried = self.worker._rounds._batches.run

        def seen(texts, manner, **given_):
            self.texts += texts
            return tried(texts, manner, **given_)

        self.worker._rounds._batches.run = seen

    def next_round(self):
        """Try a round; its source, its texts and the processor's seconds it took."""
        one = round_at(self.number, select_sources(families_only=False))
        end = max(self.number - LAG + 1, 0)
        news = [text for some in self.kept[self.heard : end] for text in some]
        self.heard, self.number, self.texts = end, self.number + 1, []
        question = {"op": "round", "number": one.number, "source": one.source, "turn": one.turn}
        question |= {"remembered": [], "anew": False, "news": news, "avoid": "", "known": []}
        question |= {"seconds": None, "texts": None, "deadly": []}
        begin = time.process_time()
        answer = self.worker.answer(question)
        seconds = time.process_time() - begin
        self.kept.append(answer["corpus"])
        return one.source, self.texts, seconds


def bare_loop(spec, texts):
    """The processor's seconds of the plain loop."""
    subject = load_subject(spec, None).subject
    encode, decode = subject.target.encode, subject.target.tokenizer.decode
    other = subject.reference.encode
    gc.collect()
    begin = time.process_time()
    for text in texts:
        ids = encode(text)
        decode(ids)
        other(text)
    return time.process_time() - begin


def reach(spec, seconds):
    """Print what a campaign and random text reach in the same time."""
    campaign = Campaign(spec)
    begin, tried = time.process_time(), 0
    while time.process_time() - begin < seconds:
        tried += len(campaign.next_round()[1])
    ours = campaign.worker._rounds
    theirs, drawn = random_text(spec, seconds, ours)
    print(f"\nreached in {seconds:.0f} s{'campaign':>20}{'st.text()':>12}")
    print(f"{'texts':<24}{tried:>12,}{drawn:>12,}")
    mine, other = (
        count_features(ours._features, ours._partial),
        count_features(theirs, ours._partial),
    )
    for kind, much in mine.items():
        print(f"{kind:<24}{much:>12,.6g}{other[kind]:>12,.6g}")


def random_text(spec, seconds, ours):
    """What a loop over random text reaches, which encodes and decodes each text and compares it."""
    subject = load_subject(spec, None).subject
    split, found, drawn = subject.explainer.tokenizer.pretokens, Features(), [0]
    begin, looked = [], [0.0]

    def look(texts):
        begin.append(time.process_time())  # the first counts: Hypothesis makes tables before
        if begin[-1] - begin[0] - looked[0] > seconds:
            raise TimeoutReached
        texts = [text for text in texts if text]
        ids = [subject.target.encode(text) for text in texts]
        for text, row in zip(texts, ids, strict=True):
            if subject.target.decode(row) != text or row != subject.reference.encode(text):
                raise AssertionError(f"not clean on {text!r}")
        drawn[0] += len(texts)
        before = time.process_time()  # what it reaches is counted outside its time
        found.add(new_features(texts, ids, Features(), split, ours._partial)[0])
        looked[0] += time.process_time() - before

    with contextlib.suppress(TimeoutReached):
        draw_endlessly(st.lists(st.text(), min_size=20, max_size=20), look)
    return found, drawn[0]


if __name__ == "__main__":
    main()
