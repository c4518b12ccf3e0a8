"""The folder of a scan gives back what it was given, and refuses what is damaged in a sentence."""

import gzip
import hashlib
import json
import re

import pytest

from tokharness.corpora.sources import Source
from tokharness.errors import UsageError
from tokharness.scanning import store
from tokharness.scanning.plan import Part, Settings, Shard
from tokharness.scanning.record import Record
from tokharness.scanning.scan import Corpus
from tokharness.scanning.store import Store
from tokharness.scanning.summary import corpus_record

SHARD = Shard(0, (Part(Source("a.txt", "text", 9, "9 bytes")),))
RESPONSE = {"tables": {}, "tokens": [], "samples": {}}
RESPONSE |= {"crashers": [], "seconds": 0.5, "is_whole": True, "unread": ""}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "scan"


def opened(folder):
    return Store.open(folder, [SHARD], Settings(), {"spec": "reference"})


def test_a_response_comes_back(folder):
    assert opened(folder).read(SHARD) is None
    opened(folder).write(SHARD, RESPONSE)
    assert opened(folder).read(SHARD) == (RESPONSE, [])
    opened(folder).write(SHARD, RESPONSE, ["SIGABRT", "detail"])
    assert opened(folder).read(SHARD) == (RESPONSE, ["SIGABRT", "detail"])


NO_FILES = {"version": 1, "target": {}, "settings": {}}
OTHER_FILES = [
    (b"", "cannot use the folder"),
    (b"[" * 10**5, "cannot use the folder .* nested too deep"),
    (b"[1]", "is no folder of a scan"),
    (json.dumps({"version": 1}).encode(), "corpus.json is damaged"),
    (json.dumps({**NO_FILES, "files": ["a.txt"]}).encode(), "corpus.json is damaged"),
    (json.dumps({"version": 1, "files": {}}).encode(), "corpus.json is damaged"),
    (json.dumps({**NO_FILES, "files": {"a.txt": "x" * 10**5}}).encode(), "a.txt changed since"),
    (json.dumps({**NO_FILES, "files": {"x" * 10**5: "x"}}).encode(), "in the corpus of the scan"),
]


@pytest.mark.parametrize(("content", "message"), OTHER_FILES)
def test_a_damaged_list_of_files_is_refused(folder, content, message):
    opened(folder)
    (folder / "corpus.json").write_bytes(content)
    with pytest.raises(UsageError, match=message) as error:
        opened(folder)
    assert len(str(error.value)) < 600


def packed(data):
    return gzip.compress(data, 1, mtime=0)


SHARDS = [
    (packed(b'{"key": 1}'), "it has no response"),
    (packed(b"[]"), "it has no response"),
    (packed(b'{"response": {}}'), "is of another scan"),
    (packed(b"[" * 10**5), "it is nested too deep"),
    (packed(bytes(2000)), "it expands to more than"),
    (packed(b"{}")[:-9], "it is no whole gzip file"),
    (packed(b"{}")[:10] + b"\xff" * 20, "it is no whole gzip file"),
    (b"no gzip", "it is no whole gzip file"),
]


@pytest.mark.parametrize(("content", "message"), SHARDS, ids=range(len(SHARDS)))
def test_a_damaged_shard_is_refused(folder, content, message, monkeypatch):
    if "expands" in message:
        monkeypatch.setattr(store, "MOST_BYTES", 1000)
    opened(folder)
    digest = hashlib.sha256(content).hexdigest().encode()
    (folder / "shard-000000.json.gz").write_bytes(digest + b"\n" + content)
    with pytest.raises(UsageError, match=rf"shard-000000\.json\.gz .*{re.escape(message)}"):
        opened(folder).read(SHARD)


@pytest.mark.parametrize(
    "change", [{"tokens": ["a"]}, {"seconds": None}, {"tables": {"total": {"cases": 5}}}]
)
def test_a_shard_with_other_results_than_a_worker_has_is_refused(folder, change):
    opened(folder).write(SHARD, {**RESPONSE, **change})
    with pytest.raises(UsageError, match="it has no results"):
        opened(folder).read(SHARD)


IMPOSSIBLE = [
    {"tables": {"length": {"4": [1, 2]}}},
    {"tables": {"length": {"9" * 9: [1]}}},
    {"tables": {"ratio": {"tokens by bytes": [1] * 5}}},
    {"tables": {"other": {"a": [1]}}},
    {"tables": {"file": {"a.txt": [1] * 8 + [2]}}},
    {"tables": {"total": {"cases": [-1]}}},
    {"tables": {"total": {"cases": [10**400]}}},
    {"tokens": [1, 2, 3]},
    {"tokens": [1, -2]},
    {"samples": {"longest": [[-9, "a.txt", 0, 1, 9, 9]]}},
    {"samples": {"longest": [[float("nan"), "a.txt", 0, 1, 9, 9, "a"]]}},
    {"samples": {"size of the vocabulary": [["a"]]}},
    {"samples": {"other": [[1]]}},
    {"crashers": [["encode", "a"]]},
    {"seconds": float("inf")},
]


@pytest.mark.parametrize("change", IMPOSSIBLE, ids=range(len(IMPOSSIBLE)))
def test_a_shard_with_numbers_of_no_scan_is_refused(folder, change):
    opened(folder).write(SHARD, {**RESPONSE, **change})
    with pytest.raises(UsageError, match=r"000000.json.gz .*its numbers do not fit together"):
        opened(folder).read(SHARD)


@pytest.mark.parametrize("death", [["a"], [1, 2], "ab", {"a": 1}, None])
def test_a_shard_with_a_death_of_another_shape_is_refused(folder, death):
    opened(folder).write(SHARD, RESPONSE)
    path = folder / "shard-000000.json.gz"
    record = json.loads(gzip.decompress(path.read_bytes()[65:]))
    content = packed(json.dumps({**record, "death": death}).encode())
    path.write_bytes(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
    with pytest.raises(UsageError, match="its numbers do not fit together"):
        opened(folder).read(SHARD)


def test_the_size_of_a_vocabulary_costs_no_memory():
    record = Record(samples={"size of the vocabulary": [[1 << 40]]})
    record.tokens.update([0, 2, -1, 2])
    found = corpus_record(record, Corpus((), ()), Settings(), (), 0, has_reference=False)
    assert found["vocabulary"]["never_used"] == (1 << 40) - 2
    assert found["vocabulary"]["never_used_ids"][:3] == [1, 3, 4]
