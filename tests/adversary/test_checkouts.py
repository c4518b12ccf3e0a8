"""A checkout that tries to run a program, to write outside of itself, or to read without end.

Each holds, or lies below, a policy of a stranger. Where the command goes on, it finds the planted
fault.
"""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tokharness.baseline.reading import read as read_baseline
from tokharness.baseline.writing import file_stamp, write
from tokharness.config import Options
from tokharness.results.journal import START, Journal, seal

pytestmark = pytest.mark.slow

TARGET = f"python:{Path(__file__).with_name('faulty.py')}:Target"
FEW = ("--profile", "quick", "--family", "zero-width", "--select", "TOK101", "--jobs", "1")
EVIL = "import pathlib\npathlib.Path({owned!r}).touch()\nfrom faulty import Target\n"
EVIL_FAMILY = "import pathlib\npathlib.Path({owned!r}).touch()\n"
PROGRAMS = {
    "against a program": ('against = "command:touch {owned}"', TARGET),
    "against a file": ('against = "python:evil.py:Target"', TARGET),
    "the spec of a target": ('[targets.mine]\nspec = "python:evil.py:Target"', "mine"),
    "what a target is compared with": (
        f'[targets.mine]\nspec = "{TARGET}"\nagainst = "command:touch {{owned}}"',
        "mine",
    ),
    "a family": ('family = ["evil_family.cases"]', TARGET),
}


