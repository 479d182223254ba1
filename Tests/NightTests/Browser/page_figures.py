"""Adds up an issue's CSV files and says where a table of its page shows something else.

Written from the columns' definitions, in decimal arithmetic, without a look at how the page does it.
"""
import csv
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, Decimal

TIME = {"trials": "cohort_date"}
FIRST = {"mrr_bridge": ["opening"], "churn": ["opening"]}
LAST = {
    "mrr_bridge": ["closing"], "recognised": ["deferred"], "countries": ["active", "closing_mrr"],
    "subscribers": ["active", "trial", "grace", "billing_retry", "paused", "family_shared", "set_to_cancel", "unread", "seats"],
}
RATIO = {
    "refund_rate": ("refunds", "charges"), "refunded_share": ("refunded", "charged"),
    "charge_refund_rate": ("charges_given_back", "charges"), "given_back_share": ("given_back", "charged"),
    "churn_rate": ("churned_of_opening", "opening"), "gross_mrr_churn": ("lost_mrr", "opening_mrr"),
    "renewal_rate": ("renewed", "due"), "conversion_rate": ("converted", "started"),
    "trial_conversion": ("trials_converted", "trials_started"),
}
STORES = {"App Store": "app_store", "Google Play": "google_play"}
DAYS = 90


def text(value, digits):
    if value is None:
        return "–"
    rounded = value.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_EVEN)
    return ("−" if rounded < 0 else "") + f"{abs(rounded):,}"


class File:
    def __init__(self, folder, name, last):
        with open(f"{folder}/{name}.csv", newline="", encoding="utf-8") as file:
            self.rows = list(csv.DictReader(file))
        self.name, self.last = name, last
        self.head = list(self.rows[0]) if self.rows else []
        self.time = next((column for column in (TIME.get(name, "date"), "month") if column in self.head), None)

    def day(self, row):
        return date.fromisoformat(row[self.time])

    def counts(self, column, row, last_day, first_day):
        if self.time in (None, "month"):
            return True
        if column in FIRST.get(self.name, []):
            return self.day(row) == first_day
        return column not in LAST.get(self.name, []) or self.day(row) == last_day

    def value(self, column, rows, first_day, last_day):
        name = column + "_reporting" if column + "_reporting" in self.head else column
        values = [Decimal(row[name]) for row in rows if row[name] != "" and self.counts(column, row, last_day, first_day)]
        return sum(values, Decimal(0)) if any(row[name] != "" for row in rows) else None

    def cell(self, column, rows, first_day, last_day):
        if column in self.head and column not in RATIO:
            is_money = column + "_reporting" in self.head
            return text(self.value(column, rows, first_day, last_day), 2 if is_money else 0)
        part, whole = (self.value(each, rows, first_day, last_day) for each in RATIO[column])
        return "–" if part is None or not whole else text(part / whole * 100, 1) + " %"


def month_end(month):
    year, number = map(int, month.split("-"))
    return date(year + number // 12, number % 12 + 1, 1) - timedelta(1)


def spans(file, kind, label, title):
    """The rows of a table's row, with the first and the last day that they stand for."""
    last = file.last
    if kind == "month":
        rows = [row for row in file.rows if row[file.time][:7] == label]
        end = month_end(label)
        return rows, date.fromisoformat(label + "-01"), end if file.name == "renewals" else min(end, last)
    if kind == "day":
        return [row for row in file.rows if row[file.time] == label], date.fromisoformat(label), date.fromisoformat(label)
    value = STORES.get(label, "" if label == "unknown" else label)
    rows = [row for row in file.rows if row[kind] == value]
    if file.time is None or "everything" in title or "last month" in title:
        if file.time and "last month" in title:
            rows = [row for row in rows if row["month"] == max(row["month"] for row in file.rows)]
        if file.name == "countries":
            newest = max(row["month"] for row in file.rows)
            return rows, None, newest
        return rows, None, None
    first = last - timedelta(DAYS - 1)
    if file.name == "renewals":
        first, last = last + timedelta(1), last + timedelta(DAYS)
    return [row for row in rows if first <= file.day(row) <= last], first, last


def differences(folder, last_day, tables):
    last, found, looked = date.fromisoformat(last_day), [], 0
    for name, shown in tables:
        file = File(folder, name, last)
        for table in shown:
            if table["rows"] in ("", "matrix"):
                continue
            for label, *cells in table["cells"]:
                if label.endswith(" others"):
                    continue
                rows, first, end = spans(file, table["rows"], label, table["title"])
                for column, cell in zip(table["columns"], cells):
                    own = rows
                    if name == "countries" and column in LAST["countries"]:
                        own = [row for row in rows if row["month"] == end]
                        if not own and cell == "0" or cell == "0.00" and not own:
                            continue
                    expected = file.cell(column, own, first, end)
                    looked += 1
                    if expected != cell:
                        found.append(f"{name}, {table['title']}, {label}, {column}: the files say {expected}, the page {cell}")
    return looked, found
