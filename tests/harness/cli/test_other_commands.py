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
def test_each_kind_is_listed_in_a_line(command, kind, known):
    outcome = command("list", kind)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    for name in known:
        assert sum(line.startswith(f"{name} ") for line in lines) == 1


def test_the_list_of_targets_names_the_vocabularies(command):
    assert "tiktoken:embedded" in command("list", "targets").out


@pytest.mark.parametrize("code", plugins.checks())
def test_a_check_is_explained_by_code_or_name(command, code):
    check = plugins.checks()[code]
    by_code, by_name = command("explain", code.lower()), command("explain", check.name)
    assert by_code.code == 0
    assert by_code.out == by_name.out
    assert by_code.out.startswith(f"{code} {check.name}\n")
    assert check.page in by_code.out


def test_doctor_prints_all_versions(command):
    outcome = command("doctor")
    assert outcome.code == 0
    for name in ("tokharness", "python", "unicodedata2", "regex", "tiktoken", "hypothesis"):
        assert name in outcome.out


def test_doctor_prints_json(command):
    record = json.loads(command("doctor", "--json").out)
    assert {"tokharness", "python", "unicode", "packages", "targets"} <= record.keys()
    assert "not installed" not in record["packages"].values()


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help_lists_every_command(command, word):
    outcome = command(word)
    assert outcome.code == 0
    for name in ("check", "doctor", "explain", "list", "show"):
        assert f"  {name} " in outcome.out


@pytest.mark.parametrize("name", ["check", "doctor", "explain", "list", "show"])
def test_every_command_has_help(command, name):
    outcome = command(name, "--help")
    assert outcome.code == 0
    assert outcome.out.startswith(f"Usage: tokharness {name}")


def test_the_version_is_printed(command):
    outcome = command("--version")
    assert outcome.code == 0
    assert outcome.out.startswith("tokharness, version ")
