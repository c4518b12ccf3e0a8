"""``tokharness report``: the report of an earlier run in other formats."""

import json

import pytest


@pytest.fixture(scope="module")
def earlier():
    """What the first run of these tests printed, and its report."""
    return []


@pytest.fixture(name="run")
def _run(check, tmp_path, earlier):
    path = tmp_path / "run.json"
    if not earlier:
        earlier[:] = check("reference", "--report", f"json={path}"), path.read_text()
    message, report = earlier
    path.write_text(report)
    return path, message


@pytest.mark.slow
def test_the_report_equals_that_of_the_run(command, run):
    path, message = run
    again = command("report", str(path))
    assert again.code == 0
    assert again.out == message.out


@pytest.mark.slow
def test_other_report_files_are_written(command, run, tmp_path):
    path, _ = run
    page, table = tmp_path / "page.html", tmp_path / "table.csv"
    files = ("--report", f"html={page}", "--report", f"csv={table}")
    assert command("report", str(path), *files, "--format", "markdown").out.startswith(
        "# tokharness"
    )
    assert page.read_text().startswith("<!doctype html>")
    assert table.read_text().startswith('"spec"')


@pytest.mark.slow
def test_the_json_is_the_same(command, run):
    path, _ = run
    assert command("report", str(path), "--format", "json").out == path.read_text()


@pytest.mark.slow
def test_measure_collects_metrics(check, tmp_path):
    path = tmp_path / "run.json"
    check("reference", "--measure", "--report", f"json={path}")
    (target,) = json.loads(path.read_text())["targets"]
    assert {"languages", "coverage", "texts"} <= target["measures"].keys()


@pytest.mark.nightly
@pytest.mark.slow
def test_an_html_report_collects_metrics_by_default(check, tmp_path):
    path = tmp_path / "run.html"
    check("reference", "--report", f"html={path}")
    assert 'id="languages"' in path.read_text()
    check("reference", "--no-measure", "--report", f"html={path}")
    assert 'id="languages"' not in path.read_text()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot read the report"),
        ("{", "is not a report: invalid JSON"),
        ("7", "is not a report"),
    ],
)
def test_a_file_that_is_not_a_report_is_an_error(command, tmp_path, content, message):
    path = tmp_path / "run.json"
    if content is not None:
        path.write_text(content)
    outcome = command("report", str(path))
    assert outcome.code == 2
    assert message in outcome.err


def test_a_damaged_value_is_refused_before_anything_is_written(command, run, tmp_path):
    path, _ = run
    record = json.loads(path.read_text())
    drawn = {"text": "a", "ids": [], "bytes": ["61"], "decoded_if_different": None, "error": None}
    record["targets"][0]["measures"] = {"leading_space": [{"word": "a", "encodings": [drawn]}]}
    path.write_text(json.dumps(record))
    table = tmp_path / "t.csv"
    outcome = command("report", str(path), "--report", f"csv={table}", "--format", "html")
    assert outcome.code == 2
    assert "ids and bytes differ in length" in outcome.err
    assert not table.exists()


def test_the_schema_of_a_report_is_written(command):
    assert json.loads(command("schema", "report").out)["title"] == "Report of tokharness"
