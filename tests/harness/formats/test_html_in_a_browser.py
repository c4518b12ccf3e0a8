"""The HTML report in Chromium, driven by Playwright and checked by axe."""

import functools
import json
import os
import re
import shutil
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from tokharness.formats.html import render
from tokharness.model import Verdict
from tokharness.parity_matrix.model import ASPECTS, IDS, Cause, Cell, Form, Parity, Tokens
from tokharness.parity_matrix.page import render as render_parity
from tokharness.results.report_record import read

try:
    from axe_playwright_python import sync_playwright as axe
    from playwright import sync_api as playwright
except ImportError:
    pytest.skip("the extra 'browser' is not installed", allow_module_level=True)

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = os.environ.get("TOKHARNESS_TEST_CHROMIUM") or next(
    filter(None, map(shutil.which, NAMES)), None
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]

ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
SERIOUS = ("serious", "critical")
SEARCH = """words => new Promise((resolve) => {
  const status = document.getElementById("search-status");
  new MutationObserver(() => resolve(status.textContent)).observe(status, {childList: true});
  const field = document.getElementById("search");
  field.value = words;
  field.dispatchEvent(new Event("input"));
})"""
EXAMPLE = Path(__file__).parents[3] / "reports" / "examples" / "embedded.json"
ATTACKS = (
    "</script><img src=x onerror=\"document.title='owned'\">",
    "<svg/onload=document.title='owned'>",
    "\u202egnp.exe\u202c \u2066a\u2069",
    "\x1b[2J\x1b]0;owned\x07\x9b31m",
    "{{ 7 * 7 }} {% include 'x' %}",
    "javascript:document.title='owned'",
    "\ud800 \udc00 \u2028\u2029\x00\ufeff",
)


@pytest.fixture(scope="module", name="browser")
def _browser():
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(name="open_report")
def _open_report(browser, tmp_path):
    """Open a report; the page has the ``messages`` of the console and its ``requests``."""
    contexts = []

    def open_report(report, **options):
        path = tmp_path / "report.html"
        is_parity = isinstance(report, Parity)
        path.write_text((render_parity if is_parity else render)(report), encoding="utf-8")
        contexts.append(browser.new_context(**{"viewport": DESK, **options}))
        page = contexts[-1].new_page()
        page.messages, page.requests = [], []
        page.on("console", lambda message: page.messages.append(message.text))
        page.on("pageerror", lambda error: page.messages.append(str(error)))
        page.on("request", lambda request: page.requests.append(request.url))
        page.goto(path.as_uri())
        return page

    yield open_report
    for context in contexts:
        context.close()


def tab_to(page, selector, limit=60):
    """Press Tab until an element has the focus, as without a mouse."""
    for _ in range(limit):
        page.keyboard.press("Tab")
        if page.evaluate("one => document.activeElement.matches(one)", selector):
            return
    pytest.fail(f"Tab does not reach {selector}")


def shown(page, selector="article.finding"):
    return page.locator(f"{selector}:visible").count()


def test_the_page_loads_without_messages_and_requests(open_report, measured):
    page = open_report(measured)
    assert page.messages == []
    assert [url.partition(":")[0] for url in page.requests] == ["file"]


def test_boxes_filter_findings_by_keyboard(open_report, report):
    page = open_report(report)
    before, bugs = shown(page), shown(page, "article.bug")
    assert before > bugs > 0
    tab_to(page, "#show-bug")
    page.keyboard.press("Space")
    assert shown(page) == before - bugs
    page.keyboard.press("Space")
    assert shown(page) == before


def test_boxes_filter_without_scripts_too(open_report, report):
    page = open_report(report, java_script_enabled=False)
    before, bugs = shown(page), shown(page, "article.bug")
    page.locator("#show-bug").focus()
    page.keyboard.press("Space")
    assert shown(page) == before - bugs
    assert not page.locator("#search").is_visible()


def test_the_search_filters_findings(open_report, make_report, make_finding):
    page = open_report(make_report(make_finding(text="zebra"), make_finding(text="horse")))
    tab_to(page, "#search")
    page.keyboard.type("ZEBRA")
    playwright.expect(page.locator("article.finding:visible")).to_have_count(1)
    playwright.expect(page.locator("#search-status")).to_have_text("1 of 2")


def test_expanders_open_by_keyboard(open_report, report):
    page = open_report(report)
    tab_to(page, "article summary")
    details = page.locator("article details").first
    assert details.get_attribute("open") is None
    page.keyboard.press("Enter")
    assert details.get_attribute("open") is not None


def test_the_link_of_a_check_opens_its_documentation(open_report, make_report, make_finding):
    page = open_report(make_report(make_finding(code="TOK101", other_checks=())))
    page.locator("article a[href='#check-TOK101']").first.press("Enter")
    playwright.expect(page.locator("#check-TOK101 pre")).to_be_visible()


