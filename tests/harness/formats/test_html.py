"""The page of a report: hostile text is shown and never acts, and what a reviewer asks is there."""

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from tokharness.escaping import visible
from tokharness.formats.html import render
from tokharness.model import Verdict

VOID = {"meta", "input"}


class Page(HTMLParser):
    """Elements with their attributes, and the text outside of style and script."""

    def __init__(self, source):
        super().__init__(convert_charrefs=True)
        self.elements, self.open, self.mistakes, self.pieces = [], [], [], []
        self.feed(source)
        self.close()
        self.text = "".join(self.pieces)
        self.mistakes += [f"<{tag}> is not closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if len(dict(attrs)) != len(attrs):
            self.mistakes.append(f"<{tag}> has an attribute twice")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.mistakes.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        if not {"style", "script"} & set(self.open):
            self.pieces.append(data)

    def of(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(name="gate")
def _gate(make_gate, make_change):
    return make_gate(make_change(), make_change(fails=False))


@pytest.fixture(params=["report", "measured", "gate"], name="page")
def _page(request):
    return render(request.getfixturevalue(request.param))


def test_it_is_well_formed(page):
    assert Page(page).mistakes == []


def test_no_control_and_nothing_invisible_is_left(page, shows_itself):
    assert shows_itself(page)


def test_there_are_no_elements_but_those_of_the_templates(page):
    tags = {tag for tag, _ in Page(page).elements}
    assert not tags & {"img", "iframe", "object", "embed", "form", "base", "audio", "video"}
    assert len(Page(page).of("script")) == 1
    assert all(attributes.get("src") is None for attributes in Page(page).of("script"))


def test_nothing_is_loaded_from_anywhere(page):
    names = {"src", "srcset", "action", "data", "poster", "formaction", "style", "xlink:href"}
    for tag, attributes in Page(page).elements:
        assert not names & attributes.keys(), tag
        assert not [name for name in attributes if name.startswith("on")], tag
        assert attributes.get("href", "#").startswith("#"), tag
    assert "url(" not in page
    assert "@import" not in page


def test_the_policy_allows_the_style_and_the_script_of_the_page_alone(page):
    (policy,) = [
        one["content"]
        for one in Page(page).of("meta")
        if one.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy.startswith("default-src 'none';")
    for tag in ("style", "script"):
        (content,) = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_hostile_text_is_shown_in_its_display_form(measured, hostile):
    assert visible(hostile) in Page(render(measured)).text


def test_every_link_leads_to_something(page):
    found = Page(page)
    known = {attributes["id"] for _, attributes in found.elements if "id" in attributes}
    ids = [attributes["id"] for _, attributes in found.elements if "id" in attributes]
    assert len(ids) == len(known), "an id is there twice"
    assert {link["href"][1:] for link in found.of("a")} <= known


def test_the_verdict_stands_first(make_report, make_finding):
    text = Page(render(make_report(make_finding(), text="plain"))).text
    assert text.index("not clean") < text.index("TOK999")
    assert "1 bug" in text


@pytest.mark.parametrize("verdict", [Verdict.RISK, Verdict.BY_DESIGN])
def test_what_does_not_count_is_clean(make_report, make_finding, verdict):
    (word,) = re.findall(r'class="word good">([^<]*)<', render(make_report(make_finding(verdict))))
    assert word == "clean"


def test_an_interrupted_run_is_not_clean(make_report):
    assert 'class="word bad">interrupted<' in render(make_report(interrupted=True))


def test_what_was_not_measured_says_how_it_would_be(report):
    assert "--measure" in Page(render(report)).text


def test_a_finding_is_drawn_with_its_code_points_and_its_command(make_report, make_finding):
    page = render(make_report(make_finding(text="a\u200b")))
    text = Page(page).text
    assert "U+200B ZERO WIDTH SPACE" in text
    assert "E2 80 8B" in text
    assert """tokharness show --json '"\\u200b"'""" in text


def test_counts_and_spaces_are_told_in_words(make_report, make_finding):
    finding = make_finding(text="  ", evidence={"scripts": {"Latn": 14, "Grek": 1000}})
    text = Page(render(make_report(finding))).text
    assert "Latn 14, Grek 1,000" in text
    assert "2 spaces" in text


def test_very_many_findings_are_rows_of_a_table(make_report, make_finding):
    some = [make_finding(text=f"text {number}") for number in range(300)]
    found = Page(render(make_report(*some)))
    assert len(found.of("article")) == 200
    assert sum(one.get("class") == "row bug" for one in found.of("tr")) == 100
    assert "text 299" in found.text


def test_what_was_not_run_is_not_told_as_clean(make_report, make_finding):
    one = make_report(make_finding(text="plain")).targets[0]
    started = replace(one.started, spec="other", checks=("TOK101",))
    clean = replace(one, started=started, findings=())
    ran = replace(clean, started=replace(started, checks=("TOK999",)))
    for other, told in ((clean, "not run"), (ran, "-")):
        page = render(replace(make_report(), targets=(one, other)))
        assert f'<td class="soft">{told}</td>' in page


def test_risks_of_one_check_are_folded_up(make_report, make_finding):
    some = [make_finding(Verdict.RISK, text=f"text {number}") for number in range(9)]
    page = render(make_report(*some))
    assert "6 more risks of TOK999" in page
    assert len(Page(page).of("article")) == 9
    assert "more risks" not in render(make_report(*some[:4]))


def test_a_text_that_is_too_long_is_not_drawn(make_report, make_finding):
    report = make_report(make_finding(text="x" * 201))
    assert "too many to be drawn" not in render(report), "nothing was asked of the target"
    drawn = {"text": "a", "ids": [1], "bytes": ["61"], "decoded_if_different": None, "error": None}
    target = replace(report.targets[0], measures={"texts": [{**drawn, "reference": None}]})
    assert "too many to be drawn" in render(replace(report, targets=(target,)))


def test_an_interrupted_run_names_what_it_did_not_reach(make_report):
    found = Page(render(replace(make_report(interrupted=True), not_run=("tiktoken:x",))))
    assert "interrupted before tiktoken:x" in " ".join(found.text.split())
    assert "Add --measure" not in found.text


def test_targets_that_were_measured_are_compared(measured):
    assert "Targets compared" in Page(render(measured)).text


def test_a_comparison_has_no_findings(measured):
    found = render(replace(measured, embedding_width=4096))
    assert 'id="comparison"' in found
    assert 'id="findings"' not in found
