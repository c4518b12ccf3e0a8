"""``tokharness compare``: several targets side by side, as table, JSON and HTML."""

import json

import pytest

TWO = ("reference", "tiktoken:embedded", "--jobs", "0")


@pytest.mark.slow
def test_the_table_has_a_column_for_each_target(command, tmp_path):
    outcome = command(
        "compare",
        *TWO,
        "--width",
        "1000",
        "--report",
        f"json={tmp_path / 'c.json'}",
        "--report",
        f"html={tmp_path / 'c.html'}",
        "--report",
        f"markdown={tmp_path / 'c.md'}",
    )
    assert outcome.code == 0
    head, *lines = outcome.out.splitlines()
    assert head.split() == ["reference", "tiktoken:embedded"]
    assert any(line.split()[-2:] == ["32.8", "32.8"] for line in lines), "16,390 ids"
    record = json.loads((tmp_path / "c.json").read_text())
    assert record["comparison"]["specs"] == ["reference", "tiktoken:embedded"]
    assert record["comparison"]["embedding_width"] == 1000
    for row in record["comparison"]["rows"]:
        assert row["values"][0] == row["values"][1], "the same vocabulary"
    lengths = {one["name"]: one["vocabulary"] for one in record["comparison"]["lengths"]}
    assert lengths["UTF-8 bytes"] == 256
    assert lengths["reference"] == lengths["tiktoken:embedded"] == 16390
    assert "tokens per 100 characters" in outcome.out
    page = (tmp_path / "c.html").read_text()
    assert page.count('role="img" aria-label="Tokens per 100 characters of') == 2
    assert "Tokenizer comparison" in page
    assert 'id="findings"' not in page
    tables = (tmp_path / "c.md").read_text().split("\n\n")
    for rows in (one.splitlines() for one in tables if one.startswith("|")):
        assert len({one.replace("\\|", "").count("|") for one in rows}) == 1
    again = command("report", str(tmp_path / "c.json"))
    assert again.out == outcome.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "Missing argument 'TARGET...'"),
        (("tiktoken:no_such",), "no_such"),
        ((*TWO, "--format", "sarif"), "the format sarif cannot compare targets: use one of"),
        ((*TWO, "--report", "junit=x.xml"), "the format junit cannot compare targets"),
        ((*TWO, "--width", "0"), "--width"),
    ],
)
def test_a_usage_error_is_reported(command, words, message):
    outcome = command("compare", *words)
    assert outcome.code == 2
    assert message in outcome.err
