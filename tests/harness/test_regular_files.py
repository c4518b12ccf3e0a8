"""A file that somebody names is read in one way, which never waits and has a limit."""

import ast
import os
import socket
from pathlib import Path

import pytest

from tokharness.errors import TokharnessError
from tokharness.regular_files import (
    open_file,
    open_stream,
    read_file,
    require_inside_folder,
)
from tokharness.targets.loading import load_target
from tokharness_tokenizers.adapters import shipped_engine

ROOT = Path(__file__).parents[2]
PACKAGES = ("harness/tokharness", "tokenizers/tokharness_tokenizers", "cases/tokharness_cases")

OWN_FILES = {
    "harness/tokharness/regular_files.py": "it is the reader",
    "harness/tokharness/atomic_write.py": "a folder, to lock it",
    "harness/tokharness/cli/__init__.py": "descriptors of the command, and /dev/null",
    "harness/tokharness/cli/_output.py": "the summary of a CI job, which is written",
    "harness/tokharness/diagnosis/probes/running_text.py": "data of the package",
    "harness/tokharness/embeddings/matrix.py": "an array of numbers of an open file",
    "harness/tokharness/engine/worker/snapshots.py": "data of the package",
    "harness/tokharness/extras.py": "metadata of the installation",
    "harness/tokharness/formats/_html/page.py": "data of the package",
    "harness/tokharness/parity_matrix/page.py": "data of the package",
    "harness/tokharness/policy/reading.py": "the schema of the package",
    "harness/tokharness/pytest_plugin/_outcomes.py": "files between the processes of one run",
    "harness/tokharness/results/journal.py": "a journal is written",
    "harness/tokharness/results/untrusted.py": "schemas of the package",
    "harness/tokharness/targets/comparison.py": "the code of the installation",
    "harness/tokharness/targets/processes/_guard.py": "/proc",
    "harness/tokharness/targets/processes/limits.py": "/proc",
    "harness/tokharness/targets/processes/line_process.py": "/proc",
    "harness/tokharness/targets/processes/deadlines.py": "/proc",
    "harness/tokharness/targets/processes/streams.py": "/dev/null",
    "tokenizers/tokharness_tokenizers/adapters/python_object.py": "a program of the package",
    "tokenizers/tokharness_tokenizers/reference/atomic_file.py": "it is written",
    "tokenizers/tokharness_tokenizers/reference/sentencepiece/normalizing.py": "our own data",
    "tokenizers/tokharness_tokenizers/vocabularies/make_small.py": "sources of the installation",
    "tokenizers/tokharness_tokenizers/vocabularies/make_embedded.py": "makes data of the package",
    "tokenizers/tokharness_tokenizers/vocabularies/make_healthy.py": "makes data of the package",
    "cases/tokharness_cases/_family.py": "data of the package",
    "harness/tokharness/conversations/known_templates.py": "data of the package",
    "harness/tokharness/diagnosis/vocabulary/known.py": "data of the package",
}
"""Modules that open files in another way, and what these are."""

OF_PACKAGE = ("unicode", "training")
"""Folders of data that are part of the package."""

OF_PROGRAMS = "programs"
"""Folder of programs that import nothing of ours; the command looks at the path of a file first."""


OPENS = {"open", "read_bytes", "read_text", "fromfile", "loadtxt", "memmap", "ZipFile"}
"""Functions and methods of modules and objects that open a path."""

CLASSES = ("CorpusDatabase", "Store")
"""Classes with a method ``open``; each reads files in the one way."""


