"""Usage errors: one clear line, with the nearest name, and exit code 2."""

import hashlib

import pytest

TARGET = "tiktoken:embedded"


@pytest.fixture
def check(command):
    """Run ``tokharness check`` without worker processes, which start in most of a second."""
    return lambda *words: command("check", *words, "--jobs", "0")


@pytest.mark.parametrize(
    ("words", "message"),
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
def test_an_unknown_name_is_reported_in_one_line(command, check, words, message):
    outcome = check(*words[1:]) if words[0] == "check" else command(*words)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("tokharness: error: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err


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
def test_an_invalid_option_prints_the_usage(command, words):
    outcome = command(*words)
    assert outcome.code == 2
    assert outcome.out == ""
    assert "Usage: tokharness" in outcome.err
    assert "Traceback" not in outcome.err


def test_an_unknown_factory_suggests_the_nearest(command, faulty):
    outcome = command("check", faulty("numbers_in_four"))
    assert outcome.code == 2
    assert "'numbers_in_fours'" in outcome.err


@pytest.mark.parametrize("content", [b"", b"not base64 0\n", b"YQ== 0\nYg== 0\n", b"\xff\xfe"])
@pytest.mark.parametrize("scheme", ["reference", "tiktoken"])
def test_a_corrupt_vocabulary_file_is_reported_in_one_line(check, tmp_path, scheme, content):
    path = tmp_path / "mine.tiktoken"
    path.write_bytes(content)
    side = '{"name": "mine", "pattern": ".", "special_tokens": {}, "sha256": "%s"}'
    digest = hashlib.sha256(content).hexdigest()
    path.with_name("mine.tiktoken.json").write_text(side % digest, encoding="ascii")
    outcome = check(f"{scheme}:{path}")
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    assert "mine" in outcome.err


def test_a_missing_side_file_is_reported_in_one_line(check, tmp_path):
    path = tmp_path / "mine.tiktoken"
    path.write_bytes(b"YQ== 0\n")
    outcome = check(f"reference:{path}")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "mine.tiktoken.json" in outcome.err


def test_a_missing_published_vocabulary_names_the_remedy(check, tmp_path, monkeypatch):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    outcome = check("reference:cl100k_base")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "TIKTOKEN_CACHE_DIR" in outcome.err


def test_a_factory_that_raises_is_reported_in_one_line(check, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def make():\n    raise RuntimeError('two\\nlines \\x1b[31m')\n")
    outcome = check(f"python:{path}:make")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "RuntimeError: two lines" in outcome.err
    assert "\x1b" not in outcome.err


def test_hostile_arguments_are_escaped(command):
    outcome = command("check", "\x1b[31m\u202e:x")
    assert outcome.code == 2
    assert outcome.err.replace("\n", "").isprintable()


def test_text_that_is_not_utf8_is_refused(command, tmp_path):
    path = tmp_path / "latin1"
    path.write_bytes(b"caf\xe9")
    for word, message in (("caf\udce9", "not valid UTF-8"), (f"@{path}", "is not UTF-8")):
        outcome = command("show", word)
        assert (outcome.code, outcome.err.count("\n")) == (2, 1)
        assert message in outcome.err


def test_under_github_actions_a_mistake_is_an_annotation_too(check, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    outcome = check("python:a%0Ab\u202e.py:make")
    plain, annotation = outcome.err.splitlines()
    assert (outcome.code, outcome.out) == (2, "")
    assert plain.startswith("tokharness: error: there is no file a%0Ab\\u{202e}.py")
    assert annotation.startswith("::error title=tokharness::there is no file a%250Ab\\u{202e}.py")
    assert "\n::error title=tokharness::No such option" in check("--surplus").err
