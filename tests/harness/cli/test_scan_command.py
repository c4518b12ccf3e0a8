"""``tokharness scan``: what a tokenizer does to each document of a corpus."""

import contextlib
import csv
import gzip
import io
import json
import os
import subprocess
import sys
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tokharness.corpora import sources
from tokharness.results.report_record import schema
from tokharness.scanning import plan
from tokharness.scanning.measuring import Measuring

FILE = Path(__file__).parents[1] / "scanned_tokenizers.py"
LOSSLESS, CHANGED, LOSSY, ABORTS = (
    f"python:{FILE}:{name}" for name in ("Lossless", "Changed", "Lossy", "AbortsOnKill")
)
HERE = ("--jobs", "0")


@pytest.fixture
def scan(command, tmp_path):
    """Run a scan in this process; return the outcome and the report as plain data."""

    def run(*words):
        path = tmp_path / "report.json"
        outcome = command("scan", *map(str, words), "--report", f"json={path}")
        return outcome, json.loads(path.read_text()) if path.exists() else None

    return run


def corpus_of(record):
    return record["targets"][0]["measures"]["corpus"]


def lines(path, texts):
    path.write_text("".join(f"{text}\n" for text in texts))
    return path


def test_a_healthy_target_passes_with_counts_of_everything(scan, tmp_path):
    path = lines(tmp_path / "a.txt", ["one two", "", "caf\u00e9 a\u200bb", "\u0434\u0430"])
    outcome, record = scan(path, LOSSLESS, *HERE)
    assert outcome.code == 0, outcome.out + outcome.err
    assert "passed: 0 bugs, 0 risks" in outcome.out
    assert f"hidden  a hidden character: \\u{{200b}}, 1 time in 1 document, such as {path}:3" in (
        outcome.out
    )
    corpus = corpus_of(record)
    assert corpus["total"]["documents"] == corpus["encoded"] == corpus["unchanged"] == 3
    assert corpus["total"]["tokens"] == corpus["total"]["bytes"] == 7 + 11 + 4
    assert (corpus["total"]["words"], corpus["empty"]) == (5, 1)
    assert {row["name"]: row["tokens"] for row in corpus["by_script"]} == {
        "Latin": 18,
        "Cyrillic": 4,
    }
    assert corpus["tokens_per_byte"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert corpus["vocabulary"]["used"] == len(
        set(b"one two caf a b") | set("\u00e9\u200b\u0434\u0430".encode())
    )


def test_documents_that_are_read_at_once_are_run_at_once(scan, tmp_path, monkeypatch):
    seen = []
    add = Measuring.add
    monkeypatch.setattr(
        Measuring, "add", lambda self, batch: seen.append(len(batch.texts)) or add(self, batch)
    )
    scan(lines(tmp_path / "a.txt", [f"{row} " * 3000 for row in range(10, 30)]), LOSSLESS, *HERE)
    assert seen == [20]


def test_the_report_can_be_shown_again_in_each_format(scan, command, tmp_path):
    path = lines(tmp_path / "a.txt", ["one <script>", "\u202etwo"])
    outcome, _ = scan(path, LOSSLESS, *HERE, "--report", f"html={tmp_path / 'a.html'}")
    again = command("report", str(tmp_path / "report.json"))
    assert again.out == outcome.out
    page = (tmp_path / "a.html").read_text()
    assert "Use of the vocabulary" in page
    assert "<script>one" not in page
    markdown = command("report", str(tmp_path / "report.json"), "--format", "markdown").out
    assert "- Corpus: 2 documents of 1 file" in markdown
    assert "corpus" in schema()["$defs"]["measures"]["properties"]


def test_what_differs_from_the_incumbent_is_found_with_its_places(scan, tmp_path):
    texts = [f"line {number}{' planted' * (number % 59 == 3)}" for number in range(1000)]
    path = lines(tmp_path / "a.txt", texts)
    outcome, record = scan(path, CHANGED, "--against", LOSSLESS, *HERE)
    assert outcome.code == 1
    comparison = corpus_of(record)["comparison"]
    assert (comparison["compared"], comparison["differing"]) == (1000, 17)
    (failing,) = corpus_of(record)["failing"]
    assert failing["documents"] == 17
    assert sorted(failing["places"]) == sorted(f"{path}:{row}" for row in range(4, 1000, 59))
    (finding,) = record["findings"]
    assert (finding["code"], finding["count"]) == ("TOK201", 17)
    assert "planted" in finding["text"]


def test_a_document_that_does_not_come_back_is_shrunk(scan, tmp_path):
    path = lines(tmp_path / "a.txt", ["one", "a long line with caf\u00e9 in it", "two"])
    outcome, record = scan(path, LOSSY, *HERE)
    assert outcome.code == 1
    assert [(one["code"], one["text"]) for one in record["findings"]] == [("TOK101", "\u00e9")]
    assert f"fails   TOK101: 1 document, at {path}:2" in outcome.out


def test_bad_rows_are_counted_with_their_places_and_the_scan_goes_on(scan, tmp_path):
    (tmp_path / "a.txt").write_bytes(b"one\nt\xffo\nlast\n")
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(b'{"text": "x"}\n' * 500)[:-9])
    outcome, record = scan(tmp_path / "a.txt", tmp_path / "b.jsonl.gz", LOSSLESS, *HERE)
    assert outcome.code == 0
    corpus = corpus_of(record)
    bad = {row["reason"]: row["places"] for row in corpus["bad"]}
    assert bad["not UTF-8"] == [f"{tmp_path / 'a.txt'}:2"]
    assert set(bad) == {"not UTF-8", "the compressed file ends in the middle"}
    assert f"1 row of the corpus ({tmp_path / 'a.txt'}:2): not UTF-8" in " ".join(
        outcome.out.split()
    )


