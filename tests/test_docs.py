"""The documentation is current, its links resolve, and its commands work."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from planted._tokenizer_files import RECORDS

from tokharness import plugins
from tokharness.formats._gate_lines import change_lines, commands
from tokharness.gate.file_changes import file_changes
from tokharness.gate.next_steps import GateCommand, with_next_steps
from tokharness.targets.snapshot import ChangedText, FileEdit, FileState
from tokharness_tokenizers.vocabularies.locate import PUBLISHED

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
WORDS_BEFORE = r"<!-- (?P<mark>[^\n]*?) -->\n"
BLOCK = re.compile(rf"(?:{WORDS_BEFORE})?```(?P<kind>\w+)\n(?P<text>.*?)```", re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
SCREEN = re.compile(r"<!-- screen: (.*?) -->\n```text\n(.*?)```", re.DOTALL)
SECONDS = re.compile(r"[0-9.]+s\b")
EXIT = re.compile(r"^(.*?)  # exits with (\d+)$", re.MULTILINE)
SMALLER = {
    "--max-time 20s": "--max-examples 1500",
    "--profile quick": "--profile quick --family contractions,normal-forms,plain-words"
    " --ignore TOK109,TOK114,TOK302,TOK4",
    "audit tiktoken:cl100k_base": "audit tiktoken:embedded",
    "check tiktoken:cl100k_base": "check tiktoken:embedded",
    "compare tiktoken:r50k_base": "compare reference:byte-level-bpe",
    "tiktoken:r50k_base --fail-on never": "reference:embedded --fail-on never",
    "tiktoken:cl100k_base tiktoken:o200k_base": "tiktoken:embedded reference:embedded",
}
"""What a command is run with instead: fewer texts and audits, and smaller vocabularies, which show
what its page says as well.
"""

spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
generate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(generate)


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def blocks(page):
    return [match.groupdict() for match in BLOCK.finditer(page.read_text("utf-8"))]


def anchors(page):
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


def test_generated_pages_are_current():
    pages = generate.pages().items()
    stale = [name_of(p) for p, text in pages if not p.exists() or p.read_text("utf-8") != text]
    assert stale == [], "run python docs/generate.py"


def test_every_promise_of_the_security_policy_has_a_test():
    rows = re.findall(
        r"^\| .* \| (.*) \|$", (ROOT / "SECURITY.md").read_text("utf-8"), re.MULTILINE
    )
    tests = [re.match(r"`(tests/\S+\.py)`", row) for row in rows if row != "test"]
    assert all(tests)
    assert [match[1] for match in tests if not (ROOT / match[1]).is_file()] == []


def test_every_target_scheme_has_a_place_in_the_documentation():
    text = (DOCS / "targets.md").read_text("utf-8")
    missing = [scheme for scheme in plugins.adapters() if f"{scheme}:" not in text]
    assert missing == [], "describe it in docs/targets.md"


def test_no_page_of_a_check_is_left_over():
    assert set((DOCS / "checks").iterdir()) <= generate.pages().keys()


@pytest.mark.parametrize("page", [*PAGES, *sorted(DOCS.glob("checks/*.md"))], ids=name_of)
def test_links_lead_to_files_and_headings(page):
    for path, anchor in LINK.findall(page.read_text("utf-8")):
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), path
        assert not anchor or anchor in anchors(target), f"{path}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_python_and_toml_in_the_documentation_parse(page):
    for block in blocks(page):
        if block["kind"] == "python":
            compile(block["text"], page.name, "exec")
        if block["kind"] == "toml":
            tomllib.loads(block["text"])


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=name_of)
def test_every_command_in_the_documentation_is_run_by_a_test(page):
    marks = [block["mark"] or "" for block in blocks(page) if block["kind"] == "sh"]
    assert [mark for mark in marks if not mark.startswith(("run", "not run: "))] == []


def scripts(page):
    """Commands of a page by the word after "run", each with its expected exit codes."""
    found = {}
    for block in blocks(page):
        mark, _, needed = (block["mark"] or "").partition(": ")
        if mark == "run":
            found[needed] = found.get(needed, "") + EXIT.sub(expected, block["text"])
    return found


def expected(match):
    return f"{{ {match[1]}; }} && code=0 || code=$?; test $code = {match[2]}"


def marks_of(needed):
    """Leave commands that check a published vocabulary, or train one, to the night."""
    return [pytest.mark.nightly] if needed in {*PUBLISHED, "story"} else []


RUNS = [
    pytest.param(page, needed, id=f"{page.stem}-{needed}", marks=marks_of(needed))
    for page in sorted(DOCS.glob("*.md"))
    for needed in scripts(page)
]


def folder_of(page, needed, tmp_path):
    """Write the files of a page, with the entry points that installing its package makes.

    Some are for the commands that need a word alone: ``file: NAME for WORD``. One word is a file.
    """
    if needed == "tokenizer.json":
        (tmp_path / needed).write_text(json.dumps(RECORDS["bpe_decoder"]), "utf-8")
    for block in blocks(page):
        mark, _, words = (block["mark"] or "").partition(": ")
        name, _, word = words.partition(" for ")
        if mark == "file" and word in ("", needed):
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block["text"], encoding="utf-8")
            if "/" in name and not name.startswith("tests/"):
                for parent in path.relative_to(tmp_path).parents[:-1]:
                    (tmp_path / parent / "__init__.py").touch()
    project = tmp_path / "pyproject.toml"
    if project.exists():
        install(tomllib.loads(project.read_text("utf-8")).get("project", {}), tmp_path)
    return tmp_path


def install(project, folder):
    """Write the metadata of a package, without a network."""
    if project:
        info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        info.mkdir()
        head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        (info / "METADATA").write_text(head)
        groups = project["entry-points"].items()
        lines = [f"[{g}]\n" + "".join(f"{k}={v}\n" for k, v in e.items()) for g, e in groups]
        (info / "entry_points.txt").write_text("\n".join(lines))


@pytest.mark.slow
@pytest.mark.parametrize(("page", "needed"), RUNS)
def test_commands_of_the_documentation_work(page, needed, tmp_path):
    if needed in PUBLISHED and not PUBLISHED[needed].cache_path.exists():
        pytest.skip(f"{needed} is not in tiktoken's cache: set TIKTOKEN_CACHE_DIR")
    folder = folder_of(page, needed, tmp_path)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(folder), "COLUMNS": "200"}
    environment["CI"] = "true"  # Hypothesis has no clocks there
    environment.pop("HYPOTHESIS_STORAGE_DIRECTORY", None)
    script = scripts(page)[needed]
    for option, smaller in SMALLER.items():
        script = script.replace(option, smaller)
    done = subprocess.run(
        ["/bin/bash", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    for block in blocks(page):
        if block["mark"] == f"excerpt: {needed}":
            for line in block["text"].splitlines():
                assert line.partition("...")[0] in done.stdout + done.stderr


def test_the_edit_in_the_documentation_is_shown_as_a_gate_shows_it():
    """The numbers are of one run; its sentences and commands are made here of these numbers."""
    (block,) = (one for one in blocks(DOCS / "gate-and-ci.md") if one["mark"] == "edit")
    file = FileState("tokenizer.json", {"model": "11"})
    edit = FileEdit(
        "model",
        "merge 300 (' ', 'N') is gone",
        counts={"tokens' own texts": 10, "golden texts": 17, "ordinary texts": 262},
        tokens=314,
        examples=(ChangedText("golden texts", " N", (557,), (221, 46)),),
    )
    sizes = {"tokens' own texts": 3872, "ordinary texts": 28113}
    target = SimpleNamespace(snapshot=SimpleNamespace(file=file, sizes=sizes, edits=(edit,)))
    baseline = SimpleNamespace(file=file, golden=range(2062))
    words = ("hf:tokenizer.json", "--name", "mine")
    path = "reports/baselines/mine.json"
    command = GateCommand(words, words[0], f"baseline:{path}", path)
    (change,) = with_next_steps(list(file_changes(target, baseline)), command)
    lines = [*change_lines(change), *(f"$ {one}" for one in commands(change))]
    shown = re.sub("--accept [0-9a-f]{16}", f"--accept {change.fingerprint}", block["text"])
    assert shown.split() == ["fail", *" ".join(lines).split()]


def test_every_file_that_the_architecture_names_exists():
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    names = re.findall(r"`([\w./]+(?:\.py|/|\.toml))`", text)
    roots = (ROOT, ROOT / "harness" / "tokharness")
    assert names
    assert [name for name in names if not any((root / name).exists() for root in roots)] == []


@pytest.mark.slow
def test_the_screen_in_the_readme_is_what_the_command_prints(monkeypatch):
    for name in ("argv", "stdout"):
        monkeypatch.setattr(sys, name, getattr(sys, name))
    monkeypatch.setenv("COLUMNS", "100")
    ((command, shown),) = SCREEN.findall((ROOT / "README.md").read_text("utf-8"))
    assert SECONDS.sub("- s", generate.screen(command)) == SECONDS.sub("- s", shown)
