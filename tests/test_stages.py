"""A difference between two tokenizers of one ``tokenizer.json`` is reported with its stage."""

import pytest

from tokharness_tokenizers.faulty import planted_faults

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("cached_texts")]

STAGE_OF_MODULE = {
    "json_added_tokens": "added tokens",
    "json_normalizers": "normalizer",
    "json_pre_tokenizers": "pre-tokenizer",
    "json_models": "model",
    "json_model_engines": "model",
    "json_pre_tokenizer_engines": "pre-tokenizer",
    "json_post_processors": "post-processor",
}


def stage_of(fault):
    module = fault.spec.split(":")[1].rpartition(".")[2]
    return STAGE_OF_MODULE.get(module)


FAULTS = [fault for fault in planted_faults() if stage_of(fault) and fault.code == "TOK201"]


def test_each_stage_has_planted_faults():
    assert {stage_of(fault) for fault in FAULTS} == set(STAGE_OF_MODULE.values())


@pytest.mark.parametrize("fault", [pytest.param(fault, id=fault.name) for fault in FAULTS])
def test_the_finding_of_a_fault_names_its_stage(fault, findings_of_fault, summarize):
    findings = findings_of_fault(fault)
    stages = [finding.evidence.get("stage") for finding in findings]
    assert stages == [stage_of(fault)], summarize(findings)
