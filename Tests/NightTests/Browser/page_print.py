"""Prints a page from headless Chromium and says what lies over something else, or beyond its sheet.

Standard input: {"page", "chromium", "folder", "dark"}. Standard output: sheets, lines of text and pictures that were looked at, what
overlaps, what lies outside, and the words of the printed bridge's headings.
"""
import base64
import io
import json
import sys

import pypdfium2
from pypdfium2 import raw

from browser import Browser

# Points that letters of neighbouring lines may reach into each other.
SLACK = 1.0


def boxes(page):
    """Lines of text and pictures of a sheet, with their boxes: left, bottom, right, top."""
    found = []
    text = page.get_textpage()
    for index in range(text.count_rects()):
        found.append(("text", text.get_rect(index), None))
    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=4):
        found.append(("picture", item.get_bounds() if hasattr(item, "get_bounds") else item.get_pos(), None))
    return [(kind, box, text.get_text_bounded(*box).strip() if kind == "text" else "chart") for kind, box, _ in found]


def overlaps(one, other):
    (left, bottom, right, top), (left2, bottom2, right2, top2) = one, other
    return min(right, right2) - max(left, left2) > SLACK and min(top, top2) - max(bottom, bottom2) > SLACK


def main():
    given = json.load(sys.stdin)
    with Browser(given["chromium"], given["folder"]) as browser:
        if given.get("dark"):
            browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        browser.open(given["page"])
        pdf = base64.b64decode(browser.call("Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69,
                                            marginTop=0.43, marginBottom=0.43, marginLeft=0.43, marginRight=0.43)["data"])
        browser.settle()
        after = browser.evaluate("""({ parts: document.querySelectorAll('table.part').length,
          open: document.querySelectorAll('details[open]').length, hidden: document.querySelectorAll('table.whole').length })""")
    if given.get("keep"):
        open(given["keep"], "wb").write(pdf)
    document = pypdfium2.PdfDocument(io.BytesIO(pdf))
    over, outside, count, words = [], [], {"text": 0, "picture": 0}, []
    for number, page in enumerate(document, 1):
        width, height = page.get_size()
        found = boxes(page)
        for kind, box, said in found:
            count[kind] += 1
            words.append(said)
            if box[0] < 0 or box[1] < 0 or box[2] > width or box[3] > height:
                outside.append(f"sheet {number}: {said} {box}")
        for place, (kind, box, said) in enumerate(found):
            over += [f"sheet {number}: {said} lies over {said2}" for kind2, box2, said2 in found[place + 1:]
                     if said and said2 and overlaps(box, box2)]
    json.dump({"sheets": len(document), **count, "over": over, "outside": outside, "after": after, "said": words}, sys.stdout)


main()