def test_a_corpus_without_a_document_is_not_green(scan, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"other": 1}\n')
    outcome, _ = scan(path, LOSSLESS, *HERE)
    assert outcome.code == 2
    assert "so nothing was checked" in outcome.err
    assert "not finished: 0 bugs" in outcome.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--text-column", "contnet"), "no column of {}/b.csv is called 'contnet'"),
        (
            ("--text-column", "content", "--language-column", "lnag"),
            "no column of {}/b.csv and 1 more is called 'lnag'",
        ),
    ],
)
def test_a_column_that_no_row_has_is_a_mistake_and_findings_are_reported(
    scan, tmp_path, words, message
):
    lines(tmp_path / "a.txt", ["caf\u00e9"])
    lines(tmp_path / "b.csv", ["content,lang", "one,en"])
    lines(tmp_path / "c.jsonl", ['{"content": null}', '{"contnet": "two"}'])
    outcome, record = scan(tmp_path, LOSSY, *HERE, *words)
    assert outcome.code == 2
    assert message.format(tmp_path) in outcome.err
    assert "did you mean 'content'" in outcome.err or "did you mean 'lang'" in outcome.err
    assert [one["code"] for one in record["findings"]] == ["TOK101"]


def test_a_language_column_that_some_files_have_is_no_mistake(scan, tmp_path):
    lines(tmp_path / "b.csv", ["content,tongue", "one,en"])
    lines(tmp_path / "c.jsonl", ['{"content": "two"}'])
    words = ("--text-column", "content", "--language-column", "tongue")
    outcome, record = scan(tmp_path, LOSSLESS, *HERE, *words)
    assert outcome.code == 0, outcome.err
    assert [row["name"] for row in corpus_of(record)["by_language"]] == ["en", "(none)"]


@pytest.mark.slow
def test_the_tokens_that_an_audit_names_are_counted(scan, tmp_path):
    path = lines(tmp_path / "a.txt", ["plain", "a\x01b\x01"])
    outcome, record = scan(path, "tiktoken:embedded", "--against", "none", "--tokens", *HERE)
    assert outcome.code == 0, outcome.err
    classes = {row["name"]: row for row in corpus_of(record)["token_classes"]}
    control = classes["TOK408 control characters"]
    assert (control["occurring"], control["occurrences"]) == (1, 2)
    assert [one["text"] for one in control["examples"]] == ["\x01"]
    assert "TOK408 control characters: 1 of 28 occur, 2 times, such as id" in outcome.out
    assert "TOK401 tokens reached in context alone" in classes
    assert "none of these occurs: TOK401" in outcome.out


