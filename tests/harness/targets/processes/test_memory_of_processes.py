"""A limit of the shell is not taken for the memory that a target needs."""

import resource

import pytest

from tokharness.config import Options
from tokharness.engine.run.pool import Pool
from tokharness.errors import UsageError


@pytest.mark.parametrize(("megabytes", "is_refused"), [(120, True), (1024, False)])
def test_a_process_with_too_little_memory_for_any_target_is_refused(
    megabytes, is_refused, monkeypatch
):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (megabytes << 20, resource.RLIM_INFINITY))
    if is_refused:
        with pytest.raises(UsageError, match="may have 120 MB of memory, and needs 300: raise"):
            Pool("reference", Options(), jobs=0)
    else:
        Pool("reference", Options(), jobs=0)
