"""The page in a real browser: Chromium of the system, driven by Playwright, looked at by axe."""

import functools
import json
import os
import shutil

import pytest

from tokharness.formats.html import render
from tokharness.model import Verdict

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
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium"),
]

WAYS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
SERIOUS = ("serious", "critical")
SEARCHED = """words => new Promise((told) => {
  const found = document.getElementById("search-told");
  new MutationObserver(() => told(found.textContent)).observe(found, {childList: true});
  const field = document.getElementById("search");
  field.value = words;
  field.dispatchEvent(new Event("input"));
})"""
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
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(WAYS))
        yield browser
        browser.close()


@pytest.fixture(name="opened")
def _opened(browser, tmp_path):
    """Open a report; the page has ``messages`` of the console and ``requests`` that it made."""
    contexts = []

    def opened(report, **options):
        path = tmp_path / "report.html"
        path.write_text(render(report), encoding="utf-8")
        contexts.append(browser.new_context(**{"viewport": DESK, **options}))
        page = contexts[-1].new_page()
        page.messages, page.requests = [], []
        page.on("console", lambda message: page.messages.append(message.text))
        page.on("pageerror", lambda error: page.messages.append(str(error)))
        page.on("request", lambda request: page.requests.append(request.url))
        page.goto(path.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()


def tabbed_to(page, selector, most=60):
    """Press Tab until that has the focus, as somebody does who has no mouse."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("one => document.activeElement.matches(one)", selector):
            return
    pytest.fail(f"Tab does not reach {selector}")


def shown(page, selector="article.finding"):
    return page.locator(f"{selector}:visible").count()


def test_it_loads_without_a_message_or_a_request(opened, measured):
    page = opened(measured)
    assert page.messages == []
    assert [url.partition(":")[0] for url in page.requests] == ["file"]


def test_boxes_filter_findings_by_keyboard(opened, report):
    page = opened(report)
    before, bugs = shown(page), shown(page, "article.bug")
    assert before > bugs > 0
    tabbed_to(page, "#show-bug")
    page.keyboard.press("Space")
    assert shown(page) == before - bugs
    page.keyboard.press("Space")
    assert shown(page) == before


def test_boxes_filter_without_scripts_too(opened, report):
    page = opened(report, java_script_enabled=False)
    before, bugs = shown(page), shown(page, "article.bug")
    page.locator("#show-bug").focus()
    page.keyboard.press("Space")
    assert shown(page) == before - bugs
    assert not page.locator("#search").is_visible()


def test_words_are_searched_for(opened, make_report, make_finding):
    page = opened(make_report(make_finding(text="zebra"), make_finding(text="horse")))
    tabbed_to(page, "#search")
    page.keyboard.type("ZEBRA")
    playwright.expect(page.locator("article.finding:visible")).to_have_count(1)
    playwright.expect(page.locator("#search-told")).to_have_text("1 of 2")


def test_expanders_open_by_keyboard(opened, report):
    page = opened(report)
    tabbed_to(page, "article summary")
    details = page.locator("article details").first
    assert details.get_attribute("open") is None
    page.keyboard.press("Enter")
    assert details.get_attribute("open") is not None


def test_the_link_of_a_check_opens_its_page(opened, make_report, make_finding):
    page = opened(make_report(make_finding(code="TOK101", also=())))
    page.locator("article a[href='#check-TOK101']").first.press("Enter")
    playwright.expect(page.locator("#check-TOK101 pre")).to_be_visible()


@pytest.mark.parametrize("attack", ATTACKS, ids=functools.partial(json.dumps, ensure_ascii=True))
@pytest.mark.parametrize("scripts", [True, False])
def test_an_attack_is_shown_and_does_not_act(
    opened, reports_of_text, shows_itself, attack, scripts
):
    for report in reports_of_text(attack):
        page = opened(report, java_script_enabled=scripts)
        assert page.title() != "owned"
        assert page.messages == []
        assert len(page.requests) == 1
        assert page.locator("img, svg[onload], iframe, object, embed").count() == 0
        seen = page.locator("body").inner_text()
        assert shows_itself(seen.replace("\t", " ")), ascii(seen)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_axe_reports_nothing_serious(opened, measured, scheme, size):
    page = opened(measured, viewport=size, color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    found = axe.Axe().run(page).response["violations"]
    told = [f"{one['id']}: {one['nodes'][0]['html']}" for one in found if one["impact"] in SERIOUS]
    assert told == []


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_page_is_no_wider_than_the_window(opened, measured, size):
    page = opened(measured, viewport=size)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_no_letter_is_too_small_to_read(opened, measured):
    page = opened(measured, viewport=PHONE)
    sizes = page.evaluate(
        "[...document.querySelectorAll('body *')].filter(one => one.childNodes.length"
        " && one.checkVisibility()).map(one => parseFloat(getComputedStyle(one).fontSize)"
        " * (one.tagName == 'text' ? one.getScreenCTM().a : 1))"
    )
    assert min(sizes) >= 10


def test_a_printed_page_has_every_finding_and_no_controls(opened, make_report, make_finding):
    some = [make_finding(Verdict.RISK, text=f"text {number}") for number in range(9)]
    page = opened(make_report(*some))
    assert not page.get_by_text("text 8").first.is_visible()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.get_by_text("text 8").first.is_visible()
    assert not page.locator("nav.contents").is_visible()
    assert not page.locator(".filters").is_visible()
    assert len(page.pdf()) > 10_000


def test_ten_thousand_findings_are_found_in(opened, make_report, make_finding):
    verdicts = (Verdict.BUG, Verdict.RISK)
    some = [
        make_finding(verdicts[number % 2], text=f"text {number}", evidence={}, families=())
        for number in range(10_000)
    ]
    page = opened(make_report(*some))
    assert page.locator("#findings tr.row").count() == 9_800
    # Not with "expect", which describes the whole page each time it looks.
    assert page.evaluate(SEARCHED, "text 9999") == "1 of 10000"
