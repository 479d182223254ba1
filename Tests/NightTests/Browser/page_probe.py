"""Opens a report in headless Chromium and tells what a reader would see, as JSON on standard output.

Standard input: {"page": path, "lastDay": day, "chromium": path, "folder": path for the profile, "choices": [[filter, value], ...]}.
Speaks the browser's own protocol, so that the page's content security policy holds while it is looked at.
"""
import base64
import json
import re
import subprocess
import sys
import time

import websocket

from page_figures import differences

LOOK = """
(() => ({
  figures: [...document.querySelectorAll('.cards li')].map((card) => [card.id, card.querySelector('.figure').textContent,
      card.querySelector('.changes').textContent]),
  tables: [...document.querySelectorAll('section.report')].map((section) => [section.id,
      [...section.querySelectorAll('.tables table')].map((table) => ({
        rows: table.dataset.rows ?? '', title: table.closest('details').querySelector('summary').textContent,
        columns: [...table.querySelectorAll('thead th')].slice(1).map((cell) => cell.dataset.column ?? cell.textContent),
        cells: [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent)),
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


class Browser:
    def __init__(self, chromium, folder):
        self.process = subprocess.Popen(
            [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--window-size=1280,2000",
             f"--user-data-dir={folder}/profile", "about:blank"], stderr=subprocess.PIPE, text=True)
        address = next(line.split("listening on ")[1].strip() for line in self.process.stderr if "listening on " in line)
        self.socket = websocket.create_connection(address, timeout=120, suppress_origin=True)
        self.count, self.events, self.session = 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"]))
        return result["result"].get("value")

    def open(self, page, scripts=True):
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.call("Page.navigate", url="file://" + page)
        deadline = time.monotonic() + 120
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            if time.monotonic() > deadline:
                raise RuntimeError("the page did not load within two minutes")
            self.call("Runtime.evaluate", expression="1")
        seen, self.events = self.events, []
        return seen

    def close(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait(timeout=60)


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
    dead, terms, sort = (browser.evaluate(each) for each in (DEAD_LINKS, TERMS, SORT))
    notes = browser.evaluate(NOTES)
    chosen = {}
    for name, value in given["choices"]:
        options = browser.evaluate(CHOOSE % (name, json.dumps(value)))
        chosen[f"{name}={value}"] = {"options": options, **browser.evaluate(LOOK), "notes": browser.evaluate(NOTES)}
        browser.evaluate("document.querySelector('#filters button[type=reset]').click()")
    again = browser.evaluate(LOOK)
    folded = "document.querySelectorAll('details:not([open])').length"
    before = browser.evaluate(folded)
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")
    printed = browser.evaluate(folded)
    browser.evaluate("dispatchEvent(new Event('afterprint'))")
    pdf = base64.b64decode(browser.call("Page.printToPDF")["data"])
    requests = [event["params"]["request"]["url"] for event in plain_events + events + browser.events
                if event.get("method") == "Network.requestWillBeSent"]
    said = complaints(plain_events + events + browser.events)
    browser.close()
    folder = given["page"].rsplit("/", 1)[0]
    looked, differing = (
        differences(folder, given["lastDay"], plain["tables"]) if given.get("comparesFigures", True) else (0, []))
    json.dump({
        "figuresLookedAt": looked, "differences": differing,
        "complaints": said, "requests": sorted(set(requests)), "plain": plain, "seen": seen, "deadLinks": dead, "terms": terms, "sort": sort, "again": again, "charts": charts,
        "notes": notes,
        "chosen": chosen, "folded": [before, printed], "pdf": pdf[:5].decode("ascii"), "pdfPages": len(re.findall(rb"/Type\s*/Page\b", pdf)),
    }, sys.stdout)


main()