def test_a_sample_depends_on_the_documents_alone(scan, tmp_path, monkeypatch):
    texts = [f"document {number}" for number in range(2000)]
    path = lines(tmp_path / "a.txt", texts)
    _, first = scan(path, LOSSLESS, *HERE, "--sample", "10%")
    monkeypatch.setattr(plan, "SHARD_BYTES", 1000)
    turned = lines(tmp_path / "a.txt", reversed(texts))
    _, second = scan(turned, LOSSLESS, *HERE, "--sample", "0.1")
    corpora = corpus_of(first), corpus_of(second)
    assert corpora[0]["total"] == corpora[1]["total"]
    assert 120 < corpora[0]["total"]["documents"] < 280
    assert corpora[0]["documents_in_files"] == 2000
    low, high = (corpora[0]["tokens_per_byte"][key] for key in ("low", "high"))
    assert low == high == 1.0, "a byte has one token in each document"


def test_a_sample_by_number_depends_on_the_documents_alone(scan, tmp_path, monkeypatch):
    texts = [f"document {number} {'x' * (number % 7)}" for number in range(2000)]
    path = lines(tmp_path / "a.txt", texts)
    _, first = scan(path, CHANGED, "--against", LOSSLESS, *HERE, "--sample", "100")
    monkeypatch.setattr(plan, "SHARD_BYTES", 1000)
    lines(tmp_path / "a.txt", reversed(texts))
    outcome, second = scan(path, CHANGED, "--against", LOSSLESS, *HERE, "--sample", "100")
    corpora = corpus_of(first), corpus_of(second)
    assert corpora[0]["total"] == corpora[1]["total"]
    assert corpora[0]["total"]["documents"] == 100
    assert 0.04 < corpora[0]["sample"] < 0.06
    share = corpora[0]["comparison"]["differing_share"]
    assert share["value"] == 0 < share["high"] < 0.04
    assert "a sample of" in outcome.out
    assert "of 2,000 documents" in outcome.out
    _, third = scan(path, LOSSLESS, *HERE, "--sample", "3000")
    assert corpus_of(third)["total"]["documents"] == 2000
    assert corpus_of(third)["sample"] == 1


def test_a_table_has_a_row_for_each_listed_document(scan, tmp_path):
    path = tmp_path / "a.jsonl"
    texts = ["=HYPERLINK(1)", "caf\u00e9 \u202etxt"]
    path.write_text("".join(json.dumps(text) + "\n" for text in [*texts, 5]))
    scan(path, LOSSY, *HERE, "--report", f"csv={tmp_path / 'a.csv'}")
    with (tmp_path / "a.csv").open(encoding="ascii", newline="") as file:
        rows = [list(row.values())[1:] for row in csv.DictReader(file)]
    assert rows == [
        ["longest", f"{path}:1", "13", "13", "13", "'=HYPERLINK(1)"],
        ["longest", f"{path}:2", "12", "12", "12", "caf\\u{e9} \\u{202e}txt"],
        ["fails TOK101", f"{path}:2", "", "", "", ""],
        ["not read", f"{path}:3", "", "", "", "no text but another value"],
    ]


def test_a_report_does_not_depend_on_where_the_corpus_is_cut(scan, tmp_path, monkeypatch):
    rows = [{"text": f"row {n} {'x' * (n * 37 % 101)}", "lang": "en"} for n in range(300)]
    for row in rows[:150]:
        del row["lang"]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = (path, CHANGED, "--against", LOSSY, *HERE)
    _, whole = scan(*words)
    monkeypatch.setattr(plan, "SHARD_BYTES", 700)
    _, cut = scan(*words)
    assert corpus_of(whole).pop("shards") == 1 < corpus_of(cut).pop("shards")
    for record in (whole, cut):
        del corpus_of(record)["finished_shards"]
    assert without_times(whole)["targets"][0]["measures"] == cut["targets"][0]["measures"]
    corpus = corpus_of(whole)
    assert [(row["name"], row["documents"]) for row in corpus["by_language"]] == [
        ("en", 150),
        ("(none)", 150),
    ]
    longest = [row["tokens"] for row in corpus["documents"] if row["list"] == "longest"]
    assert longest == sorted((len(row["text"]) for row in rows), reverse=True)[:20]


