"""A baseline, and results of a target to compare with it."""

import datetime as dt
from dataclasses import replace

import pytest

from tokharness.baseline import Acceptance, baseline_of
from tokharness.config import Options
from tokharness.engine.events import TargetFinished, TargetStarted
from tokharness.gate import Rules, evaluate_gate
from tokharness.model import Cause, Finding, Skip, Verdict
from tokharness.results.report import TargetReport
from tokharness.targets.snapshot import Explanation, Fingerprint, Golden, Snapshot

TODAY = dt.date(2027, 3, 1)
VERSIONS = {"tokharness": "0.1.0", "unicode": {}, "targets": {}}
OPTIONS = Options(profile="quick")
FINGERPRINT = Fingerprint("00ff", 259, "\\s+", "16.0", None, None, {"<|end|>": 258})
GOLDEN = (
    Golden("everyday", "a cat", (1, 2)),
    Golden("everyday", "it's", (3, 4)),
    Golden("language:en", "January", (5, 6)),
    Golden("language:my", "\u1007\u1014\u103a", (7, 8, 9)),
    Golden("script:Mymr", "\u1000\u1001", (10, 11, 12)),
    Golden("family:emoji", "\U0001f600", (13, 14)),
    Golden("everyday", "bye<|end|>", (15, 258)),
    Golden("unicode:16.0", "\u1c89", (16, 17)),
)


def finding(verdict=Verdict.BUG, code="TOK101", cause="kind", count=3, **fields):
    values = {
        "spec": "target",
        "code": code,
        "name": "lossy-round-trip",
        "cause": Cause(cause, (), verdict, "a message"),
        "count": count,
        "text": "x",
        "families": ("emoji",),
        "reproduce": "tokharness show",
    }
    return Finding(**(values | fields))


def target(*findings, golden=GOLDEN, why=(), skips=(), fingerprint=FINGERPRINT, **started):
    """Results of a target; without a snapshot if ``golden`` is None."""
    values = {
        "spec": "target",
        "against": None,
        "capabilities": ("count", "decode_single_token_bytes"),
        "normalizer": None,
        "unicode_version": "16.0",
        "families": ("emoji",),
        "checks": ("TOK101", "TOK201"),
    }
    snapshot = None if golden is None else Snapshot(fingerprint, tuple(golden), {}, tuple(why))
    return TargetReport(
        started=TargetStarted(**(values | started)),
        families=(),
        findings=findings,
        skips=tuple(Skip("target", what, reason) for what, reason in skips),
        finished=TargetFinished("target", 1, 1.0, 0.5),
        snapshot=snapshot,
    )


def other_ids(changes, golden=GOLDEN):
    """Golden texts, with the ids of some changed: ids by text."""
    assert set(changes) <= {text.text for text in golden}
    return tuple(replace(one, ids=changes.get(one.text, one.ids)) for one in golden)


def acceptance(of, **fields):
    """Acceptance of a finding or of a change."""
    is_finding = isinstance(of, Finding)
    values = {
        "fingerprint": of.fingerprint,
        "kind": "new-finding" if is_finding else of.kind,
        "what": of.name if is_finding else of.what,
        "verdict": of.verdict.value if is_finding else None,
        "reason": "it is known",
        "first_seen": dt.date(2027, 1, 1),
        "expires": None,
        "library": of.library if is_finding else "",
    }
    return Acceptance(**(values | fields))


def baseline(of=None, accepted=(), **fields):
    result = baseline_of("mine", target() if of is None else of, OPTIONS, VERSIONS)
    return replace(result, accepted=tuple(accepted), **fields)


def gate_result(now, before=None, *, options=OPTIONS, today=TODAY, file="mine.json", **rules):
    before = baseline() if before is None else before
    named = {name: rules.pop(name) for name in ("versions", "command") if name in rules}
    return evaluate_gate(now, before, options, Rules(**rules), today, file=file, **named)


@pytest.fixture(scope="session")
def make_finding():
    return finding


@pytest.fixture(scope="session")
def make_target():
    return target


@pytest.fixture(scope="session")
def make_baseline():
    """Baseline of the results of a target, with these acceptances."""
    return baseline


@pytest.fixture(scope="session")
def with_ids():
    return other_ids


@pytest.fixture(scope="session")
def accept():
    return acceptance


@pytest.fixture(scope="session")
def accepting():
    """Baseline that accepts these findings and changes."""
    return lambda *items, **fields: baseline(accepted=[acceptance(i, **fields) for i in items])


@pytest.fixture(scope="session")
def gate():
    """Compare results with a baseline, by default one without findings."""
    return gate_result


@pytest.fixture(scope="session")
def why():
    """Cause of the changed ids of some texts."""
    return lambda cause, *texts: Explanation(Cause(cause, (), Verdict.BUG, ""), texts)


@pytest.fixture(scope="session")
def with_one_cause(make_target, with_ids, why):
    """Results with these findings and a text whose ids changed by the cause of the findings."""
    golden, causes = with_ids({"a cat": (9, 9)}), [why("kind", "a cat")]
    return lambda *findings: make_target(*findings, golden=golden, why=causes)


@pytest.fixture(scope="session")
def kinds():
    """Kinds of the failing changes of a gate, in order."""
    return lambda result: [change.kind for change in result.failing]


@pytest.fixture
def today():
    return TODAY


@pytest.fixture
def fingerprint():
    return FINGERPRINT


@pytest.fixture(scope="session")
def golden():
    return GOLDEN
