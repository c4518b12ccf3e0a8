"""Markdown: hostile text is escaped."""

import re
from dataclasses import replace

from tokharness.formats.markdown import render
from tokharness.model import Verdict

CODE_SPAN = re.compile(r"`[^`\n]*`")


def outside_code(output):
    return CODE_SPAN.sub("", output)


def test_lengths_of_text_that_is_lost_are_lossy(measured):
    lines = render(replace(measured, embedding_width=4096)).splitlines()
    (row,) = [line for line in lines if line.startswith("| `tiktoken:other` |")]
    assert row.endswith("| 9 | 55.6 | 55.6, lossy | unknown | 1 of 2 |")


def test_hostile_text_is_in_code_spans_only(measured, hostile):
    packages = {**measured.versions["packages"], hostile: hostile}
    versions = {**measured.versions, "tokharness": hostile, "packages": packages}
    outside = outside_code(render(replace(measured, versions=versions)))
    for active in ("`", "<script", "](", "\x1b", "\u202e", "\u200b", "::error", "[/red]"):
        assert active not in outside


def test_no_character_is_invisible_even_in_code(measured):
    output = render(measured)
    assert output.replace("\n", "").isprintable()


def test_every_row_of_the_table_has_six_cells(report):
    _, table = render(report).split("| verdict |")
    rows = [line for line in f"| verdict |{table}".splitlines() if line.startswith("|")]
    assert len(rows) == 4
    assert {row.count("|") for row in rows} == {7}


def test_facts_and_skips_are_below_the_table(report):
    output = render(report)
    assert output.index("| bug |") < output.index("| risk |") < output.index("Facts: 1")
    assert output.index("Facts: 1") < output.index("### Skipped")


def test_a_target_without_bugs_and_risks_has_no_table(make_report, make_finding):
    assert "|---" not in render(make_report(make_finding(Verdict.FACT)))


def test_an_interrupted_run_is_marked(make_report, make_finding):
    assert "interrupted" in render(make_report(make_finding(), interrupted=True))


def test_a_long_text_is_truncated(make_report, make_finding):
    assert "x" * 100 not in render(make_report(make_finding(text="x" * 1000)))