def test_a_finding_without_a_text_of_its_own_names_a_scan(scan, tmp_path):
    path = lines(tmp_path / "a.txt", ["one", "two", "three"])
    outcome, record = scan(path, f"python:{FILE}:OnlyOnce", *HERE)
    (finding,) = record["findings"]
    assert finding["reproduce"] == f"tokharness scan {path} {finding['spec']} --select TOK101"
    assert "--family" not in outcome.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((LOSSLESS,), "name a corpus before the target"),
        (("no_such.txt", LOSSLESS), "no file matches 'no_such.txt'"),
        (("no_such.txt", LOSSLESS, "--sample", "0"), "--sample takes a share"),
        (("no_such.txt", LOSSLESS, "--sample", "9999999"), "--sample takes up to 1,000,000"),
        (("no_such.txt", LOSSLESS, "--longest", "x"), "--longest takes a size"),
        (("s3://bucket/file", LOSSLESS), "s3"),
        (("no_such.txt", "tiktoken:no_such"), "no file matches"),
    ],
)
def test_a_mistake_is_one_sentence(command, words, message):
    outcome = command("scan", *words, *HERE)
    assert outcome.code == 2
    assert message in outcome.err
    assert "internal error" not in outcome.err


def without_times(record):
    """Return a report without what depends on the clock."""
    corpus = corpus_of(record)
    corpus["documents"] = [one for one in corpus["documents"] if one["list"] != "slowest"]
    return {key: record[key] for key in ("targets", "findings", "skips")}


def test_a_scan_goes_on_from_its_finished_shards(scan, tmp_path, monkeypatch):
    monkeypatch.setattr(plan, "SHARD_BYTES", 500)
    path = lines(tmp_path / "a.txt", [f"document {number}" for number in range(200)])
    out = tmp_path / "out"
    words = (path, LOSSLESS, *HERE, "--out", out)
    _, first = scan(*words)
    shards = sorted(out.glob("shard-*"))
    assert len(shards) == 5
    times = {one: one.stat().st_mtime_ns for one in shards}
    shards[2].unlink()
    _, second = scan(*words)
    assert without_times(first) == without_times(second)
    assert {one for one in shards if one.stat().st_mtime_ns != times[one]} == {shards[2]}
    data = bytearray(shards[1].read_bytes())
    data[-20] ^= 1
    shards[1].write_bytes(data)
    outcome, _ = scan(*words)
    assert outcome.code == 2
    assert f"{shards[1]} is damaged" in outcome.err
    outcome, _ = scan(path, LOSSLESS, *HERE, "--out", out, "--sample", "50%")
    assert "was made with other options" in outcome.err
    outcome, _ = scan(path, CHANGED, *HERE, "--out", out)
    assert "was made with another target" in outcome.err
    os.utime(path, (time.time() + 9, time.time() + 9))
    outcome, _ = scan(*words)
    assert outcome.code == 2
    assert f"{path} changed since the scan" in outcome.err
    outcome, _ = scan(path, LOSSLESS, *HERE, "--out", tmp_path)
    assert "name a new folder" in outcome.err


