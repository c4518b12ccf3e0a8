"""The files by which CI services run us: they parse, and hold no way in."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from tokharness_tokenizers import file_formats
from tokharness_tokenizers.reference.token_files import stages

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "gate-and-ci.md").read_text("utf-8")
EXAMPLE = re.compile(r"<!-- file: (\S+\.ya?ml) for \S+ -->\n```yaml\n(.*?)```", re.DOTALL)
EXAMPLES = {name: yaml.safe_load(text) for name, text in EXAMPLE.findall(PAGE)}
"""The files for services in the documentation, by their paths."""
RELEASE = ".github/workflows/release.yml"
WORKFLOW = ".github/workflows/ci.yml"
FILES = ("action.yml", ".pre-commit-hooks.yaml", WORKFLOW, RELEASE, "CITATION.cff")
EXPRESSION = re.compile(r"\$\{\{.*?\}\}")
PINNED = re.compile(r"actions/[a-z-]+@v[0-9]+")
PUBLISHER = "pypa/gh-action-pypi-publish@release/v1"


def read(name):
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


@pytest.fixture
def action():
    return read("action.yml")


def steps_of(name):
    content = read(name)
    jobs = content["jobs"].values() if "jobs" in content else [content["runs"]]
    return [step for job in jobs for step in job.get("steps", [])]


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_ascii_and_has_short_lines(name):
    text = (ROOT / name).read_text("utf-8")
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("name", ["action.yml", WORKFLOW, RELEASE])
def test_no_script_holds_an_expression(name):
    assert [step["run"] for step in steps_of(name) if EXPRESSION.search(step.get("run", ""))] == []


@pytest.mark.parametrize("name", ["action.yml", WORKFLOW, RELEASE])
def test_actions_are_those_of_github_at_a_major_version(name):
    used = [step["uses"] for step in steps_of(name) if "uses" in step]
    assert used
    assert {one for one in used if not PINNED.fullmatch(one)} == {PUBLISHER} & {*used}


def test_the_workflow_may_read_the_repository_and_no_more():
    workflow = read(WORKFLOW)
    assert workflow["permissions"] == {"contents": "read"}
    assert all("permissions" not in job for job in workflow["jobs"].values())


def test_the_workflow_runs_what_a_change_has_to_pass_on_every_supported_python():
    (job,) = read(WORKFLOW)["jobs"].values()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    supported = re.findall(r"Python :: (3\.[0-9]+)", "\n".join(project["classifiers"]))
    assert job["strategy"]["matrix"]["python-version"] == supported
    (step,) = (step for step in job["steps"] if "run" in step)
    assert step["run"] == ".ci/run $ALL"
    assert "--all" in step["env"]["ALL"]
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_a_release_is_published_after_all_tests_and_only_its_last_jobs_may_write():
    workflow = read(RELEASE)
    assert workflow[True] == {"push": {"tags": ["v*"]}}  # YAML reads the key "on" as true
    jobs = workflow["jobs"]
    assert workflow["permissions"] == {"contents": "read"}
    assert {name for name, job in jobs.items() if "permissions" in job} == {"publish", "site"}
    assert [jobs[name].get("needs") for name in ("test", "build", "publish", "site")] == [
        *(None, "test", "build", "publish")
    ]
    assert jobs["test"] == {"uses": "./.github/workflows/ci.yml", "with": {"all": True}}


def test_a_citation_has_the_version_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    citation = read("CITATION.cff")
    assert [citation[key] for key in ("version", "license")] == [
        *(project["version"], project["license"])
    ]


def test_every_input_of_the_action_is_described_optional_and_used(action):
    text = (ROOT / "action.yml").read_text("utf-8")
    names = {"command", "args", "extras", "python-version", "sarif", "version"}
    assert action["inputs"].keys() == names
    for name, one in action["inputs"].items():
        assert one["description"]
        assert "default" in one
        assert f"${{{{ inputs.{name} }}}}" in text
    assert action["inputs"]["command"]["default"] == "check"
    assert action["inputs"]["python-version"]["default"] == "3.x"


def test_every_script_of_the_action_names_its_shell(action):
    assert all("shell" in step for step in action["runs"]["steps"] if "run" in step)


@pytest.fixture
def run_step(action, tmp_path):
    """Run the script of a step of the action with the values of its variables."""

    def run(number, variables):
        script = tmp_path / "script.py"
        script.write_text(action["runs"]["steps"][number]["run"])
        return subprocess.run(
            [sys.executable, script],
            check=False,
            cwd=tmp_path,
            env=os.environ | variables,
            capture_output=True,
            text=True,
        )

    return run


@pytest.fixture
def run_script(run_step):
    """Run the script of the action's last step in place of the tokharness of the first words."""

    def run(command, args="", sarif="", extras=""):
        words = {"COMMAND": command, "ARGS": args, "SARIF": sarif, "EXTRAS": extras}
        return run_step(-1, {f"TOKHARNESS_{name}": value for name, value in words.items()})

    return run


