"""What checks and diagnoses share during a run."""

from dataclasses import replace

import pytest

from tokharness.model import Cause, target_of
from tokharness.targets.subject import Subject
from tokharness.targets.subject_state import Cache, DiagnosisPass, Discoveries, SubjectState


@pytest.mark.parametrize("value", [1, None])
def test_a_cached_value_is_computed_once(value):
    cache, calls = Cache(), []

    def compute():
        calls.append(1)
        return value

    assert [cache.get_or_compute("key", compute) for _ in range(3)] == [value] * 3
    assert calls == [1]


def test_a_value_whose_computation_fails_is_computed_again():
    cache = Cache()
    with pytest.raises(ZeroDivisionError):
        cache.get_or_compute("key", lambda: 1 / 0)
    assert cache.get_or_compute("key", lambda: 2) == 2


def test_a_new_pass_has_learned_nothing():
    diagnosis = DiagnosisPass()
    diagnosis.begin()
    diagnosis.learned = True
    diagnosis.begin()
    assert diagnosis == DiagnosisPass(number=2, learned=False)


def test_characters_are_probed_once_for_each_behavior():
    discoveries = Discoveries()
    first = discoveries.characters("lossy", lambda: {"a": "b"})
    first.probed.add("c")
    assert discoveries.characters("lossy", dict) is first
    assert discoveries.characters("raises").known == {}


def test_causes_are_expected_in_the_block_only():
    state, cause = SubjectState(), Cause("kind")
    with state.expect([cause]):
        assert state.expected_causes == {cause}
    assert state.expected_causes == frozenset()


def test_a_replaced_subject_shares_its_state(byte_tokenizer):
    subject = Subject(target_of("x", byte_tokenizer()))
    assert replace(subject, unicode_version="15.0").cache is subject.cache


def test_the_original_target_has_a_state_of_its_own(byte_tokenizer):
    target = target_of("x", byte_tokenizer())
    subject = Subject(target, original_target=target)
    original = subject.with_original_target()
    assert original.original_target is None
    assert original.cache is not subject.cache
