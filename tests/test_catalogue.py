"""Each planted fault is reported by its check, with its cause and a small text.

Each test process prints its score, faults found of faults planted. The whole standard profile over
all faults is in ``tests/benchmarks/full_catalogue.py``.
"""

import pytest

from tokharness import plugins
from tokharness.model import Verdict
from tokharness_tokenizers.faulty import planted_faults

pytestmark = pytest.mark.usefixtures("cached_texts")

PLANTED = planted_faults()

FILES = ("json", "sentencepiece", "gguf", "merge_files", "wordpiece_lists", "tekken", "subword_nmt")
"""How the names of modules begin whose faults are those of a file."""

WITHOUT_A_FAULT = {
    "TOK402": "it counts partial characters; no number of them is a fault",
    "TOK404": "U+FFFD in a vocabulary is a fact, not a fault of the tokenizer",
    "TOK405": "it counts tokens of white space; no number of them is a fault",
    "TOK412": "its faults are rows of a model's embeddings, not of a tokenizer",
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


def test_each_stage_has_planted_faults():
    assert {stage_of(fault) for fault in PLANTED} == {None, *STAGE_OF_MODULE.values()}


def takes_long(fault):
    """Whether it needs a process of its own, much text, or the reading of a file."""
    reads_a_file = fault.spec.split(":")[1].rpartition(".")[2].startswith(FILES)
    return fault.crashes or fault.profile != "quick" or reads_a_file


QUICK = {fault.code: fault for fault in reversed(PLANTED) if not takes_long(fault)}
"""One planted fault for each check, which is run each time."""


def faults(*, slow):
    quick = [fault.name for fault in QUICK.values()]
    return [
        pytest.param(fault, id=fault.name) for fault in PLANTED if (fault.name not in quick) == slow
    ]


def assert_found(fault, findings_of_fault, summarize):
    score["planted"] += 1
    findings = findings_of_fault(fault, time_limit=TIME_LIMIT)
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


@pytest.mark.parametrize("fault", faults(slow=False))
def test_a_planted_fault_is_found(fault, findings_of_fault, summarize):
    assert_found(fault, findings_of_fault, summarize)


@pytest.mark.slow
@pytest.mark.parametrize("fault", faults(slow=True))
def test_a_slow_planted_fault_is_found(fault, findings_of_fault, summarize):
    assert_found(fault, findings_of_fault, summarize)


def test_there_are_at_least_ninety_planted_faults():
    assert len(PLANTED) >= 90


def test_the_expected_cause_of_a_fault_is_not_empty():
    assert [fault.name for fault in PLANTED if not fault.cause.strip(": ")] == []


def test_every_check_has_a_planted_fault():
    assert set(plugins.checks()) == {fault.code for fault in PLANTED} | set(WITHOUT_A_FAULT)
