"""TOK109: what differs between processes that load the same target."""

import itertools

import pytest

from tokharness.diagnosis.probes.other_process import process_failures
from tokharness.errors import TargetError
from tokharness.model import target_of
from tokharness.targets.subject import Subject

TEXTS = ["a", "x <b>", "<a>"]
CALLS = itertools.count()


def loading(byte_tokenizer, number_of):
    """Return a subject whose other processes have this added token, by the hash seed."""

    def load(seed):
        tokenizer = byte_tokenizer()
        plain, token = tokenizer.encode, number_of(seed)
        tokenizer.encode = lambda text: [token] if text == "<a>" else plain(text)
        return target_of("target", tokenizer)

    return Subject(load(0), other_process=load)


@pytest.mark.parametrize(
    ("number_of", "causes"),
    [
        (lambda _: 256, []),
        (lambda seed: 256 + (seed in (2, 3)), ["state: the hash seed of the process"]),
        (lambda _: 256 + next(CALLS) % 3, ["state: the process"]),
        (lambda seed: 256 + (seed == 0), []),  # only this process differs
    ],
)
def test_ids_that_depend_on_the_process_are_a_bug(byte_tokenizer, number_of, causes):
    failures = list(process_failures(TEXTS, loading(byte_tokenizer, number_of)))
    assert [str(failure.cause) for failure in failures] == causes
    assert [failure.text for failure in failures] == ["<a>"] * len(causes)


def test_the_ids_of_both_processes_are_evidence(byte_tokenizer):
    (failure,) = process_failures(TEXTS, loading(byte_tokenizer, lambda seed: 256 + seed))
    assert failure.evidence["process"] != failure.evidence["other process"]
    for name, ids in (("process", "given"), ("other process", "expected")):
        assert failure.evidence[ids] == [256 + failure.evidence[name]]


def test_a_target_that_does_not_load_again_is_not_compared(byte_tokenizer):
    def load(seed):
        raise TargetError(f"no second one, {seed}")

    subject = Subject(target_of("target", byte_tokenizer()), other_process=load)
    assert list(process_failures(TEXTS, subject)) == []
