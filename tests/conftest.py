"""Fixtures that run the harness over a planted fault or over a target."""

import gc
import os
import signal
from collections import Counter
from dataclasses import replace
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tokharness import plugins
from tokharness.cli import _progress
from tokharness.config import Options
from tokharness.engine.events import FindingReported
from tokharness.engine.requests import nothing_known
from tokharness.engine.run.run import run
from tokharness.engine.run.selection import SMALLEST_FAMILY
from tokharness.model import Verdict
from tokharness.results.comparison_cache import FOLDER

# No test, and no process that it starts, uses or writes the cache of the user.
os.environ[FOLDER] = ""

# A process that the tests start finds the package of planted faults, as the tests themselves do.
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
)

# A shell that starts the tests in the background ignores these, and so do their subprocesses.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)

# Without bytecode each worker process compiles tokharness again: half of the time of its start.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    bytecode = Path(__file__).parents[1] / ".pytest_cache" / "bytecode"
    os.environ["PYTHONPYCACHEPREFIX"] = str(bytecode)


# No test has a clock: a busy machine is not a failure. What fails is printed as @reproduce_failure.
settings.register_profile(
    "tokharness", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("tokharness")


@pytest.hookimpl(tryfirst=True)  # before the marks of -m choose tests
def pytest_collection_modifyitems(items):
    slow = Counter()
    for item in items:
        if mark := item.get_closest_marker("slow"):
            name = item.nodeid.partition("[")[0]
            if slow[name] % mark.kwargs.get("every", 1):
                item.add_marker("nightly")
            slow[name] += 1
        for mark in item.iter_markers("needs"):
            if not _is_installed(*mark.args):
                item.add_marker(pytest.mark.skip(f"{' '.join(mark.args)} is not installed"))


def pytest_collection_finish():
    """Leave the tests themselves and what they import to no collection of garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@cache
def _is_installed(name, release=""):
    try:
        return f"{version(name)}.".startswith(f"{release}." if release else "")
    except PackageNotFoundError:
        return False


@pytest.fixture(autouse=True)
def _no_heartbeat(monkeypatch):
    """Say nothing of a run that takes ten seconds on a busy machine: tests count the lines."""
    monkeypatch.setattr(_progress, "SECONDS", 1e6)


def events(spec, jobs=0, measures=False, known=nothing_known, **options):
    options = {"profile": "quick", "examples": 10, "against": "none", **options}
    return list(run([spec], Options(**options), jobs=jobs, measures=measures, known=known))


@pytest.fixture(scope="session", name="events")
def _events():
    """Return the events of a run over a target, by default a quick one."""
    return events


@pytest.fixture(scope="session")
def events_of_fault(tmp_path_factory):
    """Return the events of a run of the check for a fault.

    By default the run has only the families that the fault names.
    """
    folder = tmp_path_factory.mktemp("corpora")

    def events_of(fault, **options):
        options = {
            "families": fault.families or (SMALLEST_FAMILY,),
            "against": fault.against,
            "profile": fault.profile,
            "select": (fault.code,),
            **options,
        }
        if fault.corpus:
            corpus = folder / f"{fault.name}.txt"
            corpus.write_text(fault.corpus, "utf-8")
            options["corpus"] = str(corpus)
        return events(fault.spec, int(fault.crashes), **options)

    return events_of


@pytest.fixture(scope="session")
def findings_of_fault(events_of_fault):
    """Return the bugs and risks that the check for a fault reports."""

    def findings(fault, **options):
        stream = events_of_fault(fault, **options)
        reported = [event.finding for event in stream if isinstance(event, FindingReported)]
        return [finding for finding in reported if finding.verdict is not Verdict.FACT]

    return findings


@pytest.fixture(scope="module")
def cached_texts():
    """Keep the texts of each family: most runs of a test module have equal facts.

    The texts of one pattern may take 300 MB, so that few are kept.
    """
    originals = dict(plugins.families())
    for name, family in originals.items():
        # Their texts differ between targets with equal facts.
        if name in {"contractions", "merge-orders", "vocabulary-tokens"}:
            continue
        plugins.families()[name] = replace(family, texts=lru_cache(2)(family.texts))
    yield
    plugins.families().update(originals)


@pytest.fixture(scope="session")
def summarize():
    """Return the code and the cause of each finding, as text."""
    return lambda findings: [f"{finding.code} {finding.cause}" for finding in findings]
