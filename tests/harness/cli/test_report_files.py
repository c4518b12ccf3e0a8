"""``--report FORMAT=PATH``: atomic, and checked to be writable before the run."""

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from tokharness import plugins
from tokharness.engine.worker.operations import load

TARGET = "tiktoken:embedded"


def test_reports_are_written_in_addition_to_the_output(check, tmp_path):
    outcome = check(
        *(TARGET, "--select", "TOK101"),
        *("--report", f"json={tmp_path / 'a.json'}", "--report", f"markdown={tmp_path / 'b.md'}"),
    )
    assert outcome.code == 0
    assert outcome.out.splitlines()[-1].startswith("passed")
    assert json.loads((tmp_path / "a.json").read_text("ascii"))["summary"]["bug"] == 0
    assert (tmp_path / "b.md").read_text("utf-8").startswith("# tokharness report")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "b.md"]


def test_a_report_replaces_the_previous_one(check, tmp_path):
    path = tmp_path / "a.json"
    path.write_text("the one before")
    check(TARGET, "--select", "TOK101", "--report", f"json={path}")
    assert json.loads(path.read_text("ascii"))


def test_a_report_can_be_read_by_others(check, tmp_path):
    path = tmp_path / "a.json"
    check(TARGET, "--select", "TOK101", "--report", f"json={path}")
    assert stat.S_IMODE(path.stat().st_mode) & 0o444 == 0o444


@pytest.fixture
def untouched(monkeypatch):
    """Fail if any target is loaded."""

    def loaded(*_):
        raise AssertionError("work was done")

    monkeypatch.setattr(load, "load_subject", loaded)


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize("path", ["no/such/folder/a.json", "."])
def test_a_path_that_is_not_writable_is_reported_before_the_run(check, tmp_path, path):
    outcome = check(TARGET, "--report", f"json={tmp_path / path}")
    assert outcome.code == 2
    assert "cannot write a report to" in outcome.err
    assert "work was done" not in outcome.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
@pytest.mark.usefixtures("untouched")
def test_a_folder_without_permission_is_reported_before_the_run(check, tmp_path):
    tmp_path.chmod(0o500)
    assert check(TARGET, "--report", f"json={tmp_path / 'a.json'}").code == 2


@pytest.mark.usefixtures("untouched")
def test_two_reports_in_one_file_are_an_error_before_the_run(check, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = check(TARGET, "--report", "json=a", "--report", f"csv={tmp_path / 'a'}")
    assert outcome.code == 2
    assert "twice" in outcome.err


def test_a_report_that_cannot_be_rendered_leaves_the_previous_one(check, tmp_path, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("of ours")

    path = tmp_path / "a.json"
    path.write_text("the one before")
    chosen = plugins.formats()["json"]
    monkeypatch.setitem(plugins.formats(), "json", plugins.Format(chosen.name, chosen.page, broken))
    table = tmp_path / "b.csv"
    files = ("--report", f"json={path}", "--report", f"csv={table}")
    outcome = check(TARGET, "--select", "TOK101", *files)
    assert outcome.code == 2
    assert "internal error: ZeroDivisionError: of ours" in outcome.err
    assert path.read_text() == "the one before"
    assert table.read_text().startswith('"spec"')
    assert {each.name for each in tmp_path.iterdir()} == {"a.json", "b.csv"}


def test_a_report_of_hostile_names_is_written(check, tmp_path):
    path = tmp_path / "\u200b=a b.json"
    assert check(TARGET, "--select", "TOK101", "--report", f"json={path}").code == 0
    assert json.loads(path.read_text("ascii"))


@pytest.mark.slow
def test_nothing_is_written_to_the_working_directory(check, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check(TARGET)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_written_to_in_place(check, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as threads:
        read = threads.submit(pipe.read_text, "utf-8")
        check(TARGET, "--select", "TOK101", "--report", f"json={pipe}")
        assert json.loads(read.result(timeout=60))["schema_version"] == 2
    assert pipe.is_fifo()