class Checkout:
    """A repository of a stranger; ``owned`` exists once its program has run."""

    def __init__(self, folder):
        self.outside = folder
        self.root = folder / "checkout"
        self.sub = self.root / "a" / "b"
        self.sub.mkdir(parents=True)
        self.owned = folder / "owned"
        subprocess.run([shutil.which("git"), "init", "--quiet", self.root], check=True)

    def write(self, path, text):
        """Write a file, with its folder; in its text ``{owned}`` is the file that must not be."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("{owned}", str(self.owned)))
        return file

    def write_programs(self, folder):
        """Write what the policies run to a folder."""
        (folder / "evil.py").write_text(EVIL.format(owned=str(self.owned)))
        (folder / "evil_family").mkdir()
        (folder / "evil_family" / "__init__.py").touch()
        (folder / "evil_family" / "cases.py").write_text(EVIL_FAMILY.format(owned=str(self.owned)))

    def run(self, *words, folder=None, command=(sys.executable, "-m", "tokharness"), **environment):
        """Run the command in the checkout, without PYTHONPATH unless it is given."""
        given = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        temporary = self.outside / "temporary"
        temporary.mkdir(exist_ok=True)
        return subprocess.run(
            [*command, *words],
            cwd=folder or self.root,
            env=given | {"TMPDIR": str(temporary), "HOME": str(self.outside)} | environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def files_outside(self):
        """Return the files outside of the checkout, with their content."""
        files = (path for path in self.outside.rglob("*") if path.is_file())
        return {
            path: path.read_bytes()
            for path in files
            if not path.is_relative_to(self.root) and "temporary" not in path.parts
        }


@pytest.fixture
def checkout(tmp_path):
    return Checkout(tmp_path)


def is_one_sentence(text):
    return text.startswith("tokharness: error: ") and text.count("\n") == 1


def assert_the_fault_is_found(ended):
    assert ended.returncode == 1, ended.stderr
    assert "TOK101 lossy-round-trip: dropped characters: U+200B" in ended.stdout


def programs_and_places(first, *others):
    """Return each program at the first place, and one program at each other place.

    A policy is used as a whole or not at all: its place decides that, and no program in it.
    """
    at_others = [("against a program", place) for place in others]
    return [*((name, first) for name in PROGRAMS), *at_others]


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    ("name", "place"),
    programs_and_places("above the root", "above a folder", "link", "another user"),
)
def test_a_policy_of_another_project_runs_nothing(checkout, name, place):
    text, target = PROGRAMS[name]
    folder, policy = checkout.sub, checkout.outside / "tokharness.toml"
    if place != "above the root":
        policy = checkout.root / "tokharness.toml"
    policy.write_text(text.replace("{owned}", str(checkout.owned)))
    if place == "above a folder":  # as in /tmp, where everybody may write
        shutil.rmtree(checkout.root / ".git")
    if place == "link":
        policy.rename(checkout.outside / "elsewhere.toml")
        policy.symlink_to(checkout.outside / "elsewhere.toml")
    if place == "another user":
        if os.geteuid():
            pytest.skip("only root can give a file to another user")
        os.chown(policy, 12345, 12345)
    checkout.write_programs(folder)
    few = FEW[:2] + FEW[4:] if name == "a family" else FEW
    ended = checkout.run("check", target, *few, folder=folder, PYTHONPATH=str(folder))
    assert not checkout.owned.exists()
    if place == "link":
        assert is_one_sentence(ended.stderr)
        assert "leads out of the project" in ended.stderr
        return
    assert "is not of this project and is not used: use --config" in ended.stderr.splitlines()[0]
    if target == TARGET:
        assert_the_fault_is_found(ended)
    else:
        assert ended.returncode == 2


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(("name", "place"), programs_and_places("root", "subfolder", "--config"))
def test_what_a_policy_runs_is_printed_before_it_runs(checkout, name, place):
    text, target = PROGRAMS[name]
    text = text.replace("touch {owned}", "false").replace("evil", "no_such")
    policy = checkout.write("tokharness.toml", text)
    options = ()
    if place == "--config":
        policy = policy.rename(checkout.outside / "named.toml")
        options = ("--config", str(policy))
    folder = checkout.root if place == "root" else checkout.sub
    ended = checkout.run("check", target, *options, folder=folder)
    assert ended.returncode == 2
    first = ended.stderr.splitlines()[0]
    if name == "the spec of a target":
        assert first.endswith(f"{policy.name} runs python:no_such.py:Target as the target mine")
    elif name == "a family":
        assert first.endswith(f"{policy.name} imports no_such_family.cases as a family")
    elif "mine" in text:
        assert f"{policy.name} runs {TARGET} as the target mine" in first
        assert ended.stderr.splitlines()[1].endswith("runs command:false as against")
    else:
        assert " runs " in first
        assert first.endswith(" as against")


def test_what_the_command_line_names_is_not_announced(checkout):
    checkout.write("tokharness.toml", 'against = "command:touch {owned}"\nfamily = ["evil.cases"]')
    ended = checkout.run("check", TARGET, *FEW, "--against", "none")
    assert_the_fault_is_found(ended)
    assert "touch" not in ended.stderr  # a busy machine has a line of progress
    assert not checkout.owned.exists()


def test_what_a_policy_runs_is_printed_with_escapes(checkout):
    hostile = "command:false \\u001b[2J\\u202e\\n::error::"
    checkout.write("tokharness.toml", f'against = "{hostile}"')
    ended = checkout.run("check", TARGET, *FEW)
    assert ended.returncode == 2
    assert ended.stderr.replace("\n", "").isprintable()
    assert not any(line.startswith("::") for line in ended.stderr.splitlines())


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("spec", ["reference", "tiktoken:embedded", "python:mine.py:make"])
def test_a_policy_cannot_replace_the_target_of_the_command_line(checkout, spec):
    checkout.write("tokharness.toml", f'[targets."{spec}"]\nspec = "command:touch {{owned}}"')
    ended = checkout.run("check", spec, *FEW)
    assert ended.returncode == 2
    assert is_one_sentence(ended.stderr)
    assert "rename it" in ended.stderr
    assert not checkout.owned.exists()


def test_a_baseline_runs_only_what_the_user_names(checkout):
    small = (*FEW, "--name", "mine")
    assert checkout.run("baseline", TARGET, *small).returncode == 0
    path = checkout.root / "reports" / "baselines" / "mine.json"
    hostile = replace(read_baseline(path, "mine"), against="command:touch no-such")
    write(hostile, path, file_stamp(path))
    ended = checkout.run("gate", TARGET, *small)
    assert ended.returncode == 2
    assert is_one_sentence(ended.stderr)
    assert "names command:touch no-such, which may run code" in ended.stderr
    named = checkout.run("gate", TARGET, *small, "--against", "reference")
    assert "which may run code" not in named.stderr


ROLES = {
    "a target": {"specs": ["command:touch {owned}"]},
    "a release": {"specs": ["hf@0.20.3:tokenizer.json"]},
    "a repository": {"specs": ["hf:no-such/name"]},
    "against": {"options": {"against": "command:touch {owned}"}},
    "the reference": {"options": {"reference": "command:touch {owned}"}},
    "a family": {"options": {"families": ["evil_family.cases"]}},
}


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("role", ROLES)
def test_a_journal_runs_only_what_the_user_names(checkout, role):
    path = checkout.root / "run.jsonl"
    Journal.create(path, ["reference"], Options(profile="quick")).close()
    head = json.loads(path.read_bytes())
    del head["checksum"]
    changes = json.loads(json.dumps(ROLES[role]).replace("{owned}", str(checkout.owned)))
    head["options"] |= changes.pop("options", {})
    path.write_bytes(seal(head | changes, START)[0])
    checkout.write_programs(checkout.root)
    ended = checkout.run("check", "--resume", "run.jsonl", PYTHONPATH=str(checkout.root))
    assert ended.returncode == 2
    assert is_one_sentence(ended.stderr)
    assert "run.jsonl names " in ended.stderr
    assert "name it yourself" in ended.stderr
    assert not checkout.owned.exists()


OUTSIDE = {
    "upwards": "../outside",
    "up again": "a/../../outside",
    "absolute": "{outside}",
    "link": "link",
    "link to a link": "second",
    "null": "a\\u0000b",
}


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("way", OUTSIDE)
@pytest.mark.parametrize("key", ["regressions", "baselines"])
def test_no_path_of_a_policy_leads_out_of_the_project(checkout, key, way):
    outside = checkout.outside / "outside"
    outside.mkdir()
    (checkout.root / "link").symlink_to(outside)
    (checkout.root / "second").symlink_to("link")
    value = OUTSIDE[way].replace("{outside}", str(outside))
    checkout.write("tokharness.toml", f'{key} = "{value}"')
    command = {
        "regressions": ("fuzz", TARGET, "--max-examples", "200", "--database", "none"),
        "baselines": ("baseline", TARGET, *FEW),
    }[key]
    ended = checkout.run(*command)
    assert ended.returncode == 2
    assert is_one_sentence(ended.stderr)
    assert key in ended.stderr
    assert checkout.files_outside() == {}


FUZZ = ("fuzz", TARGET, "--max-examples", "200", "--select", "TOK101", "--jobs", "1")
LINKS = {
    "regressions": ("cases/regressions", FUZZ),
    "cases": ("cases", FUZZ),
    "file of regressions": ("cases/regressions/lossy-round-trip.jsonl", FUZZ),
    "storage": (".hypothesis", FUZZ),
    "examples": (".hypothesis/examples", FUZZ),
    "key": (".hypothesis/examples/0123456789abcdef", FUZZ),
    "example": (".hypothesis/examples/0123456789abcdef/0123456789abcdef", FUZZ),
    "mark of the database": (".hypothesis/examples/.tokharness", FUZZ),
    "named database": ("named/.tokharness", (*FUZZ, "--database", "named")),
    "baselines": ("reports/baselines", ("baseline", TARGET, "--name", "mine", *FEW)),
    "reports": ("reports", ("baseline", TARGET, "--name", "mine", *FEW)),
    "baseline": ("reports/baselines/mine.json", ("baseline", TARGET, "--name", "mine", *FEW)),
    "named baseline": ("mine.json", ("baseline", TARGET, "--baseline", "mine.json", *FEW)),
    "pruned baseline": ("mine.json", ("gate", TARGET, "--baseline", "mine.json", "--prune")),
}


@pytest.mark.slow(every=4)
@pytest.mark.parametrize("name", LINKS)
@pytest.mark.parametrize("kind", ["file", "folder", "missing"])
def test_nothing_is_written_through_a_link_to_the_outside(checkout, name, kind):
    place, command = LINKS[name]
    outside = checkout.outside / "outside"
    if kind == "folder":
        outside.mkdir()
        (outside / "kept").write_text("kept")
    if kind == "file":
        outside.write_text("kept")
    link = checkout.root / place
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(outside)
    before = checkout.files_outside()
    ended = checkout.run(*command)
    assert ended.returncode == 2
    assert is_one_sentence(ended.stderr)
    assert "leads out of the project" in ended.stderr
    assert checkout.files_outside() == before
    assert link.is_symlink()


ENDLESS = ("cases/regressions/a.jsonl", ".hypothesis/examples/0123/0123", "tokharness.toml")


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("place", ENDLESS)
@pytest.mark.parametrize("what", ["/dev/zero", "/dev/stdin", "pipe", "itself"])
def test_nothing_without_end_is_read(checkout, place, what):
    path = checkout.root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    if what == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path if what == "itself" else what)
    ended = checkout.run(*FUZZ)
    if place == "tokharness.toml":  # not a file, so not a policy
        assert_the_fault_is_found(ended)
    else:
        assert ended.returncode == 2
        assert is_one_sentence(ended.stderr)


PICKLE = b"cos\nsystem\n(S'touch {owned}'\ntR."


@pytest.mark.parametrize("data", [PICKLE, b"\xff"])
def test_a_corpus_of_a_checkout_is_data(checkout, data):
    """Texts that fail are in files of any name in the folders of the database."""
    assert_the_fault_is_found(checkout.run(*FUZZ))
    data = data.replace(b"{owned}", str(checkout.owned).encode())
    folders = [
        one for one in (checkout.root / ".hypothesis" / "examples").iterdir() if one.is_dir()
    ]
    assert folders
    for folder in folders:
        (folder / "0123456789abcdef").write_bytes(data)
    assert_the_fault_is_found(checkout.run(*FUZZ))
    assert not checkout.owned.exists()


SHADOWS = (
    *("json", "regex", "click", "hypothesis", "tiktoken", "rich", "random", "typing_extensions"),
    *("tokharness_tokenizers", "tokharness_cases", "sitecustomize", "usercustomize", "pluggy"),
    *("readline", "jsonschema", "difflib", "tokharness_evil"),
)


@pytest.fixture
def shadowed(checkout):
    """A checkout with files that have the names of libraries, and the entry points of a plugin."""
    for name in SHADOWS:
        checkout.write(f"{name}.py", "open('{owned}', 'a').close()")
    checkout.write("tiktoken_ext/evil.py", "open('{owned}', 'a').close()\nENCODING_CONSTRUCTORS={}")
    info = "evil-1.0.dist-info"
    checkout.write(f"{info}/METADATA", "Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    groups = ("checks", "families", "targets", "formats")
    points = "".join(f"[tokharness.{group}]\nevil = tokharness_evil\n" for group in groups)
    checkout.write(f"{info}/entry_points.txt", f"{points}[console_scripts]\nx = tokharness_evil\n")
    return checkout


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("command", ["script", "module", "safe module"])
@pytest.mark.parametrize("jobs", ["0", "1"])
def test_no_file_of_a_checkout_hides_a_module(shadowed, command, jobs):
    commands = {
        "script": (str(Path(sys.executable).with_name("tokharness")),),
        "module": (sys.executable, "-m", "tokharness"),
        "safe module": (sys.executable, "-P", "-m", "tokharness"),
    }
    if command == "script" and not Path(commands[command][0]).exists():
        pytest.skip("the command is not installed next to this Python")
    words = ("tiktoken:embedded", "--against", "reference", *FEW, "--jobs", jobs)
    ended = shadowed.run("check", *words, command=commands[command])
    assert ended.returncode == 0, ended.stderr
    assert not shadowed.owned.exists()


@pytest.mark.slow(every=2)
@pytest.mark.parametrize("jobs", ["0", "1"])
def test_no_neighbour_of_a_target_hides_a_module(shadowed, jobs):
    planted = Path(__file__).with_name("faulty.py").read_text()
    target = shadowed.write("mine.py", planted)
    shutil.rmtree(shadowed.root / "tiktoken_ext")  # tiktoken's own way to add a vocabulary
    words = (*FEW[:2], "--family", "zero-width,emoji", "--select", "TOK101,TOK201", "--jobs", jobs)
    against = ("--against", "tiktoken:embedded")
    ended = shadowed.run("check", f"python:{target.name}:Target", *against, *words)
    assert_the_fault_is_found(ended)
    assert "TOK201" in ended.stdout
    assert not shadowed.owned.exists()


def test_the_pytest_plugin_has_the_rules_of_the_command(checkout):
    policy = checkout.outside / "tokharness.toml"
    policy.write_text('regressions = "elsewhere"\nagainst = "command:touch owned"')
    (checkout.outside / "elsewhere").mkdir()
    (checkout.outside / "elsewhere" / "a.jsonl").write_text("no regression")
    checkout.write("pytest.ini", f"[pytest]\ntokharness_targets = {TARGET}\n")
    words = ("-p", "no:cacheprovider", "--tokharness-select=TOK101")
    command = (sys.executable, "-m", "pytest")
    ended = checkout.run(*words, "--tokharness-family=zero-width", command=command)
    assert ended.returncode == 1, ended.stdout
    assert "dropped characters: U+200B" in ended.stdout
    assert not checkout.owned.exists()
    (checkout.root / "cases").symlink_to(checkout.outside)
    ended = checkout.run(*words, command=command)
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    assert "leads out of the project" in ended.stderr


def test_the_report_names_the_policy_that_was_used(checkout):
    checkout.write("tokharness.toml", "seed = 3")
    ended = checkout.run("check", TARGET, *FEW, "--format", "json", folder=checkout.sub)
    assert json.loads(ended.stdout)["policy"]["path"] == str(checkout.root / "tokharness.toml")