@pytest.mark.parametrize("attack", ATTACKS, ids=functools.partial(json.dumps, ensure_ascii=True))
@pytest.mark.parametrize("scripts", [True, False])
def test_an_attack_is_shown_escaped(open_report, reports_of_text, shows_itself, attack, scripts):
    for report in reports_of_text(attack):
        page = open_report(report, java_script_enabled=scripts)
        assert page.title() != "owned"
        assert page.messages == []
        assert len(page.requests) == 1
        assert page.locator("img, svg[onload], iframe, object, embed").count() == 0
        seen = page.locator("body").inner_text()
        assert shows_itself(seen.replace("\t", " ")), ascii(seen)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_axe_reports_nothing_serious(open_report, measured, scheme, size):
    page = open_report(measured, viewport=size, color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    violations = axe.Axe().run(page).response["violations"]
    serious = [one for one in violations if one["impact"] in SERIOUS]
    assert [f"{one['id']}: {one['nodes'][0]['html']}" for one in serious] == []


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_page_is_no_wider_than_the_window(open_report, measured, size):
    page = open_report(measured, viewport=size)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_no_text_is_too_small_to_read(open_report, measured):
    page = open_report(measured, viewport=PHONE)
    sizes = page.evaluate(
        "[...document.querySelectorAll('body *')].filter(one => one.childNodes.length"
        " && one.checkVisibility()).map(one => parseFloat(getComputedStyle(one).fontSize)"
        " * (one.tagName == 'text' ? one.getScreenCTM().a : 1))"
    )
    assert min(sizes) >= 10


def test_a_printed_page_has_all_findings_and_no_controls(open_report, make_report, make_finding):
    some = [make_finding(Verdict.RISK, text=f"text {number}") for number in range(9)]
    page = open_report(make_report(*some))
    assert not page.get_by_text("text 8").first.is_visible()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.get_by_text("text 8").first.is_visible()
    assert not page.locator("nav.contents").is_visible()
    assert not page.locator(".filters").is_visible()
    assert len(page.pdf()) > 10_000


def test_two_healthy_targets_with_all_metrics_are_printed_on_at_most_twelve_pages(open_report):
    report = read(EXAMPLE)
    (one,) = report.targets
    other = replace(one, started=replace(one.started, spec="tiktoken:other"))
    page = open_report(replace(report, targets=(one, other)))
    for paper in ("A4", "Letter"):
        assert 1 < len(re.findall(rb"/Type /Page\b", page.pdf(format=paper))) <= 12


def test_the_search_works_with_ten_thousand_findings(open_report, make_report, make_finding):
    verdicts = (Verdict.BUG, Verdict.RISK)
    some = [
        make_finding(verdicts[number % 2], text=f"text {number}", evidence={}, families=())
        for number in range(10_000)
    ]
    page = open_report(make_report(*some))
    assert page.locator("#findings tr.row").count() == 9_800
    # Not "expect", which serializes the whole page at each poll.
    assert page.evaluate(SEARCH, "text 9999") == "1 of 10000"


@pytest.fixture(name="parity")
def _parity():
    """A parity of ten forms with long names, of which each pair has a cause in its ids."""
    name = "/projects/converted/release-candidate-with-a-long-name/7b-instruct/tokenizer.json"
    specs = [f"engine:@somebody/tokenizers-{number}:{name}" for number in range(10)]
    forms = (Form(spec, n_vocab=128_256, vocabulary="of Llama 2: 31,997 tokens") for spec in specs)
    tokens = Tokens(tuple(range(9)), ("words ",) * 9)
    words = (
        "pre-tokenizer",
        "Split(behavior=Isolated, pattern=[^\\r\\n\\p{L}]?\\p{L}+)",
        "m" * 300,
    )
    cause = Cause(IDS, *words, Verdict.BUG, 7, (1,), (0,), text="words " * 9, tokens=(tokens,) * 10)
    pairs = combinations(range(10), 2)
    cells = (Cell(*pair, one, "differs", (0,), 7, 60_000) for pair in pairs for one in ASPECTS)
    return Parity(tuple(forms), tuple(cells), (cause,), texts=60_000)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_parity_of_ten_forms_with_long_names_fits_and_keeps_short_words_whole(
    open_report, parity, size
):
    page = open_report(parity, viewport=size)
    assert page.messages == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    heights = "rows => rows.map(one => one.getClientRects()[0].height)"
    assert max(page.locator(".matrix tbody th a").evaluate_all(heights)) < 30
    widths = "rows => rows.map(one => one.getBoundingClientRect().width)"
    assert min(page.locator(".forms tbody td:nth-child(2)").evaluate_all(widths)) > 150
    violations = axe.Axe().run(page).response["violations"]
    assert [one["id"] for one in violations if one["impact"] in SERIOUS] == []
    page.locator(".matrix tbody td a").first.click()
    assert page.url.endswith("#pair-0-1")
