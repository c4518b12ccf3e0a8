"""Whatever the user gets wrong is one clear line, with the nearest name, and exit code 2."""

import hashlib

import pytest

TARGET = "tiktoken:embedded"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["check", "tiktokn:embedded"], "did you mean 'tiktoken'"),
        (["check", "tiktoken:embeded"], "'embedded'"),
        (["check", "tiktoken:o200k_bas"], "'o200k_base'"),
        (["check", "reference:o200kbase"], "'o200k_base'"),
        (["check", TARGET, "--against", "refrence"], "did you mean 'reference'"),
        (["check", TARGET, "--select", "TOK199"], "'TOK1"),
        (["check", TARGET, "--select", "lossy-roundtrip"], "'lossy-round-trip'"),
        (["check", TARGET, "--ignore", "TOK999"], "TOK"),
        (["check", TARGET, "--family", "digit"], "did you mean 'digits'"),
        (["check", TARGET, "--format", "jsno"], "'json"),
        (["check", TARGET, "--report", "jsno=x.json"], "'json"),
        (["check", TARGET, "--report", "json"], "FORMAT=PATH"),
        (["check", TARGET, "--report", "json="], "FORMAT=PATH"),
        (["chekc"], "did you mean 'check'"),
        (["explain", "TOK199"], "'TOK1"),
        (["explain", "lossy-roundtrip"], "'lossy-round-trip'"),
        (["show"], "--json STRING"),
        (["show", "a", "tiktokn:embedded"], "did you mean 'tiktoken'"),
        (["show", "--json", "not json"], "JSON string"),
        (["show", "--json", "[1]"], "JSON string"),
        (["show", "@no/such/file"], "cannot read no/such/file"),
        (["check", "python:no_such.py:make"], "no file no_such.py"),
        (["check", "python:no_such_module:make"], "no_such_module"),
        (["check", "python:x"], "python:FILE.py:FACTORY"),
        (["check", "reference:no/such.tiktoken"], "such.tiktoken"),
    ],
)
def test_a_word_that_names_nothing_is_told_in_one_line(command, words, told):
    ended = command(*words)
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.startswith("tokharness: error: ")
    assert ended.err.count("\n") == 1
    assert told in ended.err


@pytest.mark.parametrize(
    "words",
    [
        ["check", "--fail-on", "bgu"],
        ["check", "--seed", "x"],
        ["check", "--examples", "-1"],
        ["check", "--no-such-option"],
        ["list", "chekcs"],
        ["explain"],
        ["doctor", "surplus"],
    ],
)
def test_a_wrong_option_is_told_with_the_usage(command, words):
    ended = command(*words)
    assert ended.code == 2
    assert ended.out == ""
    assert "Usage: tokharness" in ended.err
    assert "Traceback" not in ended.err


def test_an_unknown_factory_offers_the_nearest(command, faulty):
    ended = command("check", faulty("numbers_in_four"))
    assert ended.code == 2
    assert "'numbers_in_fours'" in ended.err


@pytest.mark.parametrize("content", [b"", b"not base64 0\n", b"YQ== 0\nYg== 0\n", b"\xff\xfe"])
@pytest.mark.parametrize("scheme", ["reference", "tiktoken"])
def test_a_corrupt_vocabulary_file_is_told_in_one_line(command, tmp_path, scheme, content):
    path = tmp_path / "mine.tiktoken"
    path.write_bytes(content)
    side = '{"name": "mine", "pattern": ".", "special_tokens": {}, "sha256": "%s"}'
    digest = hashlib.sha256(content).hexdigest()
    path.with_name("mine.tiktoken.json").write_text(side % digest, encoding="ascii")
    ended = command("check", f"{scheme}:{path}")
    assert ended.code == 2
    assert ended.err.count("\n") == 1
    assert "mine" in ended.err


def test_a_vocabulary_without_its_side_file_is_told_in_one_line(command, tmp_path):
    path = tmp_path / "mine.tiktoken"
    path.write_bytes(b"YQ== 0\n")
    ended = command("check", f"reference:{path}")
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert "mine.tiktoken.json" in ended.err


def test_a_published_vocabulary_that_is_not_there_is_told_with_what_to_do(
    command, tmp_path, monkeypatch
):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    ended = command("check", "reference:cl100k_base")
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert "TIKTOKEN_CACHE_DIR" in ended.err


def test_a_factory_that_raises_is_told_in_one_line(command, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def make():\n    raise RuntimeError('two\\nlines \\x1b[31m')\n")
    ended = command("check", f"python:{path}:make")
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert "RuntimeError: two lines" in ended.err
    assert "\x1b" not in ended.err


def test_hostile_words_are_shown_and_not_obeyed(command):
    ended = command("check", "\x1b[31m\u202e:x")
    assert ended.code == 2
    assert ended.err.replace("\n", "").isprintable()


def test_text_that_is_no_utf8_is_refused(command, tmp_path):
    path = tmp_path / "latin1"
    path.write_bytes(b"caf\xe9")
    for word, told in (("caf\udce9", "not valid UTF-8"), (f"@{path}", "is not UTF-8")):
        ended = command("show", word)
        assert (ended.code, ended.err.count("\n")) == (2, 1)
        assert told in ended.err