def opens_otherwise(path):
    """Whether a module calls a function or a method that opens a file."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Call):
            called = node.func
            method, function = getattr(called, "attr", ""), getattr(called, "id", "")
            of = getattr(getattr(called, "value", None), "id", "")
            if (function == "open" or method in OPENS) and of not in CLASSES:
                return True
    return False


def test_no_other_module_opens_a_file_that_somebody_names():
    found = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if not {*path.parts}.intersection({*OF_PACKAGE, OF_PROGRAMS}) and opens_otherwise(path)
    }
    assert found == set(OWN_FILES)


def test_a_loop_of_links_is_an_error_of_the_system_everywhere():
    found = {
        path.name
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if ".resolve()" in path.read_text("utf-8")  # raises RuntimeError for a loop
    }
    assert found == {"project.py"}, "os.path.realpath takes a loop, whose file is not found then"


@pytest.mark.parametrize(
    "spec", ["engine:tokie:x.json", "engine:js-tiktoken:x.tiktoken", "hf@0.20.3:x.json"]
)
def test_a_program_is_not_started_for_what_is_no_file(spec, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(shipped_engine, "require", lambda _: None)
    os.mkfifo(spec.rpartition(":")[2])
    with pytest.raises(TokharnessError, match=r"x\.(json|tiktoken): (it is a pipe|check the path)"):
        load_target(spec)


def test_a_file_is_read(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"\0\r\n\xff")
    assert read_file(path) == b"\0\r\n\xff"
    assert read_file(str(path), 4) == b"\0\r\n\xff"


def refusal(path, most=1 << 20):
    try:
        read_file(path, most)
    except OSError as error:
        return error.strerror
    return "none"


def test_a_pipe_without_a_writer_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert refusal(tmp_path / "pipe") == "it is a pipe, not a file"


def test_a_device_that_never_ends_is_not_read():
    assert refusal("/dev/zero") == "it is a device, not a file"


def test_a_folder_and_a_socket_are_named(tmp_path):
    assert refusal(tmp_path) == "it is a folder, not a file"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s"))
        assert refusal(tmp_path / "s") == "No such device or address"  # the system opens none


def test_a_sparse_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    assert refusal(path) == "it is larger than 1 MB"


def test_a_file_that_grows_while_it_is_read_has_the_limit(tmp_path):
    """As files of /proc do, whose size is 0."""
    assert refusal("/proc/self/maps", 10) == "it is larger than 0 MB"


def test_no_descriptor_is_left_by_a_refusal(tmp_path):
    before = len([*Path("/proc/self/fd").iterdir()])
    refusal(tmp_path)
    assert len([*Path("/proc/self/fd").iterdir()]) == before


def test_a_program_that_is_started_does_not_get_the_file(tmp_path):
    path = tmp_path / "file"
    path.touch()
    with open_file(path) as file:
        assert not os.get_inheritable(file.fileno())


def test_a_stream_may_be_a_pipe_and_no_device(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "pipe").open("r+b", buffering=0) as written:
        written.write(b"ab")
        with open_stream(tmp_path / "pipe") as file:
            assert file.read(2) == b"ab"
    with pytest.raises(OSError, match="it is a device, not a file"):
        open_stream("/dev/zero")


def test_a_link_out_of_a_folder_is_refused(tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "secret").touch()
    (folder / "own").touch()
    (folder / "link").symlink_to("own")
    (folder / "out").symlink_to("../secret")
    require_inside_folder(folder, [folder / "own", folder / "link", folder / "missing"])
    with pytest.raises(OSError, match="out is a link that leads out of the folder"):
        require_inside_folder(folder, [folder / "own", folder / "out"])


@pytest.mark.parametrize("kind", ["repository", "cache of the hub", "folder in the cache"])
def test_a_link_may_lead_to_the_project_of_a_folder(tmp_path, kind):
    if kind == "repository":
        folder, target = tmp_path / "model", tmp_path / "data" / "file"
        (tmp_path / ".git").mkdir()
    else:
        folder = tmp_path / "models--a--b" / "snapshots" / "0123"
        folder /= "tokenizer" if kind == "folder in the cache" else ""
        target = tmp_path / "models--a--b" / "blobs" / "file"
    for parent in (folder, target.parent):
        parent.mkdir(parents=True)
    target.touch()
    (folder / "link").symlink_to(target)
    require_inside_folder(folder, [folder / "link"])
