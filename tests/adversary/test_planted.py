"""The planted fault is found when nothing attacks."""

import pytest

pytestmark = pytest.mark.slow


def test_the_planted_fault_is_found_without_an_attack(attack):
    outcome = attack("")
    assert outcome.code == 1
    assert outcome.codes == {"TOK101"}
