"""Walks the filters of a page in headless Chromium, seeded, and compares cells of what it says with the issue's CSV files.

Standard input: {"page", "lastDay", "chromium", "folder", "seed", "steps", "cells"}. Standard output: how many cells were compared,
how many of them under filters, and those that differ.
"""
import json
import random
import sys
from urllib.parse import urlencode

from browser import Browser
from page_figures import Issue

LOOK = """
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const names = Object.entries({ ...data.texts.labels }).map(([column, words]) => [words, column]);
  const lacksOf = (place) => {
    const line = place.querySelector(':scope > .follow:not([hidden])')?.textContent ?? '';
    const labels = line.split(': ').slice(1).join(': ').split(', ').filter(Boolean);
    return labels.map((words) => ({ App: 'app_id', Store: 'store', Product: 'product_id', Country: 'country', Currency: 'currency' })[words]);
  };
  const specOf = (report) => data.reports.find((each) => each.name === report)?.spec;
  return {
    cards: [...document.querySelectorAll('.cards li')].map((card) => ({ id: card.id.slice(5), figure: card.querySelector('.figure').textContent, lacks: lacksOf(card) })),
    sections: [...document.querySelectorAll('section.report')].map((section) => [section.id, [...section.querySelectorAll('.tables > details')].map((details) => {
      const table = details.querySelector('table');
      const matrix = specOf(section.id)?.tables.find((each) => each.across);
      return {
        rows: table.dataset.rows ?? '', title: details.querySelector('summary').textContent, lacks: lacksOf(details),
        matrix: matrix ? [matrix.value, matrix.rows, matrix.across] : null,
        values: { ...Object.fromEntries(Object.entries(data.texts.values).map(([value, words]) => [words, value])), unknown: '' },
        columns: [...table.tHead.rows[0].cells].slice(1).map((cell) => cell.dataset.column),
        headings: [...table.tHead.rows[0].cells].slice(1).map((cell) => cell.textContent),
        cells: [...table.tBodies[0].rows, ...(table.tFoot?.rows ?? [])].map((row) => [...row.cells].map((cell) => cell.textContent)),
      };
    })]),
  };
})()
"""
OPTIONS = """
Object.fromEntries([...document.querySelectorAll('#filters select')].map((select) => [select.name, [...select.options].map((option) => option.value)]))
"""
HEAD = "(() => { const { reporting, ranges } = JSON.parse(document.getElementById('data').textContent); return { reporting, ranges }; })()"


def choice(random_, options):
    """Of each filter nothing in particular, mostly."""
    chosen = {}
    for name, values in options.items():
        if name == "range":
            chosen[name] = random_.choice(values)
        elif random_.random() < 0.4:
            chosen[name] = random_.choice([value for value in values if value] or [""])
    return {name: value for name, value in chosen.items() if value}


STATE = """
(() => { const section = document.getElementById('revenue');
  const day = [...section.querySelectorAll('.tables > details')].find((each) => each.querySelector('table').dataset.rows === 'day');
  const heading = section.querySelector('table[data-rows="product_id"] thead th:nth-child(3)');
  return { day, heading, say: () => ({ open: day.open, sort: heading.getAttribute('aria-sort'), hash: location.hash,
    range: document.querySelector('#filters select[name="range"]').value, top: Math.round(document.getElementById('churn').getBoundingClientRect().top) }) }; })()
"""


def stays(browser, page):
    """What is left of an opened and a sorted table once something is chosen; and the choice, once a link was followed and the page opened again."""
    browser.open(page)
    browser.evaluate(f"(() => {{ const {{ day, heading }} = {STATE}; day.open = true; heading.querySelector('.sort').click(); }})()")
    browser.settle()
    browser.evaluate("(() => { const range = document.querySelector('#filters select[name=\"range\"]'); range.value = 'days30'; range.dispatchEvent(new Event('change')); })()")
    browser.settle()
    chosen = browser.evaluate(f"{STATE}.say()")
    browser.evaluate("document.querySelector('nav a[href=\"#churn\"]').click()")
    browser.settle()
    followed = browser.evaluate(f"{STATE}.say()")
    browser.open(page + followed["hash"])
    browser.settle()
    return {"chosen": chosen, "followed": followed, "again": browser.evaluate(f"{STATE}.say()")}


def main():
    given = json.load(sys.stdin)
    random_ = random.Random(given["seed"])
    compared, filtered, differences = 0, 0, []
    with Browser(given["chromium"], given["folder"]) as browser:
        browser.open(given["page"])
        options, head = browser.evaluate(OPTIONS), browser.evaluate(HEAD)
        issue = Issue(given["page"].rsplit("/", 1)[0], given["lastDay"], head["reporting"])
        for step in range(given["steps"]):
            chosen = choice(random_, options) if step else {}
            browser.evaluate(f"location.hash = {json.dumps('#' + urlencode(chosen))}")
            browser.settle()
            seen = browser.evaluate(LOOK)
            days = head["ranges"].get(chosen.get("range", "days90"))
            cells = list(issue.cards(seen["cards"], chosen))
            for name, tables in seen["sections"]:
                for table in tables:
                    if table["rows"]:
                        cells += list(issue.cells(name, table, chosen, days))
            sample = cells if step == 0 else random_.sample(cells, min(len(cells), given["cells"]))
            compared += len(sample)
            filtered += len(sample) if set(chosen) - {"range"} else 0
            differences += [f"{chosen}: {place}: the files say {expected}, the page {said}" for place, expected, said in sample
                            if expected != said]
        after = stays(browser, given["page"])
    json.dump({"after": after, "compared": compared, "filtered": filtered, "differences": differences}, sys.stdout)


main()
