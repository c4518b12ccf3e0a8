"""``tokharness report``: what a run has told is shown again, without running anything."""

import json

import pytest


@pytest.fixture(name="run")
def _run(check, tmp_path):
    path = tmp_path / "run.json"
    told = check("reference", "--report", f"json={path}")
    return path, told


def test_it_says_what_the_run_has_said(command, run):
    path, told = run
    again = command("report", str(path))
    assert again.code == 0
    assert again.out == told.out


def test_it_writes_any_other_report(command, run, tmp_path):
    path, _ = run
    page, table = tmp_path / "page.html", tmp_path / "table.csv"
    files = ("--report", f"html={page}", "--report", f"csv={table}")
    assert command("report", str(path), *files, "--format", "markdown").out.startswith(
        "# tokharness"
    )
    assert page.read_text().startswith("<!doctype html>")
    assert table.read_text().startswith('"target"')


def test_json_is_the_same_again(command, run):
    path, _ = run
    assert command("report", str(path), "--format", "json").out == path.read_text()


@pytest.mark.slow
def test_a_run_is_measured_where_it_is_asked_for(check, tmp_path):
    path = tmp_path / "run.json"
    check("reference", "--measure", "--report", f"json={path}")
    (target,) = json.loads(path.read_text())["targets"]
    assert {"languages", "coverage", "texts"} <= target["measures"].keys()


@pytest.mark.slow
def test_a_page_is_measured_unless_it_is_not_to_be(check, tmp_path):
    path = tmp_path / "run.html"
    check("reference", "--report", f"html={path}")
    assert 'id="languages"' in path.read_text()
    check("reference", "--no-measure", "--report", f"html={path}")
    assert 'id="languages"' not in path.read_text()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "cannot read the report"),
        ("{", "is no report: it is not JSON"),
        ("7", "is no report"),
    ],
)
def test_what_is_no_report_is_told(command, tmp_path, content, told):
    path = tmp_path / "run.json"
    if content is not None:
        path.write_text(content)
    ended = command("report", str(path))
    assert ended.code == 2
    assert told in ended.err


def test_a_damaged_value_loses_no_other_report(command, run, tmp_path):
    path, _ = run
    record = json.loads(path.read_text())
    drawn = {"text": "a", "ids": [], "bytes": ["61"], "decoded_if_different": None, "error": None}
    record["targets"][0]["measures"] = {"leading_space": [{"word": "a", "encodings": [drawn]}]}
    path.write_text(json.dumps(record))
    table = tmp_path / "t.csv"
    files = ("--report", f"html={tmp_path / 'm.html'}", "--report", f"csv={table}")
    ended = command("report", str(path), *files, "--format", "html")
    assert ended.code == 2
    assert "run.json is damaged or was edited: " in ended.err
    assert "internal" not in ended.err
    assert table.read_text().startswith('"target"')


def test_the_schema_of_a_report_is_written(command):
    assert json.loads(command("schema", "report").out)["title"] == "Report of tokharness"
