"""The command in this process, with its output in every format."""

import sys

import pytest

from tokharness import cli, plugins


@pytest.fixture
def in_every_format(tmp_path, monkeypatch, capsys):
    """Return a function that runs the command: its exit code, its errors and all outputs."""
    files = {name: tmp_path / f"output.{name}" for name in plugins.formats()}
    reports = [f"--report={name}={path}" for name, path in files.items()]

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["tokharness", *words, *reports])
        with pytest.raises(SystemExit) as end:
            cli.main()
        out, err = capsys.readouterr()
        written = {name: path.read_text("utf-8") for name, path in files.items() if path.exists()}
        for path in files.values():
            path.unlink(missing_ok=True)
        return end.value.code or 0, err, {"stdout": out, "stderr": err, **written}

    return run
