"""Environments of releases, with a made package in the place of a library, without a network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tokharness import plugins
from tokharness.errors import TargetError, UnknownNameError, UsageError
from tokharness.plugins.bare_paths import spec_of
from tokharness_tokenizers.adapters import sentencepiece_processor
from tokharness_tokenizers.programs import environments, known_releases
from tokharness_tokenizers.programs.environments import VARIABLE, folder_of, python_of
from tokharness_tokenizers.vocabularies.locate import healthy_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RELEASE = "77.1.0"
SPEC = f"sentencepiece@{RELEASE}"
LIBRARY = '''
print("noise")

def can_import(name):
    try:
        __import__(name)
    except ImportError:
        return False
    return True

class SentencePieceProcessor:
    """The ids of a text are its code points, and one more for each package of ours."""

    def __init__(self, model_file):
        self.ours = [name for name in ("tokharness", "tokharness_tokenizers")
                     if can_import(name)]

    def encode(self, text, **options):
        print("a log on standard output")
        if isinstance(text, list):
            return [self.encode(one, **options) for one in text]
        if options.get("out_type"):
            raise ValueError
        return [ord(char) for char in text] + [0] * len(self.ours)

    def decode(self, ids, **options):
        return "".join(map(chr, ids)) if not ids or isinstance(ids[0], int) else [
            self.decode(row) for row in ids]

    DecodeIds = decode
    EncodeAsIds = encode

    def DecodePieces(self, pieces): return "".join(pieces)
    def get_piece_size(self): return 300
    def is_control(self, number): return number == 1
    def is_unknown(self, number): return number == 2
    def id_to_piece(self, number): return chr(number)
    def piece_to_id(self, piece): return ord(piece)
    def bos_id(self): return -1
    def eos_id(self): return -1
'''


def write_wheel(folder: Path, release: str, python: str = ">=3.8", code: str = LIBRARY) -> None:
    """Write a wheel of the library with this code."""
    about = f"sentencepiece-{release}.dist-info"
    with zipfile.ZipFile(folder / f"sentencepiece-{release}-py3-none-any.whl", "w") as wheel:
        wheel.writestr("sentencepiece.py", code)
        metadata = f"Name: sentencepiece\nVersion: {release}\nRequires-Python: {python}\n"
        wheel.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\n{metadata}")
        wheel.writestr(
            f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{about}/RECORD", "")


@pytest.fixture(autouse=True)
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all that pip knows, with one release of the library."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    write_wheel(folder, RELEASE)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "environments"))
    return folder


@pytest.fixture(scope="module")
def made_before(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An environment that tests copy, as it takes a second to make."""
    folder = tmp_path_factory.mktemp("made")
    write_wheel(folder, RELEASE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PIP_NO_INDEX", "1")
        patch.setenv("PIP_FIND_LINKS", str(folder))
        patch.setenv("PIP_CONFIG_FILE", os.devnull)
        patch.setenv(VARIABLE, str(folder))
        python_of(known_releases()["sentencepiece"], RELEASE)
        yield folder_of(known_releases()["sentencepiece"], RELEASE)


@pytest.fixture
def made(made_before: Path) -> Path:
    """An environment of this test."""
    folder = folder_of(known_releases()["sentencepiece"], RELEASE)
    shutil.copytree(made_before, folder, symlinks=True)
    return folder


def make() -> Path:
    return python_of(known_releases()["sentencepiece"], RELEASE)


def version_in(python: Path) -> str:
    code = "from importlib.metadata import version; print(version('sentencepiece'))"
    done = subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.slow
def test_an_environment_that_is_whole_is_used_as_it_is(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert make() == made / "bin" / "python"
    assert version_in(make()) == RELEASE
    assert capsys.readouterr().err == ""


def remove_the_library(folder: Path) -> None:
    next(folder.rglob("sentencepiece.py")).unlink()


def cut_the_library(folder: Path) -> None:
    next(folder.rglob("sentencepiece.py")).write_text("")


def remove_its_python(folder: Path) -> None:
    (folder / "bin" / "python").unlink()


def lead_its_python_nowhere(folder: Path) -> None:
    remove_its_python(folder)
    (folder / "bin" / "python").symlink_to("/no/such/python")


def leave_it_half_made(folder: Path) -> None:
    (folder / environments.FINISHED).unlink()


def spoil_the_mark(folder: Path) -> None:
    (folder / environments.FINISHED).write_bytes(b"\xff")


def leave_it_under_its_first_name(folder: Path) -> None:
    folder.rename(folder.with_name(f"{folder.name}.unfinished"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    [
        remove_the_library,
        cut_the_library,
        remove_its_python,
        lead_its_python_nowhere,
        leave_it_half_made,
        spoil_the_mark,
        leave_it_under_its_first_name,
    ],
)
def test_an_environment_that_is_damaged_is_made_again(
    made: Path,
    damage: Callable[[Path], None],
    monkeypatch: pytest.MonkeyPatch,
    made_before: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def install(*arguments: object, **options: object) -> None:
        folder = next(one for one in arguments if isinstance(one, Path))
        shutil.copytree(made_before / "lib", folder / "lib", dirs_exist_ok=True)

    monkeypatch.setattr(environments, "_install", install)  # pip takes a second
    damage(made)
    assert version_in(make()) == RELEASE
    assert "makes, once, an environment with sentencepiece 77.1.0 in " in capsys.readouterr().err
    assert make() == made / "bin" / "python"
    assert capsys.readouterr().err == ""
    assert not made.with_name(f"{made.name}.unfinished").exists()


@pytest.mark.slow
def test_two_commands_at_once_make_one_environment() -> None:
    code = (
        "from tokharness_tokenizers.programs import environments, known_releases\n"
        f"print(environments.python_of(known_releases()['sentencepiece'], {RELEASE!r}))"
    )
    argv = [sys.executable, "-c", code]
    both = [
        subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    written = [one.communicate() for one in both]
    assert [one.returncode for one in both] == [0, 0], written
    assert written[0][0] == written[1][0]
    assert version_in(Path(written[0][0].strip())) == RELEASE
    assert sum("makes, once" in errors for _, errors in written) == 1


def test_an_interrupted_command_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(environments, "_install", interrupt)
    with pytest.raises(KeyboardInterrupt):
        make()
    folder = folder_of(known_releases()["sentencepiece"], RELEASE)
    assert [one.name for one in folder.parent.iterdir()] == [f"{folder.name}.lock"]


@pytest.mark.slow
def test_a_release_that_is_not_there_is_an_error_with_similar_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"'77\.1\.1': did you mean '77\.1\.0'\?"):
        spec_of("sentencepiece@77.1.1:a.model")


@pytest.mark.slow
def test_a_release_for_another_python_is_an_error_that_says_which(wheels: Path) -> None:
    write_wheel(wheels, "78.0.0", python=">=99.1")
    with pytest.raises(TargetError, match=r"sentencepiece 78\.0\.0 needs Python >=99\.1"):
        spec_of("sentencepiece@78.0.0:a.model")


@pytest.mark.slow
def test_without_a_network_the_error_names_the_command(wheels: Path) -> None:
    next(wheels.iterdir()).unlink()
    with pytest.raises(TargetError, match=f"with a network, run `tokharness install {SPEC}`"):
        spec_of(f"{SPEC}:a.model")


@pytest.mark.parametrize("release", ["", "latest", "--pre", "1.0 numpy", "1/../..", "1.0,<2"])
def test_what_is_no_release_is_refused_before_anything_is_made(
    release: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="is not a release of sentencepiece"):
        spec_of(f"sentencepiece@{release}:a.model")
    assert not (tmp_path / "environments").exists()


def test_a_folder_that_cannot_be_written_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file"))
    with pytest.raises(TargetError, match=f"set {VARIABLE} to a folder that can be written"):
        make()


def test_a_release_runs_with_nothing_of_ours(made: Path) -> None:
    (model,) = healthy_files("bpe.model") or healthy_files("bpe*.model")[:1]
    remote = sentencepiece_processor.load_release(RELEASE, model)
    try:
        assert remote.encode("a\u4f60") == [97, 0x4F60]
        assert remote.decode([97]) == "a"
        assert remote.special_tokens == {"\x01": 1, "\x02": 2}
        assert remote.normalizer is not None  # which our reading of the file says
    finally:
        remote.close()


def test_the_adapter_of_a_release_has_its_version_and_the_reference_of_the_file() -> None:
    adapter = plugins.adapter(f"{SPEC}:a.model")
    assert adapter.scheme == SPEC
    assert adapter.versions() == {"sentencepiece": RELEASE}
    assert adapter.guarded
    assert not adapter.plain_files


def test_a_scheme_without_releases_is_an_error_that_lists_those_with_releases() -> None:
    with pytest.raises(UsageError, match=r"reference has no releases: choose from hf@, mistral@"):
        plugins.adapter("reference@1.0:a.model")
    with pytest.raises(UnknownNameError, match="no target scheme is called 'sentencepice'"):
        spec_of("sentencepice@1.0:a.model")
