"""Shards in the workers of this machine: a file that ends the process which reads it."""

from types import SimpleNamespace

from tokharness.corpora.sources import Source
from tokharness.errors import TargetDeath
from tokharness.scanning.local import LARGE_WORKER, LocalShards, end_large_workers
from tokharness.scanning.plan import Part, Settings, Shard


class Readers:
    """Guarded workers that one file ends; each other file has a document of two tokens."""

    unguarded = ()

    def __init__(self, damaged):
        self._damaged = damaged

    def call_guarded(self, request):
        names = [part["source"]["name"] for part in request.parts]
        if self._damaged in names:
            raise TargetDeath("SIGABRT")
        tables = {"total": {"cases": [len(names)]}}
        tokens = [5, 2 * len(names)]
        rest = {"crashers": [], "seconds": 1.0, "is_whole": True, "unread": ""}
        return {"tables": tables, "tokens": tokens, "samples": {}, **rest}


def result_of(damaged):
    names = {"a.parquet": "parquet", "b.txt": "text", "c.arrow": "arrow"}
    parts = tuple(Part(Source(name, kind, 9, "id")) for name, kind in names.items())
    (result,) = LocalShards(Readers(damaged), Settings()).results([Shard(0, parts)])
    return result


def test_a_file_that_ends_its_reader_costs_that_file_and_is_no_death_of_the_target():
    result = result_of("a.parquet")
    assert result.death is None
    assert result.response["tables"]["total"]["cases"] == [2]
    assert result.response["tokens"] == [5, 4]
    reason = "cannot be read: the process that reads it ends with SIGABRT"
    assert result.response["tables"]["bad"] == {reason: [1]}
    assert result.response["samples"] == {f"places of bad {reason}": [["a.parquet", 0, 1]]}


def test_a_shard_whose_worker_ends_at_a_text_has_no_response():
    result = result_of("b.txt")
    assert result.response is None
    assert result.death.reason == "SIGABRT"


def test_one_large_worker_and_all_small_ones_are_left_for_the_diagnosis():
    large, small = (SimpleNamespace(memory=LARGE_WORKER + more) for more in (1, 0))
    ended = []
    end_large_workers(SimpleNamespace(unguarded=[large, large, small], drop=ended.append))
    assert ended == [large]
