"""The page of a report in a real browser: sliders by keyboard, themes, widths; nothing fetched, no complaint."""

import base64
import dataclasses
import io
import itertools
import os
import shutil
import struct
import zlib
from functools import cache
from pathlib import Path

import polars as pl
import pytest
from fuzz.mutations import to_toml
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from synthetic_runs import CONDITIONS, solo_run, solo_tables

from nfsim.games.new_frontiers.policies import shelf
from nfsim.report.answers import report_answer
from nfsim.report.build import build_report
from nfsim.report.formatting import integer, rate
from nfsim.report.page import Part, Section, write_page
from nfsim.report.source import read
from nfsim.report.tables import ReportTable
from nfsim.stats.intervals import wilson

BROWSER, DRIVER = (shutil.which(name) for name in ("chromium", "chromedriver"))
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
REQUIRED = "NFSIM_BROWSER"  # set where a missing browser is a failure
PAPER = 718  # pixels between the margins of an A4 sheet
GAMES = {10: 400, 12: 700}  # 400: rates with ties to round

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A report on a run of each length with four conditions."""
    base = tmp_path_factory.mktemp("page")
    runs = [solo_run(base / f"run_{rounds}", games, rounds) for rounds, games in GAMES.items()]
    return build_report(runs, base / "out")


@pytest.fixture(scope="module")
def started(tmp_path_factory):
    """A browser with a profile of its own."""
    if BROWSER is None or DRIVER is None:
        missing = "chromium and chromedriver are not installed (on Debian: apt-get install chromium chromium-driver)"
        if os.environ.get(REQUIRED):
            pytest.fail(missing)
        pytest.skip(missing)
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def browser(started, page):
    """The browser with the page just opened, wide and light, and every part of it open."""
    started.get_log("browser")
    started.get_log("performance")
    look(started, width=1000, scheme="light")
    started.get(page.as_uri())
    started.execute_script("for (const part of document.querySelectorAll('details')) part.open = true")
    return started


def look(driver, width, scheme, media="", height=800):
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def sliders(driver):
    return driver.find_elements(By.CSS_SELECTOR, ".slider")


def shown(slider):
    """Return the threshold and the rate and n of each run as a reader sees them."""
    at = slider.find_element(By.CSS_SELECTOR, ".at").text
    rates = [row.text.split("\n")[-1] for row in slider.find_elements(By.CSS_SELECTOR, ".rate")]
    return at, rates


@cache
def scored(name, rounds):
    """Return VPs of the games that met the rest of a condition."""
    tables = solo_tables(GAMES[rounds], rounds, seed=rounds)
    met = tables["objectives"].filter(objective=name)["requires_met"].to_numpy()
    return tables["seats"]["score"].to_numpy()[met]


def expected(name, vp):
    """Return the same, counted in the tables in Python."""
    rates = []
    for rounds, n in GAMES.items():
        k = int((scored(name, rounds) >= vp).sum())
        rates.append(f"{rate(k / n, *map(float, wilson(k, n)))} n = {integer(n)}")
    return f"{vp}+ VPs", rates


def pixels(png):
    """Return the different rows of pixels of a screenshot, filtered as they are stored: a blank page has one or two."""
    stream, data = io.BytesIO(png), b""
    stream.seek(8)
    while head := stream.read(8):
        length, kind = struct.unpack(">I4s", head)
        body = stream.read(length)
        stream.read(4)
        data += body if kind == b"IDAT" else b""
    raw = zlib.decompress(data)
    width = struct.unpack(">I", png[16:20])[0]
    row = len(raw) // struct.unpack(">I", png[20:24])[0]
    assert row > width
    return {raw[i + 1 : i + row] for i in range(0, len(raw), row)}


@pytest.mark.parametrize(("width", "height"), [(1200, 900), (390, 800)])
def test_the_first_screen_holds_the_answer_and_its_picture_and_all_else_is_closed(started, page, width, height):
    look(started, width, "light", height=height)
    started.get(page.as_uri())
    first = started.find_element(By.CSS_SELECTOR, ".said p").rect
    picture = started.find_element(By.CSS_SELECTOR, ".answer figure svg").rect
    assert max(each["y"] + each["height"] for each in (first, picture)) <= height
    assert not [part for part in started.find_elements(By.TAG_NAME, "details") if part.get_attribute("open")]
    assert started.execute_script("return document.documentElement.scrollHeight") < 4 * height


def test_one_button_opens_and_closes_every_part(browser):
    def opened():
        return {part.get_attribute("open") is not None for part in browser.find_elements(By.TAG_NAME, "details")}

    button = browser.find_element(By.ID, "open")
    assert opened() == {True}
    button.click()
    assert opened() == {False}
    button.click()
    assert opened() == {True}
    assert button.get_attribute("aria-pressed") == "true"


def test_a_link_opens_the_part_that_it_leads_to(started, page):
    started.get(page.as_uri())
    part = started.find_element(By.XPATH, "//details[.//h3[@id='claims']]")
    assert not part.get_attribute("open")
    started.find_element(By.CSS_SELECTOR, "a[href='#claims']").click()
    assert part.get_attribute("open")


def test_every_slider_starts_with_each_run_at_its_own_printed_threshold(browser):
    printed = zip(CONDITIONS["short"], CONDITIONS["long"], strict=True)
    for slider, ((name, short, _), (_, long, _)) in zip(sliders(browser), printed, strict=True):
        at, rates = shown(slider)
        assert rates == [expected(name, short)[1][0], expected(name, long)[1][1]]
        assert at == ("Each at its own printed threshold" if short != long else f"{short}+ VPs")


def test_moved_by_keyboard_a_slider_shows_what_python_counts_at_every_threshold(browser):
    name = CONDITIONS["short"][1][0]
    slider = sliders(browser)[1]
    handle = slider.find_element(By.TAG_NAME, "input")
    handle.send_keys(Keys.HOME)
    least, most = int(handle.get_attribute("min")), int(handle.get_attribute("max"))
    assert least < 40 < 50 < most
    for vp in range(least, most + 1):
        if vp >= 0:
            assert shown(slider) == expected(name, vp)
        assert handle.get_attribute("aria-valuetext") == f"{vp} VPs"
        handle.send_keys(Keys.ARROW_RIGHT)
    assert int(handle.get_attribute("value")) == most
    assert shown(slider)[1] == expected(name, most)[1]
    assert all(text.startswith("0.00 % (0.00–") for text in shown(slider)[1])


def test_a_slider_leaves_the_others_and_the_rates_as_printed_alone(browser):
    first, second, *_ = sliders(browser)
    before = second.text
    own = [item.text for item in first.find_elements(By.CSS_SELECTOR, ".printed li")]
    first.find_element(By.TAG_NAME, "input").send_keys(Keys.PAGE_UP)
    assert shown(first) != expected("Great Victory", 55)
    assert second.text == before
    assert [item.text for item in first.find_elements(By.CSS_SELECTOR, ".printed li")] == own
    for text, place, vp in zip(own, (0, 1), (55, 70), strict=True):
        assert f"({vp}+ VPs): {expected('Great Victory', vp)[1][place].split(' n =')[0]}" in text


def test_buttons_bring_a_slider_back_to_each_printed_threshold(browser):
    slider = sliders(browser)[0]
    slider.find_element(By.TAG_NAME, "input").send_keys(Keys.END)
    for vp in (70, 55):
        button = slider.find_element(By.CSS_SELECTOR, f'button[data-score="{vp}"]')
        button.send_keys(Keys.ENTER)
        assert shown(slider) == expected("Great Victory", vp)
        assert button.get_attribute("aria-pressed") == "true"


def test_the_scripts_interval_is_pythons(browser):
    """At every threshold of every condition, for both runs, to the last digit that is written."""
    for slider, (name, _, _) in zip(sliders(browser), CONDITIONS["short"], strict=True):
        handle = slider.find_element(By.TAG_NAME, "input")
        for vp in (0, 17, 30, 38, 45, 52, 60, 66, 71, 80):
            browser.execute_script(
                "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))", handle, vp
            )
            assert shown(slider) == expected(name, int(handle.get_attribute("value")))


def test_the_tab_key_reaches_toggle_contents_and_every_slider_in_order(browser):
    reached = []
    while True:
        browser.switch_to.active_element.send_keys(Keys.TAB)
        active = browser.switch_to.active_element
        if active.tag_name == "body":  # past the last one
            break
        reached.append(active.get_attribute("id") or active.get_attribute("class") or active.tag_name)
        assert browser.execute_script("return getComputedStyle(document.activeElement).outlineStyle === 'solid'"), (
            f"no visible focus on {reached[-1]}"
        )
    order = [slider.find_element(By.TAG_NAME, "input").get_attribute("id") for slider in sliders(browser)]
    assert [name for name in reached if name in order] == order
    assert reached[:3] == ["skip", "open", "theme"]


def test_every_slider_has_a_name_and_is_announced(browser):
    for slider, (name, _, _) in zip(sliders(browser), CONDITIONS["short"], strict=True):
        handle = slider.find_element(By.TAG_NAME, "input")
        assert handle.accessible_name == f"Threshold in VPs of {name}"
        assert handle.aria_role == "slider"
        assert slider.find_element(By.TAG_NAME, "output").get_attribute("aria-live") == "polite"


def ground(driver):
    return driver.execute_script("return getComputedStyle(document.body).backgroundColor")


def test_the_theme_follows_the_reader_and_the_button(browser):
    button = browser.find_element(By.ID, "theme")
    light = ground(browser)
    look(browser, 1000, "dark")
    dark = ground(browser)
    assert light != dark
    assert button.get_attribute("aria-pressed") == "true"
    button.send_keys(Keys.SPACE)
    assert ground(browser) == light
    button.send_keys(Keys.SPACE)
    assert ground(browser) == dark
    look(browser, 1000, "light")
    assert ground(browser) == dark, "the choice stays"


@pytest.mark.parametrize("width", [320, 360, 1000, 1100, 1400])
def test_the_page_never_scrolls_sideways(browser, width):
    look(browser, width, "light")
    assert browser.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")


def test_on_a_phone_the_rates_of_the_first_table_are_in_sight(browser):
    look(browser, 420, "light")
    rate = browser.find_element(By.CSS_SELECTOR, "tbody .number")
    assert rate.rect["x"] + rate.rect["width"] <= 420


def test_in_a_wide_window_no_table_is_cut_and_the_text_stays_narrow(browser):
    look(browser, 1400, "light")
    cut = "return [...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth).length"
    assert browser.execute_script(cut) == 0
    assert browser.find_element(By.CSS_SELECTOR, "main p").rect["width"] < 800


def test_nothing_is_fetched_and_nothing_is_complained_about(browser, page):
    sliders(browser)[2].find_element(By.TAG_NAME, "input").send_keys(Keys.ARROW_LEFT)
    browser.find_element(By.ID, "theme").click()
    assert browser.get_log("browser") == []
    sent = [entry["message"] for entry in browser.get_log("performance") if "requestWillBeSent" in entry["message"]]
    assert sent
    assert all(page.name in message or '"url":"data:' in message for message in sent), sent
    assert not [message for message in sent if '"url":"http' in message]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_screenshot_is_not_blank(browser, scheme):
    look(browser, 1000, scheme)
    assert len(pixels(browser.get_screenshot_as_png())) > 200


def test_on_paper_a_table_stands_for_the_sliders(browser):
    def displayed(selector):
        return browser.execute_script("return getComputedStyle(document.querySelector(arguments[0])).display", selector)

    assert (displayed(".sliders"), displayed(".still")) == ("grid", "none")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert (displayed(".sliders"), displayed(".still"), displayed("#theme")) == ("none", "block", "none")
    look(browser, PAPER, "light", media="print")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= PAPER, "a table is cut off"
    look(browser, 1000, "light")
    pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {})["data"])
    assert pdf.startswith(b"%PDF")


def test_without_scripts_the_table_is_there_and_no_control_that_does_nothing(browser, page):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(page.as_uri())
        for heading in browser.find_elements(By.TAG_NAME, "summary"):
            heading.click()
        assert browser.find_element(By.CSS_SELECTOR, ".still table").is_displayed()
        assert not browser.find_element(By.CSS_SELECTOR, ".sliders").is_displayed()
        assert not browser.find_element(By.ID, "theme").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_headings_go_down_one_level_at_a_time(browser):
    headings = browser.find_elements(By.CSS_SELECTOR, "h1, h2, h3, h4, h5")
    levels = [int(heading.tag_name[1]) for heading in headings]
    assert all(one.text != next_one.text for one, next_one in itertools.pairwise(headings)), "said twice"
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_the_folder_holds_one_page(page):
    assert list(Path(page.parent).rglob("*.html")) == [page]


AXE = Path(__file__).parent / "data" / "axe" / "axe.min.js"
TILES = [("Alpha", "world", 3.0, "50.0 %"), ("beta", "world", -2.0, "7.5 %"), ("Gamma", "development", None, "0")]


@pytest.fixture(scope="module")
def table_page(tmp_path_factory):
    """A page with a table that can be sorted and searched, and a picture."""
    base = tmp_path_factory.mktemp("table")
    source = dataclasses.replace(read(solo_run(base / "run", 60)), label="Games as they are")
    rows = [[name, kind, share, "never taken (n = 0)" if effect is None else f"{effect:+.1f}"]
            for name, kind, effect, share in TILES]  # fmt: skip
    keys = [[name, kind, float(share.split()[0]), effect] for name, kind, effect, share in TILES]
    table = ReportTable(
        "tiles", "All tiles", ["Tile", "Kind", "Taken", "Effect"], rows, "llrr", pl.DataFrame(), keys=keys
    )
    parts = [Part("All tiles", ["Taken: a share of games."], [table], opened=True), Part("More", ["Closed."])]
    return write_page(base / "out", "Tiles", report_answer([[source]]), [source], [Section("Tiles", parts)])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("which", ["page", "table_page"])
def test_axe_finds_nothing_that_keeps_anybody_out(started, request, which, scheme):
    look(started, 1000, scheme)
    started.get(request.getfixturevalue(which).as_uri())
    started.execute_script("for (const part of document.querySelectorAll('details')) part.open = true")
    started.execute_script(AXE.read_text("utf-8"))
    found = started.execute_async_script(
        "const done = arguments[0]; axe.run({resultTypes: ['violations']}).then((r) => done(r.violations))"
    )
    assert not [(each["id"], each["nodes"][0]["html"][:200]) for each in found]


def names(driver):
    return [row.text for row in driver.find_elements(By.CSS_SELECTOR, "table.sorted tbody th") if row.is_displayed()]


def test_a_table_is_sorted_by_its_heads_with_the_keyboard(started, table_page):
    started.get(table_page.as_uri())
    head = started.find_elements(By.CSS_SELECTOR, "table.sorted thead th")[3]
    assert head.get_attribute("aria-sort") == "none"
    for way, order in (("descending", ["Alpha", "beta", "Gamma"]), ("ascending", ["beta", "Alpha", "Gamma"])):
        head.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
        assert (head.get_attribute("aria-sort"), names(started)) == (way, order)  # what has no effect stays last


def test_a_table_is_searched_in_all_its_cells(started, table_page):
    started.get(table_page.as_uri())
    field = started.find_element(By.CSS_SELECTOR, ".search input")
    assert field.accessible_name == "Search"
    field.send_keys("world BETA")
    assert names(started) == ["beta"]
    assert started.find_element(By.CSS_SELECTOR, ".search output").text == "1 of 3 rows"


def test_without_scripts_a_table_is_simply_there(started, table_page):
    started.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        started.get(table_page.as_uri())
        assert names(started) == ["Alpha", "beta", "Gamma"]
        assert not started.find_elements(By.CSS_SELECTOR, ".search, table.sorted button")
    finally:
        started.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


SCRIPT = '<script>document.title="x"</script>'
TILE, HANDLER = "<script>document.title=1</script>", "<img src=x onerror=document.title=2>"


@pytest.mark.soak
def test_names_like_scripts_run_nothing_and_are_shown(started, tmp_path, command, monkeypatch):
    """A tile, a condition, a title, a scenario's file and a policy's file that are named like scripts."""
    monkeypatch.chdir(tmp_path)
    policy = tmp_path / "<img src=x onerror=document.title=1>.toml"
    policy.write_bytes((Path(shelf.__file__).parent / "presets" / "balanced.toml").read_bytes())
    patches = [
        {"do": "change", "kind": "development", "name": "Space Marines", "set": {"name": TILE}},
        {"do": "change", "kind": "condition", "name": "Builder", "campaign": 1, "set": {"name": HANDLER}},
    ]
    scenario = {"inherit": "solo_campaign1_short.toml", "title": SCRIPT, "patch": patches}
    file = tmp_path / "<svg onload=document.title=2>.toml"
    file.write_text(to_toml(scenario), "utf-8")
    arguments = ("--games", 60, "--log", "tiles", "--jobs", 1, "--policy", policy.name, "--out", "run")
    code, _, error = command("run", file.name, *arguments)
    assert code == 0, error
    page = build_report([tmp_path / "run"], tmp_path / "out")
    started.get_log("browser")
    started.get(page.as_uri())
    assert SCRIPT in started.title  # as text
    shown = started.find_element(By.TAG_NAME, "body").get_attribute("textContent")
    for name in (SCRIPT, TILE, HANDLER, policy.stem):
        assert name in shown
    assert not started.find_elements(By.CSS_SELECTOR, "[onerror], [onload], [src=x]")
    assert started.get_log("browser") == []
