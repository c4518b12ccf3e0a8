"""CSV: a row for each finding, and no cell is a formula."""

import csv
import io
from dataclasses import replace

import pytest

from tokharness.escaping import spreadsheet
from tokharness.formats.csv_table import COLUMNS, render

FORMULAS = (
    "=cmd|' /C calc'!A0",
    "+1",
    "-2+3",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "\uff1d1",
    "\u200b=1",
)


def rows(report):
    return list(csv.DictReader(io.StringIO(render(report), newline="")))


def test_a_finding_is_a_row_with_its_columns(make_report, make_finding):
    (row,) = rows(make_report(make_finding(text="plain")))
    assert tuple(row) == COLUMNS
    assert row["spec"] == spreadsheet(make_finding().spec)
    assert row["verdict"] == "bug"
    assert row["text"] == "plain"
    assert row["count"] == "12345"
    assert row["families"] == "digits, emoji"


@pytest.mark.parametrize("text", FORMULAS, ids=ascii)
def test_no_cell_is_a_formula(reports_of_text, text):
    for report in reports_of_text(text):
        for row in rows(report):
            for cell in row.values():
                assert not cell.lstrip().startswith(("=", "+", "-", "@"))


def test_a_command_is_valid_in_a_shell(make_report, make_finding):
    finding = replace(make_finding(), reproduce="""tokharness show --json '"a\\u200b;=1"' x""")
    (row,) = rows(make_report(finding))
    assert row["reproduce"] == """tokharness show --json '"a\\u200b\\u003b=1"' x"""


def test_the_output_is_visible_ascii(report, shows_itself):
    output = render(report).replace("\r\n", "\n")
    assert output.isascii()
    assert shows_itself(output)
    assert len(output.splitlines()) == 1 + sum(len(one.findings) for one in report.targets)


def test_a_report_without_findings_has_a_header(make_report):
    assert render(make_report()).splitlines() == [",".join(f'"{name}"' for name in COLUMNS)]
