from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tokharness_tokenizers.programs import starting
from tokharness_tokenizers.programs.starting import NODE_VARIABLE, find_node, folder_of_package

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = "a-package"


@pytest.fixture(autouse=True)
def working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, without a variable and without npm."""
    here = tmp_path / "work" / "inside"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    monkeypatch.delenv(NODE_VARIABLE, raising=False)
    monkeypatch.setattr(starting, "_global_folder", lambda: None)
    return here


def installed(folder: Path) -> Path:
    (folder / PACKAGE).mkdir(parents=True)
    (folder / PACKAGE / "package.json").write_text("{}")
    return folder


def test_the_working_directory_is_not_looked_at(working_directory: Path) -> None:
    installed(working_directory / "node_modules")
    installed(working_directory.parent / "node_modules")
    assert folder_of_package(PACKAGE) is None


def test_the_variable_names_the_only_folder(
    working_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(working_directory / "node_modules")
    monkeypatch.setenv(NODE_VARIABLE, "elsewhere")
    assert folder_of_package(PACKAGE) is None
    assert folder_of_package(PACKAGE) != installed(working_directory / "elsewhere")
    assert folder_of_package(PACKAGE) == working_directory / "elsewhere"


@pytest.mark.parametrize(("script", "is_found"), [("echo {}", True), ("exit 1", False)])
def test_npm_names_the_global_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, is_found: bool
) -> None:
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(NODE_VARIABLE, raising=False)
    folder = installed(tmp_path / "global")
    npm = tmp_path / "npm"
    npm.write_text(f"#!/bin/sh\n{script.format(folder)}\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    starting._global_folder.cache_clear()
    assert folder_of_package(PACKAGE) == (folder if is_found else None)
    starting._global_folder.cache_clear()


@pytest.mark.parametrize("part", ["", ".", "bin", "./bin"])
def test_a_program_is_not_looked_for_in_the_working_directory(
    working_directory: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    (working_directory / "bin").mkdir()
    for folder in (working_directory, working_directory / "bin"):
        (folder / "node").write_text("#!/bin/sh\n")
        (folder / "node").chmod(0o755)
    monkeypatch.setenv("PATH", f"/no/such/folder:{part}")
    assert find_node() is None
    monkeypatch.setenv("PATH", f"{part}:{working_directory}")
    assert find_node() == str(working_directory / "node")
