"""The cache of what references gave: used where it is whole, and never needed."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from tokharness.config import Options
from tokharness.engine.events import AnswersGiven, TargetFinished, TargetStarted, UnitFinished
from tokharness.engine.requests import KnownResults
from tokharness.results import comparison_cache
from tokharness.results.comparison_cache import FOLDER, ComparisonCache, cache_folder
from tokharness.targets.comparison import pack_answer
from tokharness.targets.digests import Digest, digest_of
from tokharness.targets.packed_digests import pack, unpack

OPTIONS = Options(profile="quick")
COMPARISON = "ab" * 16
QUESTION = f"reach {'0' * 32}"


def packed(*texts, agreed=True):
    (block,) = digest_of(texts, [[1]] * len(texts)).blocks
    return pack(Digest((replace(block, agreed=agreed),)))


def events(comparison=COMPARISON, finished=True, answers=None, **units):
    yield TargetStarted("t", "r", (), None, None, tuple(units), (), comparison)
    for family, digest in units.items():
        yield UnitFinished("t", family, 0, 1, 1, {}, 0.0, digest=digest)
    if answers:
        yield AnswersGiven("t", answers)
    if finished:
        yield TargetFinished("t", 1, 1.0, 1.0)


@pytest.fixture
def cache(tmp_path):
    return ComparisonCache(tmp_path / "cache", OPTIONS)


def write(cache, *args, **units):
    return list(cache.watched(events(*args, **units)))


def keys(digests):
    return {unit: [block.key for block in unpack(one).blocks] for unit, one in digests.items()}


def test_what_agreed_with_the_reference_is_read_again(cache):
    digest = packed("a", "b")
    assert write(cache, digits=digest, emoji=packed("c", agreed=False)) == list(
        events(digits=digest, emoji=packed("c", agreed=False))
    )
    assert keys(cache.read(COMPARISON).compared) == keys({("digits", 0): digest})


def test_another_reference_or_other_texts_have_other_files(cache):
    write(cache, digits=packed("a"))
    assert cache.read("cd" * 16) == KnownResults()
    assert (
        ComparisonCache(cache.folder, Options(profile="standard")).read(COMPARISON)
        == KnownResults()
    )


def test_nothing_is_kept_of_an_unknown_reference_or_of_an_interrupted_run(cache):
    list(cache.watched(events("", digits=packed("a"))))
    list(cache.watched(events(finished=False, digits=packed("a"))))
    assert not cache.folder.exists()


def test_units_of_another_run_are_kept(cache):
    write(cache, digits=packed("a"))
    write(cache, emoji=packed("b"))
    assert set(cache.read(COMPARISON).compared) == {("digits", 0), ("emoji", 0)}


def test_answers_of_the_reference_are_read_again(cache):
    answers = {QUESTION: pack_answer([["\ud800", ""]])}
    write(cache, answers=answers)
    write(cache, digits=packed("a"))
    assert cache.read(COMPARISON).answers == answers
    assert cache.read("cd" * 16).answers == {}


def test_the_oldest_answers_are_left_out(cache):
    questions = [f"reach {number:032x}" for number in range(comparison_cache.MOST_ANSWERS + 2)]
    for question in (*questions, questions[3]):
        write(cache, answers={question: pack_answer([])})
    assert [*cache.read(COMPARISON).answers] == [*questions[2:3], *questions[4:], questions[3]]


def _cut(content):
    return content[: len(content) // 2]


def _flip(content):
    at = len(content) - 20
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        _cut,
        _flip,
        lambda _: b"",
        lambda _: b"\xff\xfe",
        lambda content: content[:65] + b"[[[[1]]]]",
    ],
)
def test_a_damaged_file_is_not_used_and_is_replaced(cache, damage):
    write(cache, digits=packed("a"))
    (path,) = cache.folder.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    assert cache.read(COMPARISON) == KnownResults()
    write(cache, emoji=packed("b"))
    assert set(cache.read(COMPARISON).compared) == {("emoji", 0)}


def test_a_file_with_the_right_checksum_and_nonsense_is_not_used(cache):
    write(cache, digits=packed("a"))
    (path,) = cache.folder.iterdir()
    units = ('[["digits",0,"?"]]', '{"a":1}', "[1]", '[["digits"]]', "null")
    answers = (f'[["{QUESTION}","?"]]', f'[["{QUESTION}",1]]', '[["reach","eJyLjgUAARUAuQ=="]]')
    contents = (*(f"[{one},[]]" for one in units), *(f"[[],{one}]" for one in answers), *units)
    for content in contents:
        path.write_text(f"{comparison_cache._checksum(content)}\n{content}", "ascii")
        assert cache.read(COMPARISON) == KnownResults()


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path):
    (tmp_path / "file").write_text("not a folder", "ascii")
    cache = ComparisonCache(tmp_path / "file" / "cache", OPTIONS)
    write(cache, digits=packed("a"))
    assert cache.read(COMPARISON) == KnownResults()


def test_a_full_disk_leaves_the_old_file(cache, monkeypatch):
    write(cache, digits=packed("a"))

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    write(cache, emoji=packed("b"))
    monkeypatch.undo()
    assert set(cache.read(COMPARISON).compared) == {("digits", 0)}
    assert len(list(cache.folder.iterdir())) == 1


def test_the_oldest_files_are_removed(cache, monkeypatch):
    for number in range(4):
        options = Options(profile="quick", seed=number)
        write(ComparisonCache(cache.folder, options), digits=packed("a"))
        for path in cache.folder.iterdir():
            status = path.stat()
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns - 10**9))
    size = max(path.stat().st_size for path in cache.folder.iterdir())
    monkeypatch.setattr(comparison_cache, "MAX_BYTES", 2 * size)
    write(cache, emoji=packed("b"), digits=packed("a"))
    left = [
        seed
        for seed in range(4)
        if ComparisonCache(cache.folder, Options(profile="quick", seed=seed))
        .read(COMPARISON)
        .compared
    ]
    assert left in ([0], [0, 3])
    assert sum(path.stat().st_size for path in cache.folder.iterdir()) <= 2 * size


def test_runs_at_once_leave_a_whole_file(cache):
    families = [f"family{number}" for number in range(8)]
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda family: write(cache, **{family: packed(family)}), families))
    assert set(cache.read(COMPARISON).compared) <= {(family, 0) for family in families}
    assert cache.read(COMPARISON).compared


def test_the_environment_names_the_folder_or_turns_the_cache_off(monkeypatch, tmp_path):
    monkeypatch.setenv(FOLDER, str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.setenv(FOLDER, "")
    assert cache_folder() is None
    monkeypatch.delenv(FOLDER)
    assert "tokharness" in str(cache_folder())


def test_a_file_of_another_user_and_a_pipe_are_not_used(cache, monkeypatch):
    write(cache, digits=packed("a"))
    (path,) = cache.folder.iterdir()
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
        assert cache.read(COMPARISON) == KnownResults()
    assert cache.read(COMPARISON) != KnownResults()
    path.unlink()
    os.mkfifo(path)
    assert cache.read(COMPARISON) == KnownResults()
