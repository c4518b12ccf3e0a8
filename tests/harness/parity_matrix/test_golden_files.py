"""Golden files: the format, the comparison of a target, and the runners of the documentation."""

import json
import shutil
import subprocess
import zlib
from pathlib import Path

import pytest

from tokharness.config import Options
from tokharness.errors import UsageError
from tokharness.parity_matrix.golden import Golden, Row, difference, golden_text, read_golden
from tokharness.parity_matrix.golden_run import row_of, verify_golden
from tokharness_tokenizers.vocabularies.locate import healthy_files

RUNNERS = Path(__file__).parents[3] / "docs" / "runners"
TEXTS = ("a", 'quote " and , "ids":[1]', "\u00e9\U0001f600", "", "\ud800 lone", "\\u0041")


def _golden(encode=lambda text: tuple(text.encode())):
    rows = [
        Row(text, None, error="UnicodeEncodeError")
        if "\ud800" in text
        else Row(text, encode(text), text.encode(), text)
        for text in TEXTS
    ]
    return Golden((*rows, Row("no", None, error="ValueError")), "bytes", "0")


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "golden.jsonl"
    path.write_text(golden_text(_golden()))
    return path


def test_a_file_is_read_as_it_was_written(written):
    assert written.read_bytes().isascii()
    assert read_golden(written) == _golden()
    header, *lines = map(json.loads, written.read_text().splitlines())
    rest = written.read_bytes().split(b"\n", 1)[1]
    assert (header["count"], header["crc32"]) == (len(lines), f"{zlib.crc32(rest):08x}")
    assert lines[4]["utf8"] is None
    assert lines[4]["text"] == "\ud800 lone"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda _: "{}\n", "is no golden file"),
        (lambda text: text.replace('"version":1', '"version":2'), "has version 2"),
        (lambda text: text[: text.rindex("{")], "another number of texts"),
        (lambda text: text.replace("[97]", "[98]"), "its checksum"),
    ],
)
def test_a_damaged_file_is_one_sentence(written, change, message):
    written.write_text(change(written.read_text()))
    with pytest.raises(UsageError, match=message):
        read_golden(written)


@pytest.mark.parametrize(
    ("golden", "now", "aspect"),
    [
        (Row("a", (1,), b"a", "a"), Row("a", (1,), None, "a"), None),
        (Row("a", (1,), b"a", "a"), Row("a", (1, 2), b"a", "a"), "ids"),
        (Row("a", (1,), b"a", "a"), Row("a", (1,), b"a", "b"), "decoded text"),
        (Row("a", (1,), b"a", "a"), Row("a", (1,), b"b", "a"), "token bytes"),
        (Row("a", (1,), b"a", "a"), Row("a", None, error="ValueError"), "error"),
        (Row("\ud800", (1,)), Row("\ud800", None, error="ValueError"), None),
    ],
)
def test_a_difference_is_of_the_first_aspect(golden, now, aspect):
    found = difference(golden, now)
    assert (found and found.aspect) == aspect


def test_an_error_of_decoding_is_no_other_text():
    decoded, failed = Row("a", (1,), decoded="a"), Row("a", (1,), error="KeyError")
    assert difference(decoded, failed).cause == "decoding the same ids raises KeyError"
    assert difference(failed, decoded).cause == "decoding the same ids raised KeyError before"


@pytest.mark.slow
def test_a_file_of_which_each_text_is_refused_is_not_verified():
    (file,) = healthy_files("byte-level-bpe/tokenizer.json")
    golden = Golden((Row("\ud800", (1,)),), "another")
    verified = verify_golden(f"hf:{file}", golden, Options(), lambda _: None)
    assert (verified.compared, verified.differences) == (0, ())
    assert verified.left == (
        "no text was compared: each has a lone surrogate, which one side refuses",
    )


RECORD = {"ids": [97], "bytes": ["61"], "decoded_if_different": None, "error": None}


@pytest.mark.parametrize(
    ("change", "row"),
    [
        ({}, Row("a", (97,), b"a", "a")),
        ({"decoded_if_different": "b", "bytes": None}, Row("a", (97,), None, "b")),
        ({"error": "ValueError"}, Row("a", (97,), b"a", None, "ValueError")),
        ({"ids": None, "error": "ValueError"}, Row("a", None, error="ValueError")),
        ({"ids": None, "error": "SIGABRT"}, None),
        ({"ids": None, "error": "time limit"}, None),
        ({"ids": None, "error": "not run: close to a text that crashes the process"}, None),
    ],
)
def test_a_row_has_what_the_target_returns_or_raises(change, row):
    assert row_of("a", {**RECORD, **change}) == row


RIGHT, WRONG = "[...Buffer.from(text)]", "[...Buffer.from(text.toUpperCase())]"


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
@pytest.mark.parametrize(("body", "code"), [(RIGHT, 0), (WRONG, 1)])
def test_the_runner_in_javascript_finds_a_wrong_engine(written, tmp_path, body, code):
    engine = tmp_path / "engine.mjs"
    engine.write_text(
        'export function encode(text) { if (text === "no") throw Error(); return ' + body + "; }\n"
        "export const decode = (ids) => Buffer.from(ids).toString();\n"
    )
    argv = ["node", str(RUNNERS / "golden.mjs"), str(written), str(engine)]
    run = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert run.returncode == code, run.stderr
    assert f"{code * 4} of 7 texts differ; 1 have no UTF-8" in run.stdout
    written.write_text(written.read_text().replace("[97]", "[98]"))
    assert subprocess.run(argv, capture_output=True, check=False).returncode == 1


ENGINE = """
#include <optional>
#include <string>
#include <vector>
std::optional<std::vector<long>> encode(const std::string& utf8) {
  if (utf8 == "no") return std::nullopt;
  std::vector<long> ids;
  for (unsigned char byte : utf8) ids.push_back(byte + SHIFT * (byte == 'a'));
  return ids;
}
std::optional<std::string> decode(const std::vector<long>& ids) {
  return std::string(ids.begin(), ids.end());
}
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
@pytest.mark.parametrize("shift", [0, 1])
def test_the_runner_in_cpp_finds_a_wrong_engine(written, tmp_path, shift):
    (tmp_path / "engine.h").write_text(ENGINE)
    program = str(tmp_path / "golden")
    argv = ["g++", "-std=c++17", f"-DSHIFT={shift}", "-I", str(tmp_path)]
    subprocess.run([*argv, str(RUNNERS / "golden.cpp"), "-o", program], check=True)
    run = subprocess.run([program, str(written)], capture_output=True, text=True, check=False)
    assert run.returncode == shift
    assert f"{2 * shift} of 7 texts differ; 1 have no UTF-8" in run.stdout
    written.write_text(written.read_text().replace("[97]", "[98]"))
    assert subprocess.run([program, str(written)], capture_output=True, check=False).returncode == 2
