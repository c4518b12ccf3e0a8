"""Runs of the catalogue: over a planted fault, or over a whole target."""

import signal
from dataclasses import replace
from functools import cache

import pytest

from tokharness import plugins
from tokharness.config import Options
from tokharness.engine.events import Found
from tokharness.engine.run.run import run
from tokharness.engine.run.selection import SMALLEST
from tokharness.model import Verdict

# A shell that starts the tests in the background has Ctrl-C ignored, by all that they start too.
signal.signal(signal.SIGINT, signal.default_int_handler)


def events(spec, jobs=0, measures=False, **options):
    options = {"profile": "quick", "examples": 10, "against": "none", **options}
    return list(run([spec], Options(**options), jobs=jobs, measures=measures))


@pytest.fixture(scope="session", name="events")
def _events():
    """Events of a quick run over a target, unless options say otherwise."""
    return events


@pytest.fixture(scope="session")
def findings_of_fault():
    """Bugs and risks that the check for a fault finds, in the fewest families that show it."""

    def findings(one, **options):
        wanted = {
            "families": one.families or (SMALLEST,),
            "against": one.against,
            "profile": one.profile,
            "select": (one.code,),
        }
        seen = events(one.spec, int(one.deadly), **{**wanted, **options})
        found = [event.finding for event in seen if isinstance(event, Found)]
        return [finding for finding in found if finding.verdict is not Verdict.BY_DESIGN]

    return findings


@pytest.fixture(scope="module")
def texts_made_once():
    """Make the texts of each family once for all runs of a module."""
    known = dict(plugins.families())
    for name, family in known.items():
        plugins.families()[name] = replace(family, texts=cache(family.texts))
    yield
    plugins.families().update(known)


@pytest.fixture(scope="session")
def told():
    """What is told of some findings: code and cause of each."""
    return lambda found: [f"{one.code} {one.cause}" for one in found]
