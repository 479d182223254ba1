"""Opens a page in headless Chromium as people with a keyboard, a screen reader, a magnifier or other colours do.

Standard input: {"page", "chromium", "folder"}. Standard output: what axe-core objects to, how far the charts' colours are apart,
where the keyboard goes, what is said aloud, and how much a page at twice its size is wider than its window.
"""
import json
import pathlib
import sys

import axe_core_python

from browser import Browser
from colour_distance import contrast, least

AXE = next(pathlib.Path(axe_core_python.__file__).parent.rglob("axe.min.js")).read_text(encoding="utf-8")
RUN = """
axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) =>
  `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 120) + ' ' + (node.any[0]?.message ?? '')).join(' | ')} (${nodes.length})`))
"""
COLOURS = """
(() => { const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(['--c0', '--c1', '--c2', '--c3', '--c4', '--c5', '--up', '--down', '--paper'].map((name) => [name, style.getPropertyValue(name).trim()])); })()
"""
FOCUS = "({ text: document.activeElement.textContent.trim().slice(0, 40), id: document.activeElement.id, outline: getComputedStyle(document.activeElement).outlineStyle })"


def press(browser, key, code):
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)


def colours(browser):
    seen = browser.evaluate(COLOURS)
    full = {name: "#" + "".join(letter * 2 for letter in value[1:]) if len(value) == 4 else value for name, value in seen.items()}
    series = [full[f"--c{index}"] for index in range(6)]
    steps = [full["--c0"], full["--up"], full["--down"]]
    return {"series": least(series), "steps": least(steps), "contrast": min(contrast(each, full["--paper"]) for each in series + steps)}


def look(browser, page, scheme, width=1280, address=""):
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
    browser.open(page + address)
    browser.settle()
    browser.evaluate(AXE)
    return browser.evaluate(RUN, waits=True)


def main():
    given = json.load(sys.stdin)
    page = given["page"]
    with Browser(given["chromium"], given["folder"]) as browser:
        found = {
            "light": look(browser, page, "light"), "dark": look(browser, page, "dark"),
            "chosen": look(browser, page, "light", address="#country=US&range=days30"),
            "chosenDark": look(browser, page, "dark", address="#country=US"),
            "phone": look(browser, page, "light", width=390),
        }
        palette = {}
        for scheme in ("light", "dark"):
            browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            palette[scheme] = colours(browser)
        wide = {}
        # Twice as large is half as wide.
        for name, width in (("desktop", 1280), ("twice", 640), ("phone", 320)):
            browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
            browser.open(page)
            browser.settle()
            wide[name] = browser.evaluate("document.scrollingElement.scrollWidth - innerWidth")
        browser.call("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)
        browser.open(page)
        press(browser, "Tab", 9)
        skip = browser.evaluate(FOCUS)
        press(browser, "Enter", 13)
        browser.settle()
        skipped = browser.evaluate(FOCUS)
        browser.evaluate("(() => { const select = document.querySelector('#filters select'); select.selectedIndex = 1; select.dispatchEvent(new Event('change')); })()")
        aloud = browser.evaluate("({ role: document.getElementById('chosen').getAttribute('role'), text: document.getElementById('chosen').textContent })")
    json.dump({"violations": found, "colours": palette, "wider": wide, "skip": skip, "skipped": skipped, "aloud": aloud}, sys.stdout)


main()
