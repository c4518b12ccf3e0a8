"""Random hostile changes of a baseline: each is refused in one sentence, or gated harmlessly."""

import datetime as dt
import json
import random
from dataclasses import replace

import pytest

from tokharness import plugins
from tokharness.baseline import reading
from tokharness.baseline.writing import baseline_text, keys_and_digest
from tokharness.config import Options
from tokharness.errors import UsageError
from tokharness.results.report import Report
from tokharness.results.versions import versions
from tokharness.targets.snapshot import Golden


@pytest.fixture
def record(make_baseline, accept, make_finding):
    """A baseline with something in each of its lists."""
    expired = {"expires": dt.date(2027, 1, 1)}
    accepted = [accept(make_finding()), accept(make_finding(cause="gone"), **expired)]
    return json.loads(
        baseline_text(
            make_baseline(
                accepted=accepted,
                entries=(Golden("encode", "bye<|end|>", (258,)),),
                skips={"TOK401": "the target has no n_vocab"},
                facts={"TOK101 lone surrogates": "a lone surrogate comes back as U+FFFD"},
            )
        )
    )


@pytest.fixture
def now(make_target, make_finding, with_ids, why):
    """Results of a target with changed ids and two findings."""
    return make_target(
        make_finding(),
        make_finding(cause="new"),
        golden=with_ids({"a cat": (9, 9)}),
        why=[why("kind", "a cat")],
    )


@pytest.fixture
def gated(tmp_path, monkeypatch, gate, now):
    """Return a function that gates a target with a baseline of this text: all outputs.

    The digest is right, as that of a stranger is.
    """
    path = tmp_path / "mine.json"

    def outputs(text):
        path.write_text(text, encoding="ascii")
        with monkeypatch.context() as patch:
            patch.setattr(
                reading,
                "keys_and_digest",
                lambda read: (keys_and_digest(read)[0], json.loads(text).get("digest")),
            )
            baseline = reading.read(path)
        report = Report(Options(), (now,), versions(), gate=gate(now, baseline))
        renders = {name: one.render for name, one in plugins.formats().items()}
        shown = {name: render(report, width=80) for name, render in renders.items()}
        return {**shown, "file": baseline_text(baseline)}

    return outputs


@pytest.mark.parametrize(
    "seeds",
    [
        range(60),
        *(
            pytest.param(range(first, first + 100), marks=pytest.mark.slow(every=3))
            for first in range(60, 1060, 100)
        ),
    ],
    ids=lambda seeds: f"from-{seeds.start}",
)
def test_a_changed_baseline_is_refused_or_gated_harmlessly(gated, record, mutations, seeds):
    refused = 0
    for seed in seeds:
        text = mutations.mutated_json(record, random.Random(seed))
        try:
            outputs = gated(text)
        except UsageError:
            refused += 1
            continue
        for name, output in outputs.items():
            assert mutations.harmless(output.replace("\r\n", "\n")), (seed, name)
    assert 0 < refused < len(seeds)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda record: record["accepted"][0].update(fingerprint="\x1b[2J"), "the fingerprint is"),
        (lambda record: record["accepted"][0].update(kind="new finding\n"), "the kind is"),
        (lambda record: record["accepted"][0].update(verdict="worst"), "is not a valid Verdict"),
        (lambda record: record["checks"].append("TOK101\n"), "the code is"),
        (lambda record: record["golden"].append(["everyday", "x"]), "has 2 values, not 3"),
        (lambda record: record["facts"].append(["x"]), "has 1 values, not 2"),
        (lambda record: record["metrics"].append(["x", 10**400]), "too large"),
        (lambda record: record.update(name=[[[["x"]] * 3] * 3]), "expected str"),
    ],
)
def test_a_wrong_value_is_refused_in_one_sentence(gated, record, change, message):
    change(record)
    with pytest.raises(UsageError) as error:
        gated(json.dumps(record))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_lists_in_lists_are_refused(gated, record, mutations):
    with pytest.raises(UsageError, match="more than 32 lists and objects in each other"):
        gated(json.dumps({**record, "run": mutations.nested(33)}))


def test_a_golden_text_of_another_group_does_not_matter(gate, make_baseline, make_target):
    baseline = make_baseline()
    golden = tuple(replace(one, group=f"family:{one.text[0]}") for one in baseline.golden)
    assert not gate(make_target(), replace(baseline, golden=golden)).failing
