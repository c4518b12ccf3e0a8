"""The result of a gate as a comment on a pull request: escaped, and within the limit."""

import re
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tokharness.changes import Example
from tokharness.formats.markdown import render
from tokharness.model import Skip

CODE = re.compile(r"(?m)`[^`\n]*`|^    .*")
OURS = re.compile(r"</?details>|<summary>[A-Za-z ]+: [0-9,]+</summary>")
MAX_COMMENT = 65_536


def outside_code(output):
    return CODE.sub("", output)


def blocks_of(output):
    return re.findall(r"(?m)^\*\*[0-9]+\. .*", output)


def test_the_first_line_is_the_verdict(make_gate, make_change):
    failed = render(make_gate(make_change(), make_change(fails=False)))
    assert failed.startswith("**tokharness gate: failed** `")
    assert "1 failing change, 1 other change, 2 accepted, 1,000 golden texts" in failed
    assert render(make_gate()).startswith("**tokharness gate: passed** `")


def test_an_interrupted_gate_does_not_pass(make_gate, make_change):
    first, _, _ = render(make_gate(interrupted=True)).partition("\n")
    assert first.startswith("**tokharness gate: interrupted** ")
    assert "the report is incomplete" in first
    assert render(make_gate(make_change(), interrupted=True)).startswith(
        "**tokharness gate: failed** "
    )


def test_a_failing_change_has_its_sentence_its_texts_with_ids_and_what_to_do_next(
    make_gate, make_change
):
    examples = (Example("a|b", (1, 2), (3,)), Example("c", (4,), "Overflow"))
    more = {"examples": examples, "next": ("tokharness show ab a b  # both sides",), "count": 1234}
    change = make_change("changed-ids", what="NFC", message="different ids", **more)
    _, _, output = render(make_gate(change)).partition("\n\n")
    assert output.startswith(
        "**1. changed-ids** NFC\n\ndifferent ids\n\n"
        "| text | ids before | ids after |\n|---|---|---|\n"
        "| `a\\u{7c}b` | `[1 2]` | `[3]` |\n| `c` | `[4]` | `Overflow` |\n\n"
        "and 1,232 more golden texts\n\n"
        "What to do next:\n\n    tokharness show ab a b  # both sides\n"
    )


def test_a_new_finding_has_its_smallest_text_and_the_command_that_reproduces_it(
    make_gate, make_change, make_finding
):
    bug = make_finding(text="a<b", reproduce="tokharness show x")
    output = render(make_gate(make_change("new-finding", finding=bug, examples=())))
    assert "\nSmallest text: `a<b`\n\nWhat to do next:\n\n    tokharness show x\n" in output


def test_a_change_without_examples_has_no_table(make_gate, make_change):
    assert "|---" not in render(make_gate(make_change(examples=())))


def test_related_changes_share_one_block(make_gate, make_change):
    same = make_change(message="the same cause")
    output = render(make_gate(make_change(message="a finding", related=(same,))))
    assert "\na finding\n\nthe same cause\n" in output
    assert len(blocks_of(output)) == 1


def test_other_changes_and_skips_are_collapsed_in_this_order(make_gate, make_change):
    output = render(make_gate(make_change(), make_change("new-fact", fails=False)))
    first = output.index("<details><summary>Other changes: 1</summary>")
    second = output.index("<details><summary>Skipped: 1</summary>")
    assert output.index("\n**1. changed-ids**") < first < output.index("- new-fact") < second
    assert output.count("</details>") == 2


def test_without_failing_changes_there_is_no_table(make_gate, make_change):
    assert "|---" not in render(make_gate(make_change(fails=False)))


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("text", ["plain", "`" * 500, "\u200b" * 500, "\U0001f600" * 500])
def test_it_fits_a_comment_and_counts_what_it_omits(make_gate, make_change, text):
    changes = [make_change(text=text, next=(text,)) for _ in range(500)]
    notes = [make_change(text=text, fails=False) for _ in range(500)]
    report = make_gate(*changes, *notes, text=text)
    skips = (Skip("t", text, text),) * 500
    report = replace(report, targets=(replace(report.targets[0], skips=skips),))
    output = render(report)
    assert len(output.encode()) <= MAX_COMMENT
    shown = len(blocks_of(output))
    assert shown
    assert f"**{500 - shown:,} more failing changes omitted from this comment.**" in output
    for section in output.split("<details>")[1:]:
        rows = re.findall("^- (?!and [0-9]+ more, omitted from)", section, re.MULTILINE)
        omitted = re.findall("^- and ([0-9]+) more, omitted from", section, re.MULTILINE)
        assert len(rows) + sum(map(int, omitted)) == 500
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
@settings(max_examples=40)
@example(":")
def test_any_text_is_escaped(reports_of_text, shows_itself, text):
    for report in reports_of_text(text):
        output = render(report)
        assert shows_itself(output)
        outside = OURS.sub("", outside_code(output))
        acts = r"(?m)[`<>@#!$]|^\s*::|\]\(|http|www"
        assert not re.search(acts, re.sub("(?m)^#+ ", "", outside))


def test_a_markdown_parser_sees_only_our_tables_and_html(make_gate, make_change, hostile):
    changes = [make_change(next=(hostile,)), make_change(fails=False)]
    tokens = MarkdownIt("commonmark").enable("table").parse(render(make_gate(*changes)))
    blocks = [token.content for token in tokens if token.type == "html_block"]
    spans = [one for token in tokens for one in token.children or ()]
    assert {one.type for one in spans} <= {
        *("text", "code_inline", "strong_open", "strong_close", "softbreak")
    }
    assert all(OURS.sub("", block).strip() == "" for block in blocks)
    assert sum(token.type == "table_open" for token in tokens) == 1
    assert sum(token.type == "td_open" for token in tokens) == 3 * len(changes[0].examples)
    assert sum(token.type == "code_block" for token in tokens) == 1
