"""Whatever the strings of a report are, each format shows them, and none of them acts."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
import regex
from markdown_it import MarkdownIt

UNSEEN = regex.compile(
    r"[\p{C}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}--\n]", regex.V1
)
COLOR = re.compile(r"\x1b\[[0-9;]*m")
COMMAND = re.compile(r"(?m)^\s*::|##[a-z]*\[")
"""What a CI service runs: a line that begins with two colons, or ``##[`` anywhere."""

ANNOTATION = re.compile(r"::(error|warning|notice) (?:file=[^:,]*,line=1,)?title=[^:,]*::.*")
OURS = re.compile(r"</?details>|<summary>[A-Za-z ]+: [0-9,]+</summary>|<br>")
CODE = re.compile(r"(?m)`[^`\n]*`|^    .*")
ACTIVE = ("script", "style", "meta", "a", "input", "button", "form", "img", "base", "link")


@pytest.mark.slow
@pytest.mark.parametrize("width", [24, 80, None])
def test_the_terminal_shows_lines_of_ours_with_visible_characters(
    hostile_report, harmless_report, render, width
):
    plain = render("terminal", hostile_report, width=width)
    assert UNSEEN.findall(plain) == []
    assert COMMAND.findall(plain) == []
    colored = render("terminal", hostile_report, width=width, color=True)
    assert [line.rstrip() for line in COLOR.sub("", colored).splitlines()] == plain.splitlines()
    if width is None:
        assert plain.count("\n") == render("terminal", harmless_report).count("\n")


def structure_of_markdown(output):
    """Return the blocks of a Markdown document, and the elements in its lines."""
    tokens = MarkdownIt("commonmark").enable("table").parse(output)
    spans = [child for token in tokens for child in token.children or ()]
    html = [one.content for one in (*tokens, *spans) if "html" in one.type]
    return [token.type for token in tokens], {one.type for one in spans}, html


def test_markdown_has_only_elements_of_ours(hostile_report, harmless_report, render):
    output = render("markdown", hostile_report)
    assert UNSEEN.findall(output) == []
    assert COMMAND.findall(output) == []
    blocks, spans, html = structure_of_markdown(output)
    assert blocks == structure_of_markdown(render("markdown", harmless_report))[0]
    assert spans <= {
        *("text", "softbreak", "code_inline", "strong_open", "strong_close", "html_inline")
    }
    assert all(not OURS.sub("", content).strip() for content in html)
    outside = OURS.sub("", CODE.sub("", output))
    assert not re.search(r"[`<>@!$\\]|\]\(|://|www\.", outside)


def test_csv_has_the_rows_of_a_harmless_report_and_no_formula(
    hostile_report, harmless_report, render
):
    output, expected = (render("csv", report) for report in (hostile_report, harmless_report))
    assert output.isascii()
    assert UNSEEN.findall(output.replace("\r\n", "\n")) == []
    assert COMMAND.findall(output) == []
    rows, others = (
        list(csv.reader(io.StringIO(one, newline=""), strict=True)) for one in (output, expected)
    )
    assert list(map(len, rows)) == list(map(len, others))
    cells = [cell for row in rows for cell in row]
    assert not [cell for cell in cells if re.search(r'\A\s*[=+@-]|;["\s]*[=+@-]', cell)]


def test_each_line_for_github_is_an_annotation_of_ours(hostile_report, harmless_report, render):
    output = render("github", hostile_report)
    assert UNSEEN.findall(output) == []
    levels, others = (
        [ANNOTATION.fullmatch(line)[1] for line in one.splitlines()]
        for one in (output, render("github", harmless_report))
    )
    assert levels == others


@pytest.mark.parametrize("name", ["json", "jsonl", "sarif", "gitlab"])
def test_json_is_visible_ascii(hostile_report, render, name):
    output = render(name, hostile_report)
    assert output.isascii()
    assert output.replace("\n", "").isprintable()
    assert COMMAND.findall(output) == []
    for text in output.splitlines() if name == "jsonl" else [output]:
        json.loads(text)


@pytest.mark.parametrize("name", ["sarif", "gitlab"])
def test_every_string_for_a_service_is_visible(hostile_report, render, name):
    strings = list(strings_of(json.loads(render(name, hostile_report))))
    assert strings or name == "gitlab"
    # The pages of checks are ours, and have lines.
    assert [one for one in strings if UNSEEN.search(one)] == []


def strings_of(value):
    """Yield the strings of JSON, the keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in (*value, *value.values()) if isinstance(value, dict) else value:
            yield from strings_of(part)


def test_junit_has_the_elements_of_a_harmless_report(hostile_report, harmless_report, render):
    output = render("junit", hostile_report)
    assert output.isascii()
    assert output.replace("\n", "").isprintable()
    assert COMMAND.findall(output) == []
    root, other = (ET.fromstring(one) for one in (output, render("junit", harmless_report)))  # noqa: S314
    assert structure_of_xml(root) == structure_of_xml(other)
    for element in root.iter():
        for text in (*element.attrib.values(), element.text or "", element.tail or ""):
            assert UNSEEN.findall(text) == []


def structure_of_xml(root):
    """Return the elements in any order: test cases are sorted by strings of the report."""
    return sorted((element.tag, sorted(element.attrib)) for element in root.iter())


class Page(HTMLParser):
    """The elements of a page, with the names of their attributes."""

    def __init__(self, source):
        super().__init__()
        self.elements = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, tuple(name for name, _ in attrs)))


def test_a_page_has_the_elements_of_a_harmless_report(hostile_report, harmless_report, render):
    output = render("html", hostile_report)
    assert UNSEEN.findall(output) == []
    elements, others = (Page(one).elements for one in (output, render("html", harmless_report)))
    # A long text has a note on its length.
    assert set(elements) <= {*others, ("span", ("class",)), ("dd", ("class",))}
    assert [one for one in elements if one[0] in ACTIVE] == [
        one for one in others if one[0] in ACTIVE
    ]
