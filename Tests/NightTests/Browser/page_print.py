"""Prints a page from headless Chromium and says what lies over something else, or beyond its sheet.

Standard input: {"page", "chromium", "folder", "dark"}. Standard output: sheets, words and charts that were looked at, what overlaps,
what lies outside, what was said in headings, and what the printer left behind.
"""
import base64
import json
import re
import subprocess
import sys
from html import unescape

import pypdfium2
from pypdfium2 import raw

from browser import Browser

# Points that letters of neighbouring lines and columns may reach into each other.
SLACK = 1.0
WORD = re.compile(r'<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)</word>')
# Of the page as it goes to the printer: what is a block of its own, and its place.
BLOCKS = """
(() => {
  const blocks = [...document.querySelectorAll('h1, h2, summary, canvas, figcaption, table, .cards li, .sentences li, p')]
    .filter((block) => block.getClientRects().length > 0 && !block.closest('.aloud') && !block.matches('.aloud') && !block.closest('td'));
  return blocks.map((block) => {
    const { left, top, right, bottom } = block.getBoundingClientRect();
    return { name: `${block.closest('section')?.id ?? ''} ${block.tagName} ${block.textContent.slice(0, 30)}`, canvas: block.tagName === 'CANVAS',
      box: [left, top, right, bottom] };
  });
})()
"""
LEFT = "({ parts: document.querySelectorAll('table.part').length, hidden: document.querySelectorAll('table.whole').length })"


def overlap(one, other):
    return min(one[2], other[2]) - max(one[0], other[0]) > SLACK and min(one[3], other[3]) - max(one[1], other[1]) > SLACK


def overlapping(found):
    """Pairs, of boxes in the order of their tops."""
    found = sorted(found, key=lambda each: each[1][1])
    for place, (name, box) in enumerate(found):
        for other, box2 in found[place + 1:]:
            if box2[1] >= box[3]:
                break
            if overlap(box, box2):
                yield name, other


def words(pdf):
    """Sheet by sheet, with its size."""
    text = subprocess.run(["pdftotext", "-bbox", "-", "-"], input=pdf, capture_output=True, check=True).stdout.decode("utf-8")
    for page in text.split("<page ")[1:]:
        width, height = (float(size) for size in re.match(r'width="([\d.]+)" height="([\d.]+)"', page).groups())
        yield width, height, [(unescape(word), tuple(map(float, box))) for *box, word in WORD.findall(page)]


def pictures(pdf):
    """Sheet by sheet: the charts."""
    for page in pypdfium2.PdfDocument(pdf):
        height = page.get_height()
        boxes = (item.get_bounds() for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=9))
        yield [("a chart", (left, height - top, right, height - bottom)) for left, bottom, right, top in boxes]


def main():
    given = json.load(sys.stdin)
    with Browser(given["chromium"], given["folder"]) as browser:
        scheme = {"name": "prefers-color-scheme", "value": "dark" if given["dark"] else "light"}
        browser.call("Emulation.setEmulatedMedia", features=[scheme])
        browser.open(given["page"])
        margins = dict.fromkeys(["marginTop", "marginBottom", "marginLeft", "marginRight"], 0.43)
        pdf = base64.b64decode(browser.call("Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69, **margins)["data"])
        browser.settle()
        after = browser.evaluate(LEFT)
        # The same once more on a screen as wide as the paper.
        browser.call("Emulation.setEmulatedMedia", media="print", features=[scheme])
        browser.call("Emulation.setDeviceMetricsOverride", width=711, height=1040, deviceScaleFactor=1, mobile=False)
        browser.evaluate("dispatchEvent(new Event('beforeprint'))")
        browser.settle()
        blocks = browser.evaluate(BLOCKS)
    if given.get("kept"):
        open(given["kept"], "wb").write(pdf)
    over, outside, count, charts, said = [], [], 0, 0, []
    sheets = list(words(pdf))
    for number, ((width, height, found), drawn) in enumerate(zip(sheets, pictures(pdf)), 1):
        count, charts = count + len(found), charts + len(drawn)
        said += [word for word, _ in found]
        found = found + drawn
        outside += [f"sheet {number}: {word} {box}" for word, box in found if min(box) < 0 or box[2] > width or box[3] > height]
        over += [f"sheet {number}: {one} lies over {other}" for one, other in overlapping(found)]
    outside += [f"{block['name']} {block['box']}" for block in blocks if block["box"][0] < -1 or block["box"][2] > 712]
    over += [f"{one} lies over {other}" for one, other in overlapping([(block["name"], block["box"]) for block in blocks])
             if "CANVAS" in one or "CANVAS" in other or ("TABLE" in one and "TABLE" in other)]
    json.dump({"sheets": len(sheets), "words": count, "charts": charts, "canvases": sum(block["canvas"] for block in blocks), "over": over,
               "outside": outside, "after": after, "said": said}, sys.stdout)


main()
