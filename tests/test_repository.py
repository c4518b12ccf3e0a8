"""The layout of the repository, and the traps of its three source roots."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import regex

ROOT = Path(__file__).parents[1]
SOURCE_ROOTS = {
    "harness": "tokharness",
    "tokenizers": "tokharness_tokenizers",
    "cases": "tokharness_cases",
}
SOURCES = [p for root in (*SOURCE_ROOTS, "tests") for p in sorted((ROOT / root).rglob("*.py"))]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
HIDDEN = regex.compile(
    r"[\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{M}\p{Default_Ignorable_Code_Point}"
    r"\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u0000-\u0008\u000b-\u001f\u007f-\u009f]"
)
HOSTS = [".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"))]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize(("root", "package"), SOURCE_ROOTS.items())
def test_a_source_root_holds_one_package_and_is_none_itself(root: str, package: str) -> None:
    inside = {p.name for p in (ROOT / root).iterdir() if p.name != "__pycache__"}
    assert inside == {package}
    assert (ROOT / root / package / "__init__.py").is_file()


@pytest.mark.slow
def test_no_module_bears_the_name_of_a_library_it_imports() -> None:
    offending = [
        relative(path)
        for path in SOURCES
        if regex.search(
            rf"^\s*(?:import|from)\s+{regex.escape(path.stem)}\b", path.read_text("utf-8"), regex.M
        )
    ]
    assert offending == []


def test_no_source_asks_whether_a_library_is_there_by_importing_a_folder_of_its_name() -> None:
    traps = ("find_" + "spec(", "import" + "orskip(")
    offending = [relative(p) for p in SOURCES if any(t in p.read_text("utf-8") for t in traps)]
    assert offending == []


def test_only_what_measures_the_table_of_versions_imports_the_standard_unicodedata() -> None:
    measuring = "harness/tokharness/unicode/generate_versions.py"
    importing = [
        relative(path)
        for path in SOURCES
        if relative(path) != measuring
        and regex.search(r"^\s*(?:import|from) unicodedata\b", path.read_text("utf-8"), regex.M)
    ]
    assert all(name.startswith("tests/") for name in importing), importing


def test_every_character_of_a_source_shows_itself() -> None:
    found = [
        f"{relative(path)}:{number}: {match[0]!a}"
        for path in (*SOURCES, *DOCUMENTS)
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1)
        for match in HIDDEN.finditer(line)
    ]
    assert found == []


def test_no_file_names_the_host_of_a_package_index() -> None:
    files = [*SOURCES, *DOCUMENTS, ROOT / "pyproject.toml", ROOT / ".ci" / "run"]
    offending = [relative(p) for p in files if any(h in p.read_text("utf-8") for h in HOSTS)]
    assert offending == []


def test_the_three_packages_import_from_the_root_next_to_folders_of_library_names() -> None:
    script = (
        "import tokharness, tokharness_tokenizers, tokharness_cases, importlib.util as u;"
        "import tokenizers; assert getattr(tokenizers, '__file__', None) is None or "
        "'site-packages' in tokenizers.__file__"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_every_module_of_the_packages_has_a_docstring() -> None:
    offending = []
    for root, package in SOURCE_ROOTS.items():
        for path in (ROOT / root / package).rglob("*.py"):
            text = path.read_text("utf-8")
            if not text.lstrip().startswith(('"""', 'r"""')):
                offending.append(relative(path))
    assert offending == []