@pytest.mark.slow
def test_a_scan_that_is_killed_goes_on_and_counts_each_document_once(scan, tmp_path, monkeypatch):
    texts = [f"line {number}{' planted' * (number % 590 == 3)}" for number in range(10_000)]
    path = lines(tmp_path / "a.txt", texts)
    out, size = tmp_path / "out", 1500
    words = (str(path), CHANGED, "--against", LOSSLESS, "--out", str(out))
    code = "from tokharness import cli; from tokharness.scanning import plan; "
    code += f"plan.LEAST_SHARD_BYTES = {size}; cli.main()"
    with subprocess.Popen(
        [sys.executable, "-c", code, "scan", *words, "--jobs", "1"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as driver:
        while driver.poll() is None and not list(out.glob("shard-*")):
            with contextlib.suppress(subprocess.TimeoutExpired):
                driver.wait(0.02)
        driver.kill()
    finished = len(list(out.glob("shard-*")))
    monkeypatch.setattr(plan, "LEAST_SHARD_BYTES", size)
    outcome, record = scan(*words, *HERE)
    corpus = corpus_of(record)
    assert 0 < finished < corpus["shards"], "it was killed in the middle"
    assert outcome.code == 1
    assert (corpus["total"]["documents"], corpus["comparison"]["differing"]) == (10_000, 17)
    (failing,) = corpus["failing"]
    assert set(failing["places"]) <= {f"{path}:{row}" for row in range(4, 10_000, 590)}


def test_a_scan_without_the_library_for_a_file_says_what_installs_it(
    command, tmp_path, monkeypatch
):
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    outcome = command("scan", str(tmp_path / "a.parquet"), LOSSLESS, *HERE)
    assert outcome.code == 2
    assert "Parquet and Arrow files need pyarrow: pip install" in outcome.err


TOKHARNESS = (sys.executable, "-m", "tokharness")


@pytest.mark.slow
def test_a_document_that_kills_the_target_in_each_shard_costs_that_document(process, tmp_path):
    for number in range(3):
        texts = [f"document {one}" for one in range(300)]
        texts[100 + number] = "this will KILL it"
        lines(tmp_path / f"{number}.txt", texts)
    outcomes = []
    for jobs in ("1", "2"):
        report = tmp_path / f"{jobs}.json"
        words = ("scan", "0.txt", "1.txt", "2.txt", ABORTS, "--jobs", jobs)
        done = process(*TOKHARNESS, *words, "--report", f"json={report}")
        assert done.returncode == 1, done.stderr
        outcomes.append(json.loads(report.read_text()))
    for record in outcomes:
        corpus = corpus_of(record)
        assert corpus["total"]["documents"] == 900
        assert corpus["encoded"] == 897
        (failing,) = corpus["failing"]
        assert (failing["code"], failing["places"]) == (
            "TOK104",
            ["0.txt:101", "1.txt:102", "2.txt:103"],
        )
        assert [one["text"] for one in record["findings"]] == ["KILL"]
    assert without_times(outcomes[0]) == without_times(outcomes[1])


@pytest.mark.needs("aiohttp")
@pytest.mark.needs("fsspec")
def test_a_corpus_is_read_from_a_server_that_gives_no_parts(scan, tmp_path, monkeypatch):
    lines(tmp_path / "a.txt", [f"document {number}" for number in range(50)])
    monkeypatch.setattr(sources, "PROBED_BYTES", 100)
    monkeypatch.setattr(plan, "SHARD_BYTES", 300)
    handler = partial(QuietHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            address = f"http://127.0.0.1:{server.server_port}/a.txt"
            outcome, record = scan(address, LOSSLESS, *HERE)
            missing, _ = scan(f"{address}x", LOSSLESS, *HERE)
        finally:
            server.shutdown()
            thread.join()
    assert outcome.code == 0, outcome.err
    assert corpus_of(record)["total"]["documents"] == 50
    assert corpus_of(record)["shards"] == 1
    assert missing.code == 2
    assert f"cannot read {address}x" in missing.err


@pytest.mark.needs("fsspec")
def test_what_a_store_does_not_give_is_read_by_the_next_scan(scan, tmp_path, monkeypatch):
    from fsspec.implementations import memory

    monkeypatch.setattr(plan, "SHARD_BYTES", 500)
    texts = "".join(f"document {number}\n" for number in range(100))
    memory.MemoryFileSystem().pipe("/a.txt", texts.encode())
    words = ("memory://a.txt", LOSSLESS, *HERE, "--out", tmp_path / "out")
    with monkeypatch.context() as broken:
        broken.setattr(memory.MemoryFile, "read", read_once_without_an_answer())
        outcome, record = scan(*words)
    assert outcome.code == 2
    assert "memory:///a.txt cannot be read: the connection is closed" in outcome.err
    first = corpus_of(record)
    assert first["finished_shards"] == first["shards"] - 1 == 2
    outcome, record = scan(*words)
    assert outcome.code == 0, outcome.err
    assert corpus_of(record)["total"]["documents"] == 100


def read_once_without_an_answer():
    """Return a method that reads, and that raises when it is called for the tenth time."""
    calls = []

    def read(self, size=-1):
        calls.append(size)
        if len(calls) == 10:
            raise RuntimeError("the connection is closed")
        return io.BytesIO.read(self, size)

    return read


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.mark.slow
@pytest.mark.needs("ray")
def test_ray_reports_what_the_local_engine_reports(process, tmp_path):
    texts = [f"line {number}{' planted' * (number % 59 == 3)}" for number in range(1000)]
    lines(tmp_path / "a.txt", texts)
    lines(tmp_path / "b.txt", [*texts[:20], "this will KILL it"])
    reports = []
    for engine in ("local", "ray"):
        words = ("scan", "a.txt", "b.txt", ABORTS, "--against", LOSSLESS, "--jobs", "1")
        report = tmp_path / f"{engine}.json"
        done = process(
            *(*TOKHARNESS, *words, "--engine", engine, "--report", f"json={report}"),
            env={**os.environ, "RAY_worker_niceness": "0"},
            timeout=300,
        )
        assert done.returncode == 1, done.stderr
        reports.append(json.loads(report.read_text()))
    assert without_times(reports[0]) == without_times(reports[1])
    assert corpus_of(reports[1])["encoded"] == 1020
