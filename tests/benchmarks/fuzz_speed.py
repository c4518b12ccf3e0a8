"""Compare a campaign with a bare loop by source of texts, and its features with random text.

    python tests/benchmarks/fuzz_speed.py [--target SPEC] [--rounds N] [--seconds S]

The bare loop encodes and decodes each text with the target and encodes it with the reference, with
cold caches. The campaign generates the same texts, does the same, runs all checks and collects
features. Both run in one process, without long texts. The first round is reported separately, since
the campaign reads the vocabulary in it once.

Then a campaign of S seconds, and S seconds of a loop over ``hypothesis.strategies.text()`` with
twenty texts per example: the features that each has found.
"""

import argparse
import contextlib
import gc
import os
import tempfile
import time
from collections import defaultdict

from endless_draws import TimeoutReached, draw_endlessly
from hypothesis import strategies as st

from tokharness.config import Options
from tokharness.engine.fuzzing.features import Features, count_features, new_features
from tokharness.engine.fuzzing.rounds import LAG, round_at, select_sources
from tokharness.engine.requests import LoadRequest, RoundRequest, request_record
from tokharness.engine.worker.main import Worker
from tokharness.targets.loading import load_subject, tokenizer_of


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--target", default="tiktoken:o200k_base")
    parser.add_argument("--rounds", type=int, default=72)
    parser.add_argument("--seconds", type=float, default=20.0)
    arguments = parser.parse_args()
    os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", tempfile.mkdtemp())
    campaign = Campaign(arguments.target)
    print(f"{arguments.target}: texts per second, {arguments.rounds} rounds")
    print(f"{'':<14}{'texts':>8}{'campaign':>10}{'bare loop':>11}{'ratio':>7}")
    texts_of, seconds_of = defaultdict(list), defaultdict(float)
    _, _, once = campaign.next_round()
    for _ in range(arguments.rounds):
        source, texts, seconds = campaign.next_round()
        texts_of[source] += texts
        seconds_of[source] += seconds
    for source, texts in texts_of.items():
        if source != "long-texts":
            bare = bare_loop(arguments.target, texts)
            row = f"{source:<14}{len(texts):>8,}{len(texts) / seconds_of[source]:>8,.0f}/s"
            print(f"{row}{len(texts) / bare:>9,.0f}/s{bare / seconds_of[source]:>7.2f}")
    print(f"once, the first round: {once:.2f} s")
    compare_features(arguments.target, arguments.seconds)


class Campaign:
    """The rounds of a campaign in this process, one after another."""

    def __init__(self, spec):
        self.worker = Worker(timed=False)
        self.respond(LoadRequest(spec, Options(enumerated=False), (), guarded=False))
        self.additions, self.sent, self.number, self.texts = [], 0, 0, []
        batches = self.runner._batches
        run = batches.run

        def record_and_run(texts, *options, **more):
            self.texts += texts
            return run(texts, *options, **more)

        batches.run = record_and_run

    @property
    def runner(self):
        return self.worker.state.rounds

    def respond(self, request):
        return self.worker.respond(request_record(request))

    def next_round(self):
        """Run a round; return its source, its texts and its CPU seconds."""
        round_ = round_at(self.number, select_sources(families_only=False))
        end = max(self.number - LAG + 1, 0)
        corpus = [text for added in self.additions[self.sent : end] for text in added]
        self.sent, self.number, self.texts = end, self.number + 1, []
        request = RoundRequest(round_.number, round_.source, round_.turn, new_corpus=corpus)
        begin = time.process_time()
        response = self.respond(request)
        seconds = time.process_time() - begin
        self.additions.append(response["corpus"])
        return round_.source, self.texts, seconds


def bare_loop(spec, texts):
    """Return the CPU seconds of the bare loop."""
    subject = load_subject(spec, None).subject
    encode, decode = subject.target.encode, tokenizer_of(subject.target).decode
    encode_with_reference = subject.reference.encode
    gc.collect()
    begin = time.process_time()
    for text in texts:
        ids = encode(text)
        decode(ids)
        encode_with_reference(text)
    return time.process_time() - begin


def compare_features(spec, seconds):
    """Print the features that a campaign and random text find in the same time."""
    campaign = Campaign(spec)
    begin, cases = time.process_time(), 0
    while time.process_time() - begin < seconds:
        cases += len(campaign.next_round()[1])
    ours = campaign.runner
    theirs, drawn = random_text(spec, seconds, ours)
    print(f"\nfound in {seconds:.0f} s{'campaign':>20}{'st.text()':>12}")
    print(f"{'texts':<24}{cases:>12,}{drawn:>12,}")
    our_counts = count_features(ours._features, ours._partial)
    their_counts = count_features(theirs, ours._partial)
    for kind, count in our_counts.items():
        print(f"{kind:<24}{count:>12,.6g}{their_counts[kind]:>12,.6g}")


def random_text(spec, seconds, ours):
    """Encode, decode and compare random texts; return their features and their number."""
    subject = load_subject(spec, None).subject
    split, features, drawn = tokenizer_of(subject.explainer).pretokens, Features(), [0]
    begin, collecting = [], [0.0]

    def check(texts):
        begin.append(time.process_time())  # starts here, as Hypothesis builds tables before
        if begin[-1] - begin[0] - collecting[0] > seconds:
            raise TimeoutReached
        texts = [text for text in texts if text]
        ids = [subject.target.encode(text) for text in texts]
        for text, row in zip(texts, ids, strict=True):
            if subject.target.decode(row) != text or row != subject.reference.encode(text):
                raise AssertionError(f"wrong result on {text!r}")
        drawn[0] += len(texts)
        before = time.process_time()  # the time to collect features does not count
        features.add(new_features(texts, ids, Features(), split, ours._partial)[0])
        collecting[0] += time.process_time() - before

    with contextlib.suppress(TimeoutReached):
        draw_endlessly(st.lists(st.text(), min_size=20, max_size=20), check)
    return features, drawn[0]


if __name__ == "__main__":
    main()