@pytest.fixture
def install(run_step, tmp_path_factory):
    """Run the script that installs; return how it ended, and the arguments that pip got."""
    folder = tmp_path_factory.mktemp("pip")
    (folder / "pip").mkdir()
    (folder / "pip" / "__init__.py").touch()
    (folder / "pip" / "__main__.py").write_text(
        f"import json, pathlib, sys\n"
        f"pathlib.Path({str(folder / 'words')!r}).write_text(json.dumps(sys.argv[1:]))\n"
    )

    def run(extras, version="", source="/an action"):
        words = {"EXTRAS": extras, "VERSION": version, "SOURCE": source}
        variables = {f"TOKHARNESS_{name}": value for name, value in words.items()}
        ended = run_step(1, variables | {"PYTHONPATH": str(folder)})
        words = folder / "words"
        return ended, json.loads(words.read_text()) if words.exists() else None

    return run


@pytest.mark.parametrize(
    ("extras", "version", "requirement"),
    [
        ("", "", "/an action"),
        ("hf", "", "/an action[hf]"),
        ("sentencepiece, subword-nmt,", "", "/an action[sentencepiece,subword-nmt]"),
        ("", "1.2", "tokharness==1.2"),
        ("hf", "1.2", "tokharness[hf]==1.2"),
    ],
)
def test_the_action_installs_one_requirement_with_its_extras(install, extras, version, requirement):
    ended, words = install(extras, version)
    assert ended.returncode == 0
    assert words[0] == "install"
    assert words[-2:] == ["--", requirement]
    assert words[1:-2] == ["--quiet", "--disable-pip-version-check"]


@pytest.mark.parametrize(
    "extras",
    [
        "$(touch owned)",
        "`touch owned`",
        "hf; touch owned",
        "--index-url=evil",
        "hf]==1 @ evil",
        "hf\n::set-env",
        "*",
        "..",
        "h\u00e4",
    ],
)
def test_a_malformed_extra_is_refused_with_a_sentence(install, tmp_path, extras):
    ended, words = install(extras)
    assert (ended.returncode, words) == (2, None)
    (line,) = ended.stdout.splitlines()
    assert re.fullmatch(r"::error::extras: '[ -~]*' is no name: write names and commas.*", line)
    assert [path.name for path in tmp_path.iterdir()] == ["script.py"]


def test_an_extra_that_does_not_exist_is_refused_with_those_that_do(run_script):
    ended = run_script("list", "profiles", extras="hf,hff")
    assert ended.returncode == 2
    (line,) = ended.stdout.splitlines()
    assert line.startswith("::error::extras: there is no 'hff': use ")
    assert "hf, mistral" in line


def test_arguments_with_half_a_quotation_are_a_mistake_and_no_finding(run_script):
    ended = run_script("check", "'hf:my tokenizer.json")
    assert ended.returncode == 2
    assert ended.stdout == "::error::args: No closing quotation: quote them as for a shell\n"


def test_the_extra_of_the_action_and_the_hooks_has_the_library_of_a_tokenizer_json(action):
    assert action["inputs"]["extras"]["default"] == "hf"
    for hook in read(".pre-commit-hooks.yaml"):
        assert hook["additional_dependencies"] == [".[hf]"]


@pytest.mark.slow
def test_the_action_runs_the_command_with_its_words(run_script):
    ended = run_script("list", "profiles", extras="hf, mistral")
    assert ended.returncode == 0
    assert "quick" in ended.stdout


def test_the_action_ends_as_the_command_does(run_script):
    ended = run_script("explain", "TOK000")
    assert ended.returncode == 2


@pytest.mark.slow
@pytest.mark.parametrize("words", ["$(touch owned)", "`touch owned`", "; touch owned", "'a b' *"])
def test_the_action_expands_nothing_in_its_inputs(run_script, tmp_path, words):
    assert run_script("explain", words, words).returncode == 2
    assert run_script(words).returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == ["script.py"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "args"), [("check", ""), ("check", "--profile quick"), ("gate", "")]
)
def test_the_action_fails_without_a_target(run_script, command, args):
    ended = run_script(command, args)
    assert ended.returncode == 2
    assert "target" in ended.stderr.lower()


@pytest.mark.slow
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


@pytest.mark.slow
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


