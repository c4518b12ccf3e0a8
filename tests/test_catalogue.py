"""Each planted fault is reported by its check, with its cause and a small text.

Each test process prints its score, faults found of faults planted. The whole standard profile over
all faults is in ``tests/benchmarks/full_catalogue.py``.
"""

import pytest
from planted import planted_faults

from tokharness import plugins
from tokharness.engine.events import AnswersGiven, FamilyFinished, FindingReported, UnitFinished
from tokharness.engine.requests import KnownResults
from tokharness.model import Verdict

pytestmark = pytest.mark.usefixtures("cached_texts")

PLANTED = planted_faults()

FILES = ("json", "sentencepiece", "gguf", "merge_files", "wordpiece_lists", "tekken", "subword_nmt")
"""How the names of modules begin whose faults are those of a file."""

WITHOUT_A_FAULT = {
    "TOK402": "it counts partial characters; no number of them is a fault",
    "TOK404": "U+FFFD in a vocabulary is a fact, not a fault of the tokenizer",
    "TOK405": "it counts tokens of white space; no number of them is a fault",
    "TOK412": "its faults are rows of a model's embeddings, not of a tokenizer",
    "TOK413": "its risk is the name of a file, not a fault of the tokenizer",
    "TOK410": "each vocabulary of byte-level BPE has such pairs; a model has to cope with them",
}
"""Checks without a planted fault, and the reason."""

ONE_FINDING_PER_RULE = frozenset({"cuts_nothing"})
"""Faults that break several rules of a pattern, each of which is reported."""

TIME_LIMIT = 1.0
"""Seconds that a hanging text costs, several times; healthy texts of the families take none."""

STAGE_OF_MODULE = {
    "json_added_tokens": "added tokens",
    "json_decoders": "decoder",
    "json_normalizers": "normalizer",
    "json_pre_tokenizers": "pre-tokenizer",
    "json_pre_tokenizer_engines": "pre-tokenizer",
    "json_models": "model",
    "json_model_engines": "model",
    "json_post_processors": "post-processor",
    "sentencepiece_normalizers": "normalizer",
    "sentencepiece_user_defined": "added tokens",
    "sentencepiece_engines": "model",
    "sentencepiece_decoders": "decoder",
}
"""The stage that the finding of a fault names, by the module of the fault."""

score = {"found": 0, "planted": 0}


@pytest.fixture(scope="module", autouse=True)
def _print_score(request):
    yield
    if score["planted"]:
        capture = request.config.pluginmanager.getplugin("capturemanager")
        with capture.global_and_fixture_disabled():
            print("\nfaults found / planted: {found} / {planted}".format(**score))


def stage_of(fault):
    return STAGE_OF_MODULE.get(fault.spec.split(":")[1].rpartition(".")[2])


def kind_of(fault):
    """Return the module of a fault, and the kind of its cause."""
    return fault.spec.split(":")[1], fault.cause.partition(":")[0]


def test_each_stage_has_planted_faults():
    stages = {stage_of(fault) for fault in PLANTED}
    assert stages == {None, *STAGE_OF_MODULE.values()}, "correct STAGE_OF_MODULE"


def takes_long(fault):
    """Whether it needs a process of its own, much text, the reading of a file, or a clock."""
    reads_a_file = fault.spec.split(":")[1].rpartition(".")[2].startswith(FILES)
    much_text = fault.profile != "quick" or "plain-words" in fault.families
    return fault.crashes or much_text or reads_a_file or fault.code == "TOK114"


QUICK = {fault.code: fault for fault in reversed(PLANTED) if not takes_long(fault)}
"""One planted fault for each check, which is run each time."""


SLOW = sorted(
    (fault for fault in PLANTED if fault not in QUICK.values()),
    key=lambda fault: fault.against == "none",
)
OF_EACH_KIND = {(fault.code, *kind_of(fault)): fault for fault in reversed(SLOW)}
"""A planted fault of each kind, which is run with each change; all are run each night."""

COMPARED = {fault.code: fault for fault in (*SLOW, *QUICK.values()) if fault.against != "none"}
"""A fault of each check. Without a reference no text is known to have its ids."""


@pytest.fixture(scope="module")
def run_of_fault(request, events_of_fault):
    """A planted fault and the events of its run, which two tests look at."""
    return request.param, events_of_fault(request.param, time_limit=TIME_LIMIT)


def parametrized(faults):
    nightly = [fault for fault in SLOW if fault not in OF_EACH_KIND.values()]
    marked = [
        pytest.param(fault, id=fault.name, marks=[pytest.mark.nightly] if fault in nightly else [])
        for fault in faults
    ]
    return pytest.mark.parametrize("run_of_fault", marked, indirect=True)


def assert_found(fault, events, summarize):
    score["planted"] += 1
    reported = findings_of(events)
    findings = [finding for finding in reported if finding.verdict is not Verdict.FACT]
    expected = [
        finding
        for finding in findings
        if finding.code == fault.code and str(finding.cause).startswith(fault.cause)
    ]
    bugs = [finding for finding in findings if finding.verdict is Verdict.BUG]
    assert expected, f"no {fault.code} {fault.cause}, but {summarize(findings)}"
    assert len(expected) == 1 or fault.name in ONE_FINDING_PER_RULE, summarize(findings)
    assert summarize(bugs) in ([], summarize(expected)), "one fault is more than one finding"
    if fault.code in ("TOK201", "TOK202") and (stage := stage_of(fault)):
        assert [finding.evidence.get("stage") for finding in expected] == [stage]
    for finding in expected:
        if isinstance(finding.text, str) and fault.families:
            assert len(finding.text) <= fault.longest
    score["found"] += 1


def findings_of(events):
    return [event.finding for event in events if isinstance(event, FindingReported)]


@pytest.mark.slow
@parametrized(QUICK.values())
def test_a_planted_fault_is_found(run_of_fault, summarize):
    assert_found(*run_of_fault, summarize)


@pytest.mark.slow
@parametrized(SLOW)
def test_a_slow_planted_fault_is_found(run_of_fault, summarize):
    assert_found(*run_of_fault, summarize)


@pytest.mark.slow(every=4)
@parametrized(COMPARED.values())
def test_a_second_run_has_the_findings_and_counts_of_the_first(run_of_fault, events_of_fault):
    fault, first = run_of_fault
    compared = {(e.family, e.number): e.digest for e in first if isinstance(e, UnitFinished)}
    answers = next((e.answers for e in first if isinstance(e, AnswersGiven)), {})
    known = KnownResults(compared=compared, answers=answers)
    second = events_of_fault(fault, time_limit=TIME_LIMIT, known=lambda _: known)
    assert summaries_of(second) == summaries_of(first)


def summaries_of(events):
    """Return what findings are, and counts; texts of races and hangs differ by chance."""
    by_chance = ("TOK104", "TOK109", "TOK114")
    findings = [
        (one.code, str(one.cause), None if one.code in by_chance else one.text)
        for one in findings_of(events)
    ]
    return findings, [event for event in events if isinstance(event, FamilyFinished)]


def test_there_are_at_least_ninety_planted_faults():
    assert len(PLANTED) >= 90


def test_the_expected_cause_of_a_fault_is_not_empty():
    assert [fault.name for fault in PLANTED if not fault.cause.strip(": ")] == []


def test_every_check_has_a_planted_fault():
    known = {fault.code for fault in PLANTED} | set(WITHOUT_A_FAULT)
    assert set(plugins.checks()) == known, (
        "add a function with the decorator @fault to tests/planted, or a reason to WITHOUT_A_FAULT"
    )
