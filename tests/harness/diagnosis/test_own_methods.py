"""Methods of a user's class that have the name of an entry point, and another meaning."""

from types import SimpleNamespace

import pytest

from tokharness.diagnosis.ids.stages import stages_of
from tokharness.model import target_of


@pytest.mark.parametrize("given", ["ab", 7, None, ["ab"], [("model", "ab")], [(1, ["ab"])]])
def test_what_is_no_list_of_stages_is_none(given):
    target = target_of("own", SimpleNamespace(encode=list, decode=str, stages=lambda _: given))
    assert stages_of("ab", target) is None


def test_stages_are_pairs_of_a_name_and_texts():
    rows = [("normalizer", ["ab"]), ["model", ("a", "b")]]
    target = target_of("own", SimpleNamespace(encode=list, decode=str, stages=lambda _: rows))
    assert stages_of("ab", target) == {"normalizer": ["ab"], "model": ["a", "b"]}
