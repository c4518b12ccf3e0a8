"""What a scan says it left out."""

from types import SimpleNamespace

import pytest

from tokharness.scanning.record import Record
from tokharness.scanning.scan import not_compared


@pytest.mark.parametrize(
    ("compared", "left"), [(2, []), (1, ["comparison of 1 documents with the reference"])]
)
def test_documents_are_only_left_out_if_some_were_not_compared(compared, left):
    record = Record()
    record.add("total", "cases", 2)
    record.add("total", "compared", compared)
    skips = not_compared("hf:a.json", SimpleNamespace(compared=0.5), record)
    assert [one.what for one in skips] == left
