"""What installs an extra: in a checkout, from a repository, an index, the action, a hook."""

import json
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tokharness import extras

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def installed_from(monkeypatch):
    """Give the installation of tokharness the content of a direct_url.json, or none."""
    monkeypatch.delenv(extras.VARIABLE, raising=False)
    monkeypatch.delenv("PRE_COMMIT", raising=False)

    def install(record=None):
        text = record if record is None or isinstance(record, str) else json.dumps(record)
        found = SimpleNamespace(read_text=lambda name: {"direct_url.json": text}[name])
        monkeypatch.setattr(extras, "distribution", lambda name: {"tokharness": found}[name])

    install()
    return install


@pytest.mark.parametrize(
    ("record", "arguments"),
    [
        (None, ["tokharness[hf]"]),
        ("damaged", ["tokharness[hf]"]),
        ({"url": "file:///home/me/tokharness", "dir_info": {}}, ["/home/me/tokharness[hf]"]),
        (
            {"url": "file:///home/me/tok%20h%27s", "dir_info": {"editable": True}},
            ["-e", "/home/me/tok h's[hf]"],
        ),
        (
            {
                "url": "https://example.org/tokharness.git",
                "vcs_info": {"vcs": "git", "requested_revision": "v1", "commit_id": COMMIT},
            },
            [f"tokharness[hf] @ git+https://example.org/tokharness.git@{COMMIT}"],
        ),
        (
            {"url": "file:///home/me/t", "vcs_info": {"vcs": "git", "commit_id": COMMIT}},
            [f"tokharness[hf] @ git+file://localhost/home/me/t@{COMMIT}"],
        ),
        (
            {"url": "file:///tmp/all.zip", "archive_info": {}, "subdirectory": "a b"},
            ["tokharness[hf] @ file:///tmp/all.zip#subdirectory=a b"],
        ),
    ],
)
def test_the_command_names_what_tokharness_was_installed_from(installed_from, record, arguments):
    installed_from(record)
    assert shlex.split(extras.what_installs("hf")) == ["pip", "install", *arguments]


def test_in_the_action_it_is_an_input_with_those_that_are_there(installed_from, monkeypatch):
    monkeypatch.setenv(extras.VARIABLE, "hf, rwkv")
    said = extras.what_installs("mistral")
    assert said == "write extras: hf,rwkv,mistral in the step that uses the action"
    monkeypatch.setenv(extras.VARIABLE, "")
    assert extras.what_installs("hf") == "write extras: hf in the step that uses the action"


def test_what_the_input_of_the_action_has_already_is_a_matter_for_pip(installed_from, monkeypatch):
    monkeypatch.setenv(extras.VARIABLE, "hf")
    assert extras.what_installs("hf") == "pip install 'tokharness[hf]'"


def test_in_the_environment_of_a_hook_it_is_a_line_of_its_configuration(
    installed_from, monkeypatch
):
    monkeypatch.setenv("PRE_COMMIT", "1")
    assert extras.what_installs("hf") == "pip install 'tokharness[hf]'"  # a hook of the system
    monkeypatch.setattr(sys, "prefix", "/home/me/.cache/pre-commit/repo1/py_env-python3.13")
    assert extras.what_installs("hf") == 'write additional_dependencies: [".[hf]"] in the hook'


def test_the_extras_are_those_of_the_project():
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    assert {"embeddings", "hf", "mistral", "transformers"} <= extras.known()
    assert all(f"\n{name} = [" in project for name in extras.known())
