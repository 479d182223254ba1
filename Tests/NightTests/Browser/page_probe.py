"""Opens a report in headless Chromium and tells what a reader would see, as JSON on standard output.

Standard input: {"page": path, "lastDay": day, "chromium": path, "folder": path for the profile, "choices": [[filter, value], ...]}.
Speaks the browser's own protocol, so that the page's content security policy holds while it is looked at.
"""
import base64
import json
import re
import sys

from browser import Browser

LOOK = """
(() => ({
  figures: [...document.querySelectorAll('.cards li')].map((card) => [card.id, card.querySelector('.figure').textContent,
      card.querySelector('.changes').textContent]),
  tables: [...document.querySelectorAll('section.report')].map((section) => [section.id,
      [...section.querySelectorAll('.tables table')].map((table) => ({
        rows: table.dataset.rows ?? '', title: table.closest('details').querySelector('summary').textContent,
        columns: [...table.querySelectorAll('thead th')].slice(1).map((cell) => cell.dataset.column ?? cell.textContent),
        cells: [...table.tBodies[0].rows, ...(table.tFoot?.rows ?? [])].map((row) => [...row.cells].map((cell) => cell.textContent)),
      }))]),
}))()
"""
CHARTS = """
[...document.querySelectorAll('canvas')].map((canvas) => {
  const chart = Chart.getChart(canvas);
  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const colours = new Set();
  for (let at = 0; at < pixels.length; at += 4) if (pixels[at + 3] > 0) colours.add(pixels[at] << 16 | pixels[at + 1] << 8 | pixels[at + 2]);
  return { report: canvas.closest('section').id, colours: colours.size, labels: chart.data.labels.length,
    values: chart.data.datasets.map((set) => set.data.filter((value) => value !== null).length) };
})
"""
DEAD_LINKS = """
[...document.querySelectorAll('a[href^="#"]')].map((link) => link.hash.slice(1))
  .filter((id) => !document.getElementById(decodeURIComponent(id)))
"""
TERMS = "document.querySelectorAll('.cards a.term, section.report thead a.term').length"
# Presses the sort button of the second column of an open table twice.
SORT = """
(() => { const table = [...document.querySelectorAll('section.report details[open] table')].find((each) => each.tBodies[0].rows.length > 3);
  const column = () => [...table.tBodies[0].rows].map((row) => row.cells[1].textContent);
  const press = () => { table.tHead.rows[0].cells[1].querySelector('.sort').click(); return column(); };
  return { before: column(), first: press(), second: press(), hash: location.hash }; })()
"""
NOTES = """
(() => {
  const colour = getComputedStyle(document.documentElement).getPropertyValue('--note').trim();
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return {
    title: document.querySelector('#notes h2').textContent,
    rows: [...document.querySelectorAll('#notes tbody tr')].filter((row) => row.offsetParent !== null)
      .map((row) => [...row.cells].map((cell) => cell.textContent)),
    elements: document.querySelectorAll('#notes td *:not(bdi, time)').length,
    charts: [...document.querySelectorAll('canvas')].map((canvas) => {
      const chart = Chart.getChart(canvas);
      const scale = canvas.width / canvas.clientWidth;
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      return { report: canvas.closest('section').id, labels: chart.data.labels,
        marks: chart.config.plugins.find((plugin) => plugin.id === 'notes').places.map(([place, numbers]) => {
          const x = Math.round(Math.round(chart.scales.x.getPixelForValue(place)) * scale);
          const pixels = copy.getImageData(x, 0, 1, canvas.height).data;
          let drawn = 0;
          for (let at = 0; at < pixels.length; at += 4)
            if (pixels[at] === red && pixels[at + 1] === green && pixels[at + 2] === blue) drawn += 1;
          return { label: chart.data.labels[place], numbers, share: Math.round(100 * drawn / canvas.height) };
        }) };
    }),
  };
})()
"""
CHOOSE = """
(() => { const select = document.querySelector(`#filters select[name="%s"]`); select.value = %s;
  select.dispatchEvent(new Event('change')); return [...select.options].map((option) => option.value); })()
"""


def complaints(events):
    said = []
    for event in events:
        if event.get("method") == "Runtime.exceptionThrown":
            said.append(event["params"]["exceptionDetails"].get("text", "exception"))
        if event.get("method") in ("Runtime.consoleAPICalled", "Log.entryAdded"):
            said.append(json.dumps(event["params"])[:500])
    return said


def main():
    given = json.load(sys.stdin)
    browser = Browser(given["chromium"], given["folder"])
    plain_events = browser.open(given["page"], scripts=False)
    plain = browser.evaluate(LOOK)
    events = browser.open(given["page"])
    seen = browser.evaluate(LOOK)
    charts = browser.evaluate(CHARTS)
    dead, terms = (browser.evaluate(each) for each in (DEAD_LINKS, TERMS))
    notes = browser.evaluate(NOTES)
    chosen = {}
    for name, value in given["choices"]:
        options = browser.evaluate(CHOOSE % (name, json.dumps(value)))
        chosen[f"{name}={value}"] = {"options": options, **browser.evaluate(LOOK), "notes": browser.evaluate(NOTES)}
        browser.evaluate("document.querySelector('#filters button[type=reset]').click()")
    again = browser.evaluate(LOOK)
    # Last of all, as tables stay sorted.
    sort = browser.evaluate(SORT)
    folded = "document.querySelectorAll('details:not([open])').length"
    before = browser.evaluate(folded)
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")
    printed = browser.evaluate(folded)
    browser.evaluate("dispatchEvent(new Event('afterprint'))")
    pdf = base64.b64decode(browser.call("Page.printToPDF")["data"])
    requests = [event["params"]["request"]["url"] for event in plain_events + events + browser.events
                if event.get("method") == "Network.requestWillBeSent"]
    said = complaints(plain_events + events + browser.events)
    browser.__exit__()
    json.dump({
        "complaints": said, "requests": sorted(set(requests)), "plain": plain, "seen": seen, "deadLinks": dead, "terms": terms, "sort": sort, "again": again, "charts": charts,
        "notes": notes,
        "chosen": chosen, "folded": [before, printed], "pdf": pdf[:5].decode("ascii"), "pdfPages": len(re.findall(rb"/Type\s*/Page\b", pdf)),
    }, sys.stdout)


main()
