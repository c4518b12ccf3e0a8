"""A scan on a cluster of two nodes: the same report, whatever ends while it runs."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tokharness.config import Options
from tokharness.corpora.sources import find_sources
from tokharness.engine.events import ShardScanned
from tokharness.formats import json_object
from tokharness.results.report import Collector
from tokharness.scanning import plan
from tokharness.scanning.plan import Settings
from tokharness.scanning.scan import Corpus, Place, scan

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("ray"),
    pytest.mark.filterwarnings("ignore"),  # Ray warns of itself
]

FILE = Path(__file__).parents[1] / "scanned_tokenizers.py"
CHANGED, LOSSLESS = (f"python:{FILE}:{name}" for name in ("Changed", "Lossless"))
SHARDS = 12
MARK = "TOKHARNESS_TEST_CLUSTER"
LARGE = 80 << 20
"""Bytes of the object store of a node."""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Start two nodes with a processor each; the environment of their processes has a mark."""
    import ray
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(MARK, str(tmp_path_factory.mktemp("cluster")))
        patch.setenv("RAY_worker_niceness", "0")
        head = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": LARGE}
        nodes = Cluster(initialize_head=True, head_node_args=head)
        try:
            nodes.second = nodes.add_node(num_cpus=1, object_store_memory=LARGE)
            nodes.wait_for_nodes()
            patch.setenv("RAY_ADDRESS", nodes.address)
            yield nodes
        finally:
            ray.shutdown()
            nodes.shutdown()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Write a corpus of twelve shards, in which 17 documents get different ids."""
    path = tmp_path_factory.mktemp("corpus") / "a.jsonl"
    with path.open("w") as file:
        for row in range(1003):
            text = f"row {row}{' planted' * (row % 59 == 3)} " + "x \u00e9" * (row % 7 * 20)
            file.write(json.dumps({"text": text, "lang": ("en", "de")[row % 2]}) + "\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "LEAST_SHARD_BYTES", path.stat().st_size // SHARDS + 1)
        yield Corpus((str(path),), find_sources([str(path)])[0])


def report_of(corpus, place, then=()):
    """Return the report without times; call the functions, one after each finished shard."""
    options = Options(against=LOSSLESS)
    collector, actions = Collector(options), iter(then)
    finished = 0
    for event in scan(CHANGED, options, corpus, Settings(), place):
        collector.add(event)
        if isinstance(event, ShardScanned):
            finished += 1
            next(actions, bool)()
    assert finished == SHARDS
    record = json.loads(json_object.render(collector.report()))
    del record["created"], record["timings"]
    for target in record["targets"]:
        documents = target["measures"]["corpus"]["documents"]
        documents[:] = [one for one in documents if one["list"] != "slowest"]
    return json.dumps(record, indent=1)


@pytest.fixture(scope="module")
def expected(corpus):
    """Return the report of one worker of this machine."""
    report = report_of(corpus, Place(jobs=1))
    comparison = json.loads(report)["targets"][0]["measures"]["corpus"]["comparison"]
    assert (comparison["compared"], comparison["differing"]) == (1003, 17)
    return report


def kill_actor():
    """Kill one process of the cluster that runs shards."""
    killed = []
    mark = f"{MARK}={os.environ[MARK]}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            is_actor = b"ShardActor" in (process / "cmdline").read_bytes()
            if not killed and is_actor and mark in (process / "environ").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)
                killed.append(process.name)
    assert killed


def test_two_workers_report_what_one_reports(corpus, expected):
    assert report_of(corpus, Place(jobs=2)) == expected


def test_a_cluster_of_two_nodes_reports_what_one_machine_reports(cluster, corpus, expected):
    assert report_of(corpus, Place(ray_jobs=None)) == expected


def test_a_cluster_that_is_not_named_is_not_used(cluster, monkeypatch):
    monkeypatch.delenv("RAY_ADDRESS")
    program = "import ray; from tokharness.engine.run import on_ray; on_ray._ray_data();"
    program += "print(ray.get_runtime_context().gcs_address)"
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert done.stdout.strip() not in ("", cluster.address), done.stderr


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="it needs Linux's /proc")
def test_an_actor_that_is_killed_and_a_node_that_is_removed_lose_nothing(cluster, corpus, expected):
    def remove_node():
        cluster.remove_node(cluster.second)

    assert report_of(corpus, Place(ray_jobs=None), [kill_actor, remove_node]) == expected
