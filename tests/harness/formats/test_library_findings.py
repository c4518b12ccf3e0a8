"""What is a library's, whatever the file, has a place of its own in every format."""

import json
from dataclasses import replace

import pytest

from tokharness import plugins
from tokharness.model import Verdict
from tokharness.results.report import exit_code

LIBRARY = "tokenizers 1.2"
TITLE = "tokenizers 1.2, whatever the file"


@pytest.fixture
def of_library(make_report, make_finding):
    return make_report(make_finding(library=LIBRARY), make_finding(Verdict.FACT, None))


@pytest.fixture
def rendered(of_library):
    return lambda name, report=of_library: plugins.formats()[name].render(report)


@pytest.mark.parametrize("name", sorted(plugins.formats()))
def test_every_format_names_the_library(name, rendered):
    assert LIBRARY in rendered(name), "show finding.library of each finding that has one"


def test_the_exit_code_is_that_of_the_targets_own_findings(of_library):
    assert exit_code(of_library, "bug") == 0
    options = replace(of_library.options, fail_on_library=True)
    assert exit_code(replace(of_library, options=options), "bug") == 1


def test_the_counts_are_apart(rendered):
    counts = {"bug": 0, "risk": 0, "fact": 1, "library": 1}
    assert json.loads(rendered("json"))["summary"] == counts
    (last,) = rendered("terminal").splitlines()[-1:]
    assert last.startswith("passed: 0 bugs, 0 risks, 1 fact, 1 skipped")
    assert last.endswith(f"{TITLE}: 1 bug")


@pytest.mark.parametrize("name", ["terminal", "markdown", "html"])
def test_the_section_has_its_title(name, rendered):
    assert TITLE in rendered(name)


def test_services_of_ci_show_a_note(rendered):
    assert "::notice " in rendered("github")
    assert [one["severity"] for one in json.loads(rendered("gitlab"))] == ["info"]
    (run,) = json.loads(rendered("sarif"))["runs"]
    assert [one["level"] for one in run["results"]] == ["note"]


def test_junit_has_no_failure(rendered):
    assert 'failures="0"' in rendered("junit")


def test_it_fails_there_with_fail_on_library(of_library, rendered):
    options = replace(of_library.options, fail_on_library=True)
    report = replace(of_library, options=options)
    assert "::error " in rendered("github", report)
    assert 'failures="1"' in rendered("junit", report)
