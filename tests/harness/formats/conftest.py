"""Reports in which every text is hostile."""

from dataclasses import replace

import pytest
import regex

from tokharness.changes import Change, Example, GateResult, Renderings
from tokharness.config import Options
from tokharness.engine.events import (
    FamilyFinished,
    FindingReported,
    SkipRecorded,
    TargetFinished,
    TargetStarted,
)
from tokharness.model import Cause, Finding, Skip, Verdict
from tokharness.results.report import Collector

HOSTILE = (
    "\x1b[31mred\x1b[0m [/red] [bold] `x` | <script>alert(1)</script> \u202egnp.exe\u2069 \r\n"
    "\x07\x9b2J \ud800 \ude00\ud83d \u200b a\u0301\u0301 ![i](http://x) ::error:: \u2028 \\u{41}"
)


def finding(verdict=Verdict.BUG, text=HOSTILE, **fields):
    cause = Cause("a kind", (("of", HOSTILE),), verdict, f"message {HOSTILE}")
    values = {
        "spec": f"python:{HOSTILE}.py:make",
        "code": "TOK999",
        "name": "a-name",
        "cause": cause,
        "count": 12345,
        "text": text,
        "families": ("digits", "emoji"),
        "reproduce": "tokharness show --json '\"\\u200b\"' python:x.py:make",
        "other_checks": ("TOK998",),
        "evidence": {"text": HOSTILE},
    }
    return Finding(**(values | fields))


UNSEEN = regex.compile(
    r"[\p{C}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}--\n]", regex.V1
)


def change(kind="changed-ids", text=HOSTILE, **fields):
    values = {
        "what": f"what {text}",
        "message": f"message {text}",
        "fingerprint": "0123456789abcdef",
        "examples": (Example(text, (1, 2, 3), f"Error {text}"), Example("b", (), (4,) * 99)),
        "count": 1234,
    }
    return Change(kind, **(values | fields))


def report_of(*findings, interrupted=False, text=HOSTILE, seconds=1.5):
    target = findings[0].spec if findings else "reference"
    collector = Collector(Options())
    collector.add(TargetStarted(target, text, ("count",), None, "16.0", ("digits",), ("TOK999",)))
    collector.add(SkipRecorded(Skip(target, f"what {text}", f"why {text}")))
    collector.add(FamilyFinished(target, "digits", 1234, 5))
    for one in findings:
        collector.add(FindingReported(one))
    if not interrupted:
        collector.add(TargetFinished(target, 1234, seconds, 0.25))
    return collector.report(interrupted=interrupted)


def gate_of(*changes, text=HOSTILE, **fields):
    report = report_of(finding(), text=text, **fields)
    return replace(report, gate=GateResult(text, text, changes, accepted=2, golden_texts=1000))


@pytest.fixture(scope="session")
def make_change():
    return change


@pytest.fixture(scope="session")
def make_gate():
    """Report of a gate: failing and other changes, all hostile."""
    return gate_of


@pytest.fixture(scope="session")
def reports_of_text():
    """Reports, of a check and of a gate, with a text wherever one can be."""

    def reports(text):
        cause = Cause("kind", (("of", text),), Verdict.BUG, text)
        risk = replace(cause, verdict=Verdict.RISK)
        common = {"spec": "t" + text, "reproduce": text}
        part = {"part": text, "text": text, "ids": text}
        bug = finding(text=text, cause=cause, evidence={"conversation": [part]}, **common)
        check = report_of(bug, finding(cause=risk, text=text, **common), text=text)
        gate = gate_of(
            change("new-finding", text, finding=bug),
            change("changed-rendering", text, renderings=Renderings(text, f"a{text}", f"{text}b")),
            change("b", text, fails=False),
            text=text,
        )
        places = {"t" + text: text, bug.spec: text}
        return [replace(one, locations=places) for one in (check, gate)]

    return reports


@pytest.fixture(scope="session")
def shows_itself():
    """Return a function that checks that all characters except newlines are visible."""
    return lambda output: not UNSEEN.search(output)


@pytest.fixture
def make_report():
    return report_of


@pytest.fixture
def make_finding():
    return finding


@pytest.fixture
def hostile():
    return HOSTILE


@pytest.fixture
def report(make_report):
    return make_report(finding(), finding(Verdict.RISK, b"\xff\x00a"), finding(Verdict.FACT, None))


