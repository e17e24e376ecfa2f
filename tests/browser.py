"""A headless browser for the tests of pages: the system's Chromium, none is downloaded."""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# Figures are drawn when their widths are known.
DRAWN = "[...document.querySelectorAll('.stage')].every((stage) => stage.querySelector('svg'))"


@contextmanager
def launched():
    """The browser; without one the tests that need it are skipped."""
    executable = next(filter(None, map(shutil.which, NAMES)), None)
    if executable is None:
        pytest.skip(f"needs a browser: none of {', '.join(NAMES)} is installed")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=executable, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Opened:
    """A page, and whatever it did that it should not."""

    page: object
    troubles: list[str] = field(default_factory=list)


@contextmanager
def opened(browser, path: Path, *, width=1280, dark=False) -> Iterator[Opened]:
    """The file in a new window; errors, dialogs and requests for anything else are noted."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
    )
    opened_page = Opened(context.new_page())
    address = path.as_uri()

    def request(sent):
        if sent.url != address and not sent.url.startswith("data:"):
            opened_page.troubles.append(f"request: {sent.url}")

    def dialog(shown):
        opened_page.troubles.append(f"dialog: {shown.message}")
        shown.dismiss()

    def console(message):
        if message.type in ("error", "warning"):
            opened_page.troubles.append(f"console: {message.text}")

    opened_page.page.on("request", request)
    opened_page.page.on("dialog", dialog)
    opened_page.page.on("console", console)
    opened_page.page.on("pageerror", lambda error: opened_page.troubles.append(f"error: {error}"))
    opened_page.page.set_default_timeout(20_000)
    opened_page.page.goto(address)
    _wait_until(opened_page.page, DRAWN)
    try:
        yield opened_page
    finally:
        context.close()


def _wait_until(page, expression, seconds=20):
    """Wait for an expression to be true.

    Not by `wait_for_function`, which evaluates it in the page from the second time on: the page's
    Content-Security-Policy refuses that.
    """
    until = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < until, f"expected {expression} within {seconds} s"
        page.wait_for_timeout(50)
