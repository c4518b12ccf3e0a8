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


PLAIN = ["a", "a b", "\ud83d\ude00 x"]


def loaded_alone(byte_tokenizer, ids_alone, *, of=lambda _: 0):
    """Return a subject whose process without us gives the texts these ids, after its own ones."""

    def load(seed):
        tokenizer = byte_tokenizer()
        plain = tokenizer.encode
        tokenizer.encode = lambda text: [*plain(text), of(seed)]
        return target_of("target", tokenizer)

    def alone(seed):
        tokenizer = byte_tokenizer()
        plain = tokenizer.encode
        tokenizer.encode = lambda text: [*plain(text), *ids_alone(seed)]
        return target_of("target", tokenizer)

    return Subject(load(0), other_process=load, alone=alone)


@pytest.mark.parametrize(
    ("ids_alone", "causes"),
    [
        (lambda _: [0], []),
        (lambda _: [], ["state: what loads the target"]),
        (lambda _: [next(CALLS)], []),  # at random in our absence alone: nothing is sure
        (lambda _: 1 // 0, []),
    ],
)
def test_other_ids_in_a_process_without_us_are_a_bug(byte_tokenizer, ids_alone, causes):
    failures = list(process_failures(PLAIN, loaded_alone(byte_tokenizer, ids_alone)))
    assert [str(failure.cause) for failure in failures] == causes


def test_a_hash_seed_is_not_taken_for_our_absence(byte_tokenizer):
    subject = loaded_alone(byte_tokenizer, lambda seed: [seed // 2], of=lambda seed: seed // 2)
    (failure,) = process_failures(PLAIN, subject)
    assert str(failure.cause) == "state: the hash seed of the process"
