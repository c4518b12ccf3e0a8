"""The project of a folder: where it ends, and what leads out of it."""

import os
from pathlib import Path

import pytest

from tokharness import project
from tokharness.errors import UsageError
from tokharness.project import (
    folders_upwards,
    is_of_another_user,
    require_file,
    require_files,
    require_inside,
    root_of,
)


@pytest.fixture
def nested(tmp_path):
    folder = tmp_path / "above" / "root" / "a" / "b"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def root(nested):
    root = nested.parents[1]
    (root / ".git").mkdir()
    return root


@pytest.mark.parametrize("marker", [".git", ".hg", ".jj", ".svn"])
def test_the_project_is_the_repository_around_the_folder(nested, marker):
    (nested.parents[1] / marker).mkdir()
    assert root_of(nested) == nested.parents[1]
    assert folders_upwards(nested) == [nested, nested.parent, nested.parents[1]]


def test_the_root_of_a_worktree_has_a_file(nested):
    (nested.parent / ".git").write_text("gitdir: elsewhere")
    assert root_of(nested) == nested.parent


def test_without_a_repository_the_project_is_the_folder(nested):
    assert root_of(nested) == nested
    assert folders_upwards(nested) == [nested]


def test_a_missing_folder_is_in_the_project_of_the_nearest_that_exists(root):
    assert root_of(root / "a" / "no" / "such") == root


def test_the_innermost_repository_counts(root, nested):
    (root.parent / ".git").mkdir()
    assert root_of(nested) == root


@pytest.mark.parametrize("home", ["root", "above"])
def test_the_search_ends_at_the_home_directory(root, nested, monkeypatch, home):
    monkeypatch.setenv("HOME", str(root if home == "root" else root.parent))
    assert root_of(nested) == (nested if home == "root" else root)
    assert root_of(root) == root


def test_no_home_directory_is_no_end(root, nested, monkeypatch):
    def missing():
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", missing)
    assert root_of(nested) == root


@pytest.mark.parametrize("foreign", ["root", "root/.git"])
def test_the_search_ends_at_a_folder_or_repository_of_another_user(
    root, nested, monkeypatch, foreign
):
    path = root.parent / foreign
    monkeypatch.setattr(project, "is_of_another_user", lambda one, _: one == path)
    assert root_of(nested) == nested


def test_the_owner_of_the_folder_counts_as_the_user(nested, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert not is_of_another_user(nested.parent, nested)


def test_a_path_in_the_project_is_returned_though_it_is_missing(root):
    assert require_inside(root / "a" / ".." / "new", root, "x") == root / "a" / ".." / "new"


@pytest.mark.parametrize("way", ["..", "absolute", "link", "link to a missing file", "loop", "nul"])
def test_a_path_that_leads_out_is_refused(root, way):
    link = root / "link"
    outside = root.parent / "outside"
    if way == "link":
        outside.mkdir()
    if way.startswith("link"):
        link.symlink_to(outside)
    if way == "loop":
        link.symlink_to(link)
    paths = {"..": root / ".." / "x", "absolute": root / outside, "nul": root / "a\0b"}
    with pytest.raises(UsageError) as raised:
        require_inside(paths.get(way, link), root, "the folder of x")
    assert str(raised.value).startswith("the folder of x ")
    assert "\n" not in str(raised.value)


def test_a_link_inside_the_project_is_followed(root):
    (root / "link").symlink_to(root / "a")
    require_inside(root / "link" / "b", root, "x")


def test_a_pipe_is_not_a_file(root):
    os.mkfifo(root / "pipe")
    with pytest.raises(UsageError, match="is not a file"):
        require_file(root / "pipe", root, "x")


@pytest.mark.parametrize("place", ["link", "a/link", "a/b/link"])
@pytest.mark.parametrize("target", ["/dev/zero", "/"])
def test_every_file_of_a_folder_has_to_be_in_the_project(root, place, target):
    require_files(root, "x")
    (root / place).symlink_to(target)
    with pytest.raises(UsageError, match="leads out of the project"):
        require_files(root, "x")
