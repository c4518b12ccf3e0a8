"""What the README shows is what the commands print."""

from __future__ import annotations

import contextlib
import io
import shlex
import sys
from pathlib import Path

import pytest
import regex

from tokharness import plugins
from tokharness.cli import main
from tokharness.config import PROFILES
from tokharness_tokenizers.vocabularies.locate import PUBLISHED

README = Path(__file__).parents[1] / "README.md"
SCREEN = regex.compile(r"<!-- screen: (.*?) -->\n```text\n(.*?)```", regex.DOTALL)
PROGRAM = regex.compile(r"<!-- program: served.py -->\n```python\n(.*?)```", regex.DOTALL)
SECONDS = regex.compile(r"[0-9.]+ s\b")


def run(command: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "argv", shlex.split(command))
    monkeypatch.setenv("COLUMNS", "100")
    output = io.StringIO()
    with contextlib.redirect_stdout(output), pytest.raises(SystemExit):
        main()
    return output.getvalue()


@pytest.mark.slow
def test_the_screen_in_the_readme_is_what_the_command_prints(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command, shown = SCREEN.search(README.read_text("utf-8")).groups()
    printed = run(command, monkeypatch)
    assert SECONDS.sub("- s", shown) == f"$ {command}\n" + SECONDS.sub("- s", printed)


def test_the_table_of_checks_in_the_readme_is_the_list_of_checks() -> None:
    rows = [
        f"| `{check.code}` {check.name} | {plugins.summary(check.page)} |"
        for check in plugins.checks().values()
    ]
    table = "\n".join(["| check | what it finds |", "|---|---|", *rows])
    assert f"<!-- checks -->\n{table}\n" in README.read_text("utf-8")


def test_the_table_of_profiles_in_the_readme_is_the_list_of_profiles() -> None:
    rows = [f"| `{profile.name}` | {profile.page} |" for profile in PROFILES.values()]
    table = "\n".join(["| profile | what it tries |", "|---|---|", *rows])
    assert f"<!-- profiles -->\n{table}\n" in README.read_text("utf-8")


@pytest.mark.skipif(
    not PUBLISHED["cl100k_base"].cache_path.exists(),
    reason="cl100k_base is not in tiktoken's cache: set TIKTOKEN_CACHE_DIR",
)
@pytest.mark.slow
def test_the_program_in_the_readme_is_a_clean_target(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "served.py").write_text(PROGRAM.search(README.read_text("utf-8"))[1])
    monkeypatch.chdir(tmp_path)
    spec = shlex.quote(f"command:{sys.executable} served.py")
    few = "--family digits,special-tokens,surrogates --select TOK1,TOK2 --jobs 1"
    printed = run(f"tokharness check {spec} --against tiktoken:cl100k_base {few}", monkeypatch)
    assert "\npassed: 0 bugs" in printed
