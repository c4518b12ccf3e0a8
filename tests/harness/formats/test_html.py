"""The HTML report: hostile text is escaped, and the page is complete and self-contained."""

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from tokharness.engine.measures import measures
from tokharness.escaping import visible
from tokharness.formats._html.views import METRIC_SECTIONS
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
            self.mistakes.append(f"<{tag}> has a duplicate attribute")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.mistakes.append(f"</{tag}> is unbalanced")

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


def test_every_character_is_visible(page, shows_itself):
    assert shows_itself(page)


def test_all_elements_are_from_the_templates(page):
    tags = {tag for tag, _ in Page(page).elements}
    assert not tags & {"img", "iframe", "object", "embed", "form", "base", "audio", "video"}
    assert len(Page(page).of("script")) == 1
    assert all(attributes.get("src") is None for attributes in Page(page).of("script"))


def test_the_page_loads_no_resource(page):
    names = {"src", "srcset", "action", "data", "poster", "formaction", "style", "xlink:href"}
    for tag, attributes in Page(page).elements:
        assert not names & attributes.keys(), tag
        assert not [name for name in attributes if name.startswith("on")], tag
        assert attributes.get("href", "#").startswith("#"), tag
    assert "url(" not in page
    assert "@import" not in page


def test_the_policy_allows_only_the_style_and_script_of_the_page(page):
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


def test_every_link_has_a_target(page):
    parsed = Page(page)
    targets = {attributes["id"] for _, attributes in parsed.elements if "id" in attributes}
    ids = [attributes["id"] for _, attributes in parsed.elements if "id" in attributes]
    assert len(ids) == len(targets), "duplicate id"
    assert {link["href"][1:] for link in parsed.of("a")} <= targets


def test_the_verdict_is_first(make_report, make_finding):
    text = Page(render(make_report(make_finding(), text="plain"))).text
    assert text.index("failed") < text.index("TOK999")
    assert "1 bug" in text


@pytest.mark.parametrize("verdict", [Verdict.RISK, Verdict.FACT])
def test_a_run_without_bugs_passes(make_report, make_finding, verdict):
    (word,) = re.findall(r'class="word good">([^<]*)<', render(make_report(make_finding(verdict))))
    assert word == "passed"


def test_an_interrupted_run_does_not_pass(make_report):
    assert 'class="word bad">interrupted<' in render(make_report(interrupted=True))


def test_missing_metrics_name_the_option(report):
    assert "--measure" in Page(render(report)).text


def test_a_finding_has_its_code_points_and_command(make_report, make_finding):
    page = render(make_report(make_finding(text="a\u200b")))
    text = Page(page).text
    assert "U+200B ZERO WIDTH SPACE" in text
    assert "E2 80 8B" in text
    assert """tokharness show --json '"\\u200b"'""" in text


def test_counts_and_spaces_are_formatted(make_report, make_finding):
    finding = make_finding(text="  ", evidence={"scripts": {"Latn": 14, "Grek": 1000}})
    text = Page(render(make_report(finding))).text
    assert "Latn 14, Grek 1,000" in text
    assert "2 spaces" in text


@pytest.mark.slow
def test_very_many_findings_are_rows_of_a_table(make_report, make_finding):
    findings = [make_finding(text=f"text {number}") for number in range(300)]
    parsed = Page(render(make_report(*findings)))
    assert len(parsed.of("article")) == 200
    assert sum(one.get("class") == "row bug" for one in parsed.of("tr")) == 100
    assert "text 299" in parsed.text


def test_a_check_that_was_not_run_is_marked(make_report, make_finding):
    one = make_report(make_finding(text="plain")).targets[0]
    started = replace(one.started, spec="other", checks=("TOK101",))
    not_run = replace(one, started=started, findings=())
    run = replace(not_run, started=replace(started, checks=("TOK999",)))
    for other, mark in ((not_run, "not run"), (run, "-")):
        page = render(replace(make_report(), targets=(one, other)))
        assert f'<td class="soft">{mark}</td>' in page


def test_risks_of_one_check_are_collapsed(make_report, make_finding):
    findings = [make_finding(Verdict.RISK, text=f"text {number}") for number in range(9)]
    page = render(make_report(*findings))
    assert "6 more risks of TOK999" in page
    assert len(Page(page).of("article")) == 9
    assert "more risks" not in render(make_report(*findings[:4]))


