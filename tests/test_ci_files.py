"""The files by which CI services run us: they parse, and hold no way in."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
FILES = ("action.yml", ".pre-commit-hooks.yaml", ".github/workflows/ci.yml")
EXPRESSION = re.compile(r"\$\{\{.*?\}\}")
PINNED = re.compile(r"actions/[a-z-]+@v[0-9]+")


def read(name):
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


@pytest.fixture
def action():
    return read("action.yml")


def steps_of(name):
    content = read(name)
    jobs = content["jobs"].values() if "jobs" in content else [content["runs"]]
    return [step for job in jobs for step in job["steps"]]


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_ascii_and_has_short_lines(name):
    text = (ROOT / name).read_text("utf-8")
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("name", ["action.yml", ".github/workflows/ci.yml"])
def test_no_script_holds_an_expression(name):
    assert [step["run"] for step in steps_of(name) if EXPRESSION.search(step.get("run", ""))] == []


@pytest.mark.parametrize("name", ["action.yml", ".github/workflows/ci.yml"])
def test_actions_are_those_of_github_at_a_major_version(name):
    used = [step["uses"] for step in steps_of(name) if "uses" in step]
    assert used
    assert [one for one in used if not PINNED.fullmatch(one)] == []


def test_the_workflow_may_read_the_repository_and_no_more():
    workflow = read(".github/workflows/ci.yml")
    assert workflow["permissions"] == {"contents": "read"}
    assert all("permissions" not in job for job in workflow["jobs"].values())


def test_the_workflow_runs_what_a_change_has_to_pass_on_every_supported_python():
    (job,) = read(".github/workflows/ci.yml")["jobs"].values()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    supported = re.findall(r"Python :: (3\.[0-9]+)", "\n".join(project["classifiers"]))
    assert job["strategy"]["matrix"]["python-version"] == supported
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_every_input_of_the_action_is_described_optional_and_used(action):
    text = (ROOT / "action.yml").read_text("utf-8")
    assert action["inputs"].keys() == {"command", "args", "python-version", "sarif", "version"}
    for name, one in action["inputs"].items():
        assert one["description"]
        assert "default" in one
        assert f"${{{{ inputs.{name} }}}}" in text
    assert action["inputs"]["command"]["default"] == "check"
    assert action["inputs"]["python-version"]["default"] == "3.x"


def test_every_script_of_the_action_names_its_shell(action):
    assert all("shell" in step for step in action["runs"]["steps"] if "run" in step)


@pytest.fixture
def run_script(action, tmp_path):
    """Run the script of the action's last step in place of the tokharness of the first words."""

    def run(command, args="", sarif=""):
        script = tmp_path / "script.py"
        script.write_text(action["runs"]["steps"][-1]["run"])
        words = {"COMMAND": command, "ARGS": args, "SARIF": sarif}
        env = os.environ | {f"TOKHARNESS_{name}": value for name, value in words.items()}
        return subprocess.run(
            [sys.executable, script],
            check=False,
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
        )

    return run


def test_the_action_runs_the_command_with_its_words(run_script):
    ended = run_script("list", "profiles")
    assert ended.returncode == 0
    assert "quick" in ended.stdout


def test_the_action_ends_as_the_command_does(run_script):
    ended = run_script("explain", "TOK000")
    assert ended.returncode == 2


@pytest.mark.parametrize("words", ["$(touch owned)", "`touch owned`", "; touch owned", "'a b' *"])
def test_the_action_expands_nothing_in_its_inputs(run_script, tmp_path, words):
    assert run_script("explain", words, words).returncode == 2
    assert run_script(words).returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == ["script.py"]


@pytest.mark.parametrize(
    ("command", "args"), [("check", ""), ("check", "--profile quick"), ("gate", "")]
)
def test_the_action_fails_without_a_target(run_script, command, args):
    ended = run_script(command, args)
    assert ended.returncode == 2
    assert "target" in ended.stderr.lower()


def test_the_action_asks_for_a_sarif_report_where_it_has_a_path(run_script):
    ended = run_script("check", "reference --select TOK101", "no/such folder/a.sarif")
    assert ended.returncode == 2
    assert "cannot write a report to no/such folder/a.sarif" in ended.stderr


def test_the_hooks_run_commands_of_ours_without_file_names():
    hooks = {hook["id"]: hook for hook in read(".pre-commit-hooks.yaml")}
    assert hooks.keys() == {"tokharness-check", "tokharness-gate"}
    for name, hook in hooks.items():
        assert hook["entry"].split()[:2] == name.split("-")
        assert hook["language"] == "python"
        assert hook["pass_filenames"] is False
        assert hook["require_serial"] is True
        assert set(hook["stages"]) <= {"pre-commit", "pre-push", "manual"}
        assert "--profile quick" in hook["entry"] or "pre-commit" not in hook["stages"]


@pytest.mark.parametrize("hook", read(".pre-commit-hooks.yaml"), ids=lambda hook: hook["id"])
def test_the_hooks_fail_without_a_target(hook, tmp_path):
    (tmp_path / "tokharness.toml").write_text('[targets.mine]\nspec = "reference"\n')
    words = [sys.executable, "-P", "-m", *hook["entry"].split()]
    ended = subprocess.run(words, check=False, cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 2
    assert "target" in ended.stderr.lower()


@pytest.mark.slow
def test_a_hook_checks_the_target_of_its_arguments(tmp_path):
    (hook,) = (one for one in read(".pre-commit-hooks.yaml") if one["id"] == "tokharness-check")
    args = ["reference", "--family", "digits"]
    words = [sys.executable, "-P", "-m", *hook["entry"].split(), *args]
    assert subprocess.run(words, check=False, cwd=tmp_path, capture_output=True).returncode == 0


@pytest.mark.parametrize(
    ("path", "touched"),
    [
        ("my_tokenizer.py", True),
        ("models/tokenizer.json", True),
        ("vocab.txt", True),
        ("merges.txt", True),
        ("ranks/mine.tiktoken", True),
        ("ranks/mine.tiktoken.json", True),
        ("README.md", False),
        ("src/model.py", False),
    ],
)
def test_the_hooks_run_where_a_file_of_a_tokenizer_changes(path, touched):
    for hook in read(".pre-commit-hooks.yaml"):
        assert bool(re.search(hook["files"], path)) == touched


@pytest.mark.parametrize(
    "path", [*(ROOT / ".github").rglob("*.yml"), ROOT / ".pre-commit-config.yaml"]
)
def test_every_file_for_services_parses(path):
    assert yaml.safe_load(path.read_text("utf-8"))