@pytest.fixture
def measured(report, hostile):
    """The hostile report, with measures in which every text is hostile."""
    one = {
        "text": hostile,
        "ids": [1, 2],
        "bytes": ["61", "f0"],
        "decoded_if_different": hostile,
        "error": hostile,
    }
    raised = {
        "text": "b",
        "ids": None,
        "bytes": None,
        "decoded_if_different": None,
        "error": hostile,
    }
    unknown = {"text": "c", "ids": [1], "bytes": None, "decoded_if_different": None, "error": None}
    encodings = [one, raised, unknown]
    labelled = [{"label": f"{number} {hostile}", **row} for number, row in enumerate(encodings)]
    outcomes = {"tested": 3, "text": 1, "other text": 1, "special id": 1, "raised": 0}
    near_miss = {"why": hostile, "text": hostile, "outcome": hostile, "tokens": None}
    language = {
        "code": "en",
        "name": hostile,
        "script": "Latin",
        "characters": 3,
        "bytes": 3,
        "tokens": 2,
        "english_tokens": 2,
        "english_words": 1,
        "words": 1,
        "single_token_words": 0,
        "lossless": True,
    }
    cost = {
        **{key: language[key] for key in ("name", "script", "characters", "bytes", "tokens")},
        "lossless": False,
        "lost_characters": 0,
    }
    encoded = {"texts": 2, "characters": 9, "bytes": 12, "words": 3}
    counts = {
        **encoded,
        "distinct_characters": 7,
        "distinct_words": 2,
        "encoded": encoded,
        "tokens": 5,
    }
    measures = {
        "code": [{"language": hostile, "bytes": 3, "tokens": 2, "lossless": True}],
        "parallel": {
            "source": hostile,
            "lines": 2,
            "languages": [
                {**cost, "code": "en", "premium": 1.0},
                {**cost, "code": hostile, "premium": 2.5},
                {**cost, "code": "zz", "premium": None, "tokens": None},
            ],
            "left_out": [{"code": hostile, "reason": hostile}],
        },
        "prose": {"bytes": 3, "tokens": 2, "lossless": True, "words": 1, "single_token_words": 1},
        "coverage": [
            {
                "block": "Basic Latin",
                "first": 0,
                "last": 127,
                "assigned": 128,
                "since": "7.0",
                "tested": 64,
                "encoded": 63,
                "tokens": 64,
                "lost": 1,
                "raised": 1,
            }
        ],
        "growth": [{"unit": hostile, "sizes": [1000, 2000], "seconds": [0.001, 0.002]}],
        "invisible": labelled,
        "white_space": labelled,
        "languages": [language, {**language, "code": "xx", "tokens": None}],
        "leading_space": [{"word": hostile, "encodings": [one] * 9}],
        "numbers": {"policy": hostile, "encodings": encodings},
        "sequences": {
            "algorithm": hostile,
            "n_vocab": 9,
            "special_tokens": 1,
            "groups": [
                {"group": "all texts", **counts, "unknown": 1, "lossy": 1},
                {"group": "English prose", **counts, "unknown": 0, "lossy": 0},
                {"group": "all languages", **counts, "unknown": 1, "lossy": 1},
                {"group": hostile, **counts, "unknown": 0, "lossy": 0},
            ],
        },
        "special_tokens": {
            "tokens": {hostile: 7},
            "families": [{"family": "special-tokens", **outcomes}],
            "kinds": [{"family": "x", "kind": hostile, **outcomes, "example": near_miss}],
            "not_read_as_text": [near_miss],
        },
        "throughput": [
            {
                "text": hostile,
                "bytes": 9,
                "encode_mb_per_second": 1.5,
                "decode_mb_per_second": None,
                "reference_mb_per_second": None,
            }
        ],
        "vocabulary": {
            "n_vocab": 9,
            "tokens": 2,
            "special_tokens": {hostile: 7},
            "byte_lengths": {"1": 1, "99": 1},
            "kinds": {hostile: 2},
            "scripts": {"Old_Italic": 1},
            "longest": [[1, "f09f"]],
        },
        "texts": [{**one, "reference": raised}],
    }
    target = replace(report.targets[0], measures=measures)
    other = replace(target, started=replace(target.started, spec="tiktoken:other"))
    return replace(report, targets=(target, other), policy={"path": hostile, "expect": [hostile]})
