"""Five crashing targets and a healthy one in one run: each is reported separately."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

CRASHING = Path(__file__).parents[1] / "crashing_tokenizers.py"
TOKHARNESS = (sys.executable, "-c", "from tokharness.cli import main; main()")
EXPECTED = {
    "AbortsOnFamilyEmoji": ("TOK104", "crash: encode, SIGABRT"),
    "HangsOnTwentyMarks": ("TOK104", "hang: encode"),
    "TakesTheSquareOfTheLength": ("TOK104", "out of memory: encode"),
    "PanicsOnSurrogates": ("TOK102", "panics: encode, PanicError, no scalar value"),
    "KillsItselfOnOverride": ("TOK104", "crash: encode, SIGSEGV"),
}
FAMILIES = "emoji,combining-stacks,long-inputs,surrogates,bidi"
"""One for each crashing target, and in its order."""


@pytest.fixture(scope="module")
def report():
    specs = [f"python:{CRASHING}:{name}" for name in (*EXPECTED, "Healthy")]
    options = ["--profile", "quick", "--time-limit", "2", "--format", "json"]
    words = [*TOKHARNESS, "check", *specs, "--family", FAMILIES, *options]
    outcome = subprocess.run(words, capture_output=True, check=False, timeout=300)
    assert outcome.returncode == 1, outcome.stderr
    return json.loads(outcome.stdout)


@pytest.fixture(scope="module")
def bugs(report):
    return {
        target["spec"].rpartition(":")[2]: [
            finding
            for finding in report["findings"]
            if finding["spec"] == target["spec"] and finding["verdict"] == "bug"
        ]
        for target in report["targets"]
    }


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("name", EXPECTED)
def test_each_crash_is_one_finding(bugs, name):
    assert [(one["code"], one["cause"]) for one in bugs[name]] == [EXPECTED[name]]


@pytest.mark.slow
@pytest.mark.nightly
def test_each_finding_has_the_one_text(bugs):
    texts = {name: findings[0]["text"] for name, findings in bugs.items() if findings}
    assert texts["AbortsOnFamilyEmoji"] == "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert texts["HangsOnTwentyMarks"] == texts["HangsOnTwentyMarks"][0] * 20
    assert texts["PanicsOnSurrogates"] == "\ud800"
    assert texts["KillsItselfOnOverride"] == "\u202e"
    square = texts["TakesTheSquareOfTheLength"]
    assert set(square) == {"a"}
    assert abs(len(square) ** 2 - (2 << 30)) < 0.01 * (2 << 30)


@pytest.mark.slow
@pytest.mark.nightly
def test_the_healthy_target_passes_and_all_are_run(report, bugs):
    assert bugs["Healthy"] == []
    assert len({json.dumps(target["families"]) for target in report["targets"]}) == 1
