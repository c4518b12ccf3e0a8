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
from tokharness.scanning.store import Store

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