def test_the_tokens_of_a_long_text_are_not_shown(make_report, make_finding):
    report = make_report(make_finding(text="x" * 201))
    assert "too many to show" not in render(report), "no encodings were collected"
    drawn = {"text": "a", "ids": [1], "bytes": ["61"], "decoded_if_different": None, "error": None}
    target = replace(report.targets[0], measures={"texts": [{**drawn, "reference": None}]})
    assert "too many to show" in render(replace(report, targets=(target,)))


def test_an_interrupted_run_names_the_targets_not_run(make_report):
    parsed = Page(render(replace(make_report(interrupted=True), not_run=("tiktoken:x",))))
    assert "interrupted before tiktoken:x" in " ".join(parsed.text.split())
    assert "Add --measure" not in parsed.text


def test_several_targets_with_metrics_are_compared(measured):
    assert "Comparison" in Page(render(measured)).text


def test_a_chart_of_lengths_has_a_table_of_its_numbers(measured):
    parsed = Page(render(replace(measured, embedding_width=4096)))
    names = [one.get("aria-label", "") for one in parsed.of("svg")]
    assert len([name for name in names if "the table below has the numbers" in name]) == 2
    assert [one for one in parsed.of("table") if one.get("class") == "lengths"]
    assert "1 of 2" in parsed.text, "lossy texts"


def test_a_target_without_a_place_in_the_chart_is_named(measured):
    sequences = measured.targets[0].measures["sequences"]
    unknown = {**measured.targets[0].measures, "sequences": {**sequences, "n_vocab": None}}
    targets = (replace(measured.targets[0], measures=unknown), *measured.targets[1:])
    note = "is in the table only"
    assert note in Page(render(replace(measured, targets=targets))).text
    assert note not in Page(render(measured)).text


def test_a_comparison_has_no_findings(measured):
    parsed = render(replace(measured, embedding_width=4096))
    assert 'id="comparison"' in parsed
    assert 'id="findings"' not in parsed


def test_each_section_of_metrics_shows_a_measure():
    names = {name for _, name in METRIC_SECTIONS.values() if name}
    assert names <= {*measures(), "corpus", "parallel"}, "edit METRIC_SECTIONS"


def test_the_page_of_a_failed_gate_opens_with_the_failing_changes(make_gate, make_change):
    change = make_change(
        text="plain", next=("tokharness audit a b  # one", "tokharness gate  # two")
    )
    page = render(make_gate(make_change("over-budget", "other"), change, text="plain"))
    text = Page(page).text
    assert text.index("fail changed-ids: what plain") < text.index("Checks by family")
    assert "<pre><code>tokharness audit a b  # one\ntokharness gate  # two\n</code></pre>" in page
    assert page.index('id="gate"') < page.index("<nav") < page.index('id="summary"')


def test_the_page_of_a_gate_that_passes_says_so(make_gate, make_change):
    text = Page(render(make_gate(make_change("new-fact", "plain", fails=False), text="plain"))).text
    assert "What failed" not in text
    assert "1 other change" in text


def test_a_rendered_conversation_has_a_color_for_each_kind_of_field(make_report, make_finding):
    rows = [("special token", "<|a|>", "7"), ("template", "user", "1 2"), ("user content", "x", "")]
    parts = [dict(zip(("part", "text", "ids"), row, strict=True)) for row in rows]
    page = render(make_report(make_finding(evidence={"conversation": parts})))
    assert (
        '<span class="token t0" title="special token"><bdi>&lt;|a|&gt;</bdi>'
        '<span class="id">7</span></span>'
        '<span class="token" title="template"><bdi>user</bdi><span class="id">1 2</span></span>'
        '<span class="token t1" title="user content"><bdi>x</bdi></span>'
    ) in page


@pytest.mark.parametrize("parts", [[], [("template", "a b", "")]])
def test_a_rendered_conversation_is_shown_once(make_report, make_finding, parts):
    drawn = [dict(zip(("part", "text", "ids"), row, strict=True)) for row in parts]
    evidence = {"rendered": "a b", "conversation": drawn} if drawn else {"rendered": "a b"}
    page = render(make_report(make_finding(evidence=evidence)))
    assert len(re.findall(r"<dt>(?:<[^>]*>)*rendered<", page)) == 1
