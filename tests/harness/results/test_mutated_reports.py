"""Random hostile changes of a report: each is refused in one sentence, or shown harmlessly."""

import json
import random
from pathlib import Path

import pytest

from tokharness.changes import KINDS
from tokharness.engine.events import finding_of
from tokharness.plugins import kinds
from tokharness.results import untrusted
from tokharness.results.report_record import schema

DATA = Path(__file__).with_name("data")
REPORTS = [
    json.loads((DATA / f"{name}.json").read_text("ascii")) for name in ("everything", "faulty")
]


@pytest.fixture
def show(tmp_path, in_every_format):
    """Return a function that shows a report in every format: exit code, errors and outputs."""
    path = tmp_path / "run.json"

    def shown(text):
        path.write_text(text, encoding="utf-8")
        return in_every_format("report", str(path))

    return shown


@pytest.mark.parametrize(
    "seeds",
    [
        range(30),
        *(
            pytest.param(range(first, first + 100), marks=pytest.mark.slow(every=4))
            for first in range(30, 1030, 100)
        ),
    ],
    ids=lambda seeds: f"from-{seeds.start}",
)
def test_a_changed_report_is_refused_or_shown_harmlessly(show, mutations, seeds):
    codes = []
    for seed in seeds:
        generator = random.Random(seed)
        code, err, outputs = show(mutations.mutated_json(generator.choice(REPORTS), generator))
        assert code in (0, 2), (seed, err)
        assert (err.count("\n"), "internal" in err) == (code // 2, False), (seed, err)
        assert "failed: render" not in err, (seed, err)
        for name, output in outputs.items():
            assert mutations.harmless(output.replace("\r\n", "\n")), (seed, name)
        assert "<img src=x" not in outputs.get("html", ""), seed
        codes.append(code)
    assert set(codes) == {0, 2}


@pytest.mark.parametrize("place", ["code", "name", "families", "other_checks", "reproduce"])
@pytest.mark.parametrize("text", ["TOK101\n", "\x1b[2J", "a\u202eb", "<img src=x>\n::error::"])
def test_a_hostile_code_or_name_is_refused(show, place, text):
    report = json.loads(json.dumps(REPORTS[0]))
    value = report["findings"][0][place]
    report["findings"][0][place] = [text] if isinstance(value, list) else text
    code, err, _ = show(json.dumps(report))
    assert (code, err.count("\n")) == (2, 1)
    assert f"$.findings[0].{place}" in err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda report: report["findings"][0].update(spec="other"), "contradict"),
        (lambda report: report["findings"][0].update(fingerprint="0" * 16), "contradict"),
        (lambda report: report["findings"][0].update(cause="another"), "contradict"),
        (lambda report: report["gate"].update(passed=True), "contradict"),
        (lambda report: report["targets"].append(report["targets"][0]), "a target twice"),
        (lambda report: report.update(created="2026-99-99T00:00:00+00:00"), "month must be in"),
        (lambda report: report["options"].update(seed=1.0), "is not of type 'integer'"),
        (lambda report: report["options"].update(time_limit=-1), "less than or equal to"),
        (lambda report: report.update(surprise=1), "'surprise' was unexpected"),
    ],
)
def test_a_report_that_contradicts_itself_is_refused(show, change, message):
    report = json.loads(json.dumps(REPORTS[0]))
    change(report)
    code, err, _ = show(json.dumps(report))
    assert (code, err.count("\n")) == (2, 1)
    assert message in err


@pytest.mark.parametrize(
    ("code", "kind", "evidence"),
    [
        ("TOK303", "costs of families", {"families": [{}]}),
        ("TOK303", "costs of families", {"families": 7}),
        ("TOK303", "costs of families", {"families": [[1]]}),
        ("TOK303", "costs of families", {"families": [{"median": 10**400, "worst text": "a"}]}),
        ("TOK401", "unreachable tokens", {"tokens": [1]}),
        ("TOK401", "unreachable tokens", {"tokens": "many"}),
    ],
)
def test_a_report_with_evidence_that_no_check_gives_is_refused(show, code, kind, evidence):
    report = json.loads((DATA / "embedded.json").read_text("ascii"))
    finding = report["findings"][0]
    finding.update(code=code, cause=kind, cause_kind=kind, cause_parameters={}, evidence=evidence)
    finding["fingerprint"] = finding_of(finding).fingerprint
    code, err, _ = show(json.dumps(report))
    assert (code, err.count("\n")) == (2, 1)
    assert "is not a valid report: " in err
    assert "internal" not in err


def test_a_key_twice_is_refused(show):
    text = json.dumps(REPORTS[0]).replace('"findings"', '"findings": [], "findings"', 1)
    assert "a key twice" in show(text)[1]


def test_a_report_of_gigabytes_is_refused_before_it_is_read(show, monkeypatch):
    monkeypatch.setattr(untrusted, "MAX_BYTES", 1 << 20)
    code, err, _ = show(" " * (1 << 20) + "{}")
    assert code == 2
    assert "is longer than 1 MB" in err


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("code", kinds.CODE),
        ("name", kinds.NAME),
        ("family-name", kinds.FAMILY),
        ("line", kinds.LINE),
    ],
)
def test_a_report_allows_what_a_plugin_may_be_called(name, pattern):
    characters = pattern.pattern.encode("ascii").decode("unicode_escape")
    assert schema()["$defs"][name]["pattern"] == f"^{characters}$"


def test_the_kinds_of_changes_are_those_of_the_gate():
    assert schema()["$defs"]["change"]["properties"]["kind"]["enum"] == list(KINDS)