FILES_OF_FORMATS = {
    "clip_merges": ["bpe_simple_vocab_16e6.txt"],
    "gguf_file": ["mine-q8_0.gguf", "MINE.GGUF"],
    "rwkv_list": ["rwkv_vocab_v20230424.txt"],
    "sentencepiece_model": ["spiece.model", "sentencepiece.bpe.model", "source.spm"],
    "subword_nmt_codes": ["codes.txt", "bpe.codes", "bpe_codes.32000", "de.bpe", "codes.txt.vocab"],
    "tekken_json": ["tekken_240911.json"],
    "tiktoken_ranks": ["mine.tiktoken", "mine.tiktoken.json"],
    "tokenizer_json": ["my-tokenizer-v2.json"],
    "vocabulary_and_merges": ["merges.txt", "vocab.bpe"],
    "wordpiece_list": ["vocab.txt.json", "bert-base-vocab.txt"],
}
"""Further names of files of each format, and of the files next to them."""

FILES_OF_TOKENIZERS = [
    *(stages.FILE_NAME, "special_tokens_map.json", "added_tokens.json", "my_tokenizer.py"),
    *("chat_template.jinja", "chat_template.json", "additional_chat_templates/tools.jinja"),
    *("tokharness.toml", "pyproject.toml", "reports/baselines/mine.json"),
    "cases/regressions/lossy-round-trip.jsonl",
]
FILES_OF_OTHERS = [
    *("README.md", "src/model.py", "src/models/user.py", "error_codes.py", "package.json"),
    *("encode.py", "qr_code.txt", "data/codes.csv", "templates/page.jinja", "Cargo.toml"),
]


def names_of(form):
    return [*FILES_OF_FORMATS[form.__name__.rpartition(".")[2]], getattr(form, "FILE_NAME", "")]


def test_the_hooks_run_where_a_file_of_any_format_changes():
    formats = file_formats.formats()
    assert FILES_OF_FORMATS.keys() == {form.__name__.rpartition(".")[2] for form in formats}
    names = filter(None, [name for form in formats for name in names_of(form)])
    assert unmatched(*names, *file_formats.FOLDER_ORDER, *FILES_OF_TOKENIZERS) == []


def test_the_hooks_do_not_run_where_other_files_change():
    assert unmatched(*FILES_OF_OTHERS) == FILES_OF_OTHERS


def unmatched(*names):
    """The names that no hook runs for, at the top of a repository or in a folder."""
    patterns = {re.compile(hook["files"]) for hook in read(".pre-commit-hooks.yaml")}
    (pattern,) = patterns
    return [n for n in names if not (pattern.search(n) and pattern.search(f"a/b c/{n}"))]


@pytest.mark.parametrize(
    "path", [*(ROOT / ".github").rglob("*.yml"), ROOT / ".pre-commit-config.yaml"]
)
def test_every_file_for_services_parses(path):
    assert yaml.safe_load(path.read_text("utf-8"))


@pytest.fixture
def steps_of_the_example():
    workflow = EXAMPLES[".github/workflows/tokenizer.yml"]
    assert workflow["permissions"] == {"contents": "read", "security-events": "write"}
    (job,) = workflow["jobs"].values()
    return {step["uses"].partition("@")[0]: step for step in job["steps"]}


def test_the_workflow_of_the_documentation_gives_inputs_that_the_action_has(
    action, steps_of_the_example
):
    given = steps_of_the_example["OWNER/tokharness"]["with"]
    assert given.keys() <= action["inputs"].keys()
    table = PAGE.partition("| input |")[2].partition("\n\n")[0]
    assert {name for name in action["inputs"] if f"`{name}`" in table} == action["inputs"].keys()


def test_the_workflow_of_the_documentation_uploads_what_the_action_writes(steps_of_the_example):
    given = steps_of_the_example["OWNER/tokharness"]["with"]
    page = steps_of_the_example["actions/upload-artifact"]["with"]["path"]
    assert f"--report html={page}" in given["args"]
    upload = steps_of_the_example["github/codeql-action/upload-sarif"]
    assert upload["with"]["sarif_file"] == given["sarif"]


def test_the_workflow_of_the_documentation_caches_by_a_file_that_is_there(steps_of_the_example):
    given = steps_of_the_example["actions/setup-python"]["with"]
    assert given["cache-dependency-path"] in EXAMPLES


def test_the_job_of_gitlab_in_the_documentation_keeps_what_its_command_writes():
    (job,) = EXAMPLES[".gitlab-ci.yml"].values()
    (command,) = (line for line in job["script"] if line.startswith("tokharness "))
    reports = job["artifacts"]["reports"]
    for name in (reports["junit"], reports["codequality"], *job["artifacts"]["paths"]):
        assert f"={name}" in command


def test_the_hooks_of_the_documentation_exist():
    (repository,) = EXAMPLES[".pre-commit-config.yaml"]["repos"]
    hooks = {hook["id"] for hook in read(".pre-commit-hooks.yaml")}
    assert {hook["id"] for hook in repository["hooks"]} <= hooks
