"""A report within the page of a notebook."""

import os
import shutil
from html.parser import HTMLParser

import pytest

import tokharness

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = os.environ.get("TOKHARNESS_TEST_CHROMIUM") or next(
    filter(None, map(shutil.which, NAMES)), None
)
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")
FAULTY = "python:tokharness_tokenizers.demo:drops_zero_width_space"
CELL = "<h2>a notebook</h2>"


@pytest.fixture(scope="module", name="report")
def _report(few):
    return tokharness.check(FAULTY, **few, jobs=0)


class Tags(HTMLParser):
    """The start tags of a page, with their attributes."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


@pytest.mark.slow
def test_the_report_is_one_sandboxed_frame(report):
    ((tag, attributes),) = Tags(report._repr_html_()).found
    assert tag == "iframe"
    assert attributes["sandbox"] == "allow-scripts"
    page = attributes["srcdoc"].replace('<base href="about:srcdoc">', "")
    assert page == report.render("html")


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_the_frame_works_in_a_browser_and_reaches_nothing_around_it(report, tmp_path):
    try:
        from playwright import sync_api as playwright
    except ImportError:
        pytest.skip("the extra 'browser' is not installed")
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><title>mine</title>{CELL}{report._repr_html_()}")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        page = browser.new_page()
        messages, requests = [], []
        page.on("console", lambda message: messages.append(message.text))
        page.on("request", lambda request: requests.append(request.url))
        before = "getComputedStyle(document.querySelector('h2')).fontFamily"
        page.set_content(CELL)
        font = page.evaluate(before)
        page.goto(path.as_uri())
        frame = page.frames[1]
        assert frame.evaluate("document.documentElement.className") == "js"
        assert frame.locator("article.bug:visible").count() == 1
        frame.locator("nav.contents a").nth(1).click()
        playwright.expect(frame.locator("#findings")).to_be_in_viewport()
        assert frame.url == "about:srcdoc#findings"
        with pytest.raises(playwright.Error, match="SecurityError"):
            frame.evaluate("parent.document.title")
        assert (page.title(), page.evaluate(before)) == ("mine", font)
        assert page.url == path.as_uri()
        assert (messages, requests) == ([], [path.as_uri()])
        browser.close()
