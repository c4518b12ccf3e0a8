"""``list``, ``explain``, ``doctor`` and the command itself."""

import json

import pytest

from tokharness import plugins


@pytest.mark.parametrize(
    ("kind", "known"),
    [
        ("checks", [f"{check.code} {check.name}" for check in plugins.checks().values()]),
        ("families", plugins.families()),
        ("targets", plugins.adapters()),
        ("formats", plugins.formats()),
    ],
)
def test_everything_there_is_is_listed_a_line_each(command, kind, known):
    ended = command("list", kind)
    assert ended.code == 0
    lines = ended.out.splitlines()
    for name in known:
        assert sum(line.startswith(f"{name} ") for line in lines) == 1


def test_the_list_of_targets_names_the_vocabularies(command):
    assert "tiktoken:embedded" in command("list", "targets").out


@pytest.mark.parametrize("code", plugins.checks())
def test_every_check_is_explained_by_its_code_and_its_name(command, code):
    check = plugins.checks()[code]
    by_code, by_name = command("explain", code.lower()), command("explain", check.name)
    assert by_code.code == 0
    assert by_code.out == by_name.out
    assert by_code.out.startswith(f"{code} {check.name}\n")
    assert check.page in by_code.out


def test_the_doctor_names_the_versions_of_everything(command):
    ended = command("doctor")
    assert ended.code == 0
    for name in ("tokharness", "python", "unicodedata2", "regex", "tiktoken", "hypothesis"):
        assert name in ended.out


def test_the_doctor_speaks_json(command):
    found = json.loads(command("doctor", "--json").out)
    assert {"tokharness", "python", "unicode", "packages", "targets"} <= found.keys()
    assert "not installed" not in found["packages"].values()


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help_names_every_command(command, word):
    ended = command(word)
    assert ended.code == 0
    for name in ("check", "doctor", "explain", "list", "show"):
        assert f"  {name} " in ended.out


@pytest.mark.parametrize("name", ["check", "doctor", "explain", "list", "show"])
def test_every_command_has_help(command, name):
    ended = command(name, "--help")
    assert ended.code == 0
    assert ended.out.startswith(f"Usage: tokharness {name}")


def test_the_version_is_told(command):
    ended = command("--version")
    assert ended.code == 0
    assert ended.out.startswith("tokharness, version ")
