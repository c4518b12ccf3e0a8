"""A gate's judgement as a comment on a pull request: nothing in it acts, and it fits."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tokharness.changes import Example
from tokharness.formats.markdown import render
from tokharness.model import Skip

CODE_SPAN = re.compile(r"`[^`\n]*`")
OURS = re.compile(r"</?details>|<summary>[A-Za-z ]+: [0-9,]+</summary>|<br>")
MOST = 65_536


def outside_of_code(output):
    return CODE_SPAN.sub("", output)


def rows_of(output):
    return [line for line in output.splitlines() if line.startswith("| `")]


def test_the_first_line_is_the_verdict(make_gate, make_change):
    failed = render(make_gate(make_change(), make_change(fails=False)))
    assert failed.startswith("**tokharness gate: failed** `")
    assert "changes that fail 1, that do not 1, accepted 2, texts compared 1,000" in failed
    assert render(make_gate()).startswith("**tokharness gate: passed** `")


def test_an_interrupted_gate_has_not_passed(make_gate, make_change):
    first, _, _ = render(make_gate(interrupted=True)).partition("\n")
    assert first.startswith("**tokharness gate: interrupted** ")
    assert "ended before it was done" in first
    assert render(make_gate(make_change(), interrupted=True)).startswith(
        "**tokharness gate: failed** "
    )


def test_what_fails_is_a_table_with_texts_and_their_ids(make_gate, make_change):
    examples = (Example("a|b", (1, 2), (3,)), Example("c", (4,), "Overflow"))
    change = make_change("changed-ids", what="NFC", message="other ids", examples=examples)
    output = render(make_gate(change))
    (row,) = rows_of(output)
    assert row == (
        "| `changed-ids` | `NFC` | `other ids` | 1,234 | `a\\u{7c}b`<br>`c` | `1 2`<br>`4` "
        "| `3`<br>`Overflow` |"
    )


def test_a_change_without_examples_has_its_seven_cells(make_gate, make_change):
    (row,) = rows_of(render(make_gate(make_change(examples=()))))
    assert row.count("|") == 8


def test_what_is_told_together_stands_in_one_row(make_gate, make_change):
    same = make_change(message="the same cause")
    (row,) = rows_of(render(make_gate(make_change(message="a finding", with_it=(same,)))))
    assert "`a finding`<br>`the same cause`" in row


def test_what_does_not_fail_and_what_was_not_run_is_folded_up_in_this_order(make_gate, make_change):
    output = render(make_gate(make_change(), make_change("new-fact", fails=False)))
    first = output.index("<details><summary>Changes that do not fail: 1</summary>")
    second = output.index("<details><summary>Not run: 1</summary>")
    assert output.index("\n| `changed-ids`") < first < output.index("- `new-fact`") < second
    assert output.count("</details>") == 2


def test_where_nothing_fails_there_is_no_table(make_gate, make_change):
    assert "|---" not in render(make_gate(make_change(fails=False)))


@pytest.mark.parametrize("text", ["plain", "`" * 500, "\u200b" * 500, "\U0001f600" * 500])
def test_it_is_never_longer_than_github_takes_and_says_what_it_left_out(
    make_gate, make_change, text
):
    changes = [make_change(text=text) for _ in range(500)]
    told = [make_change(text=text, fails=False) for _ in range(500)]
    report = make_gate(*changes, *told, text=text)
    skips = (Skip("t", text, text),) * 500
    report = replace(report, targets=(replace(report.targets[0], skips=skips),))
    output = render(report)
    assert len(output.encode()) <= MOST
    shown = len(rows_of(output))
    assert shown
    assert f"have no room in this comment: {500 - shown:,}." in output
    assert len(re.findall("- and [0-9]+ more, which have no room", output)) == 2
    assert output.count("<details>") == output.count("</details>") == 2


@given(
    st.text(st.characters(exclude_categories=()))
    | st.sampled_from(
        [
            "@everyone #1 owner/repo#2",
            "</details><script>alert(1)</script>",
            "`` ` ![i](http://x) | http://x www.x.org",
            "\n\n# heading\n- item\n| a | b |",
            "$x$ $`x`$ :smile: <!-- -->",
        ]
    )
)
@settings(deadline=None, max_examples=40)
def test_no_text_acts(reports_of_text, shows_itself, text):
    for report in reports_of_text(text):
        output = render(report)
        assert shows_itself(output)
        outside = OURS.sub("", outside_of_code(output))
        assert not re.search("[`<>@#!$]|::|\\]\\(|http|www", re.sub("(?m)^#+ ", "", outside))


def test_a_parser_of_markdown_sees_our_table_and_our_html_only(make_gate, make_change):
    changes = [make_change(), make_change(fails=False)]
    tokens = MarkdownIt("commonmark").enable("table").parse(render(make_gate(*changes)))
    blocks = [token.content for token in tokens if token.type == "html_block"]
    spans = [one for token in tokens for one in token.children or ()]
    assert {one.type for one in spans} <= {
        *("text", "code_inline", "strong_open", "strong_close", "html_inline", "softbreak")
    }
    assert {one.content for one in spans if one.type == "html_inline"} == {"<br>"}
    assert all(OURS.sub("", block).strip() == "" for block in blocks)
    assert sum(token.type == "table_open" for token in tokens) == 1
    cells = [token for token in tokens if token.type == "td_open"]
    assert len(cells) == 7
