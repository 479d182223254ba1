"""What an issue's CSV files say of a cell of its page, in decimal arithmetic, without a look at how the page does it."""
import csv
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, Decimal

TIME = {"trials": "cohort_date"}
FIRST = {"mrr_bridge": ["opening"], "churn": ["opening"]}
LAST = {
    "mrr_bridge": ["closing"], "recognised": ["deferred"], "countries": ["active", "closing_mrr"],
    "subscribers": ["active", "trial", "grace", "billing_retry", "paused", "family_shared", "set_to_cancel", "unread", "seats"],
}
# Unknown as soon as a part is.
STRICT = {"cohorts": ["paid"], "ltv": ["net"]}
RATIO = {
    "refund_rate": ("refunds", "charges"), "refunded_share": ("refunded", "charged"),
    "charge_refund_rate": ("charges_given_back", "charges"), "given_back_share": ("given_back", "charged"),
    "churn_rate": ("churned_of_opening", "opening"), "gross_mrr_churn": ("lost_mrr", "opening_mrr"),
    "renewal_rate": ("renewed", "due"), "conversion_rate": ("converted", "started"),
    "trial_conversion": ("trials_converted", "trials_started"), "retention": ("paid", "cohort_size"),
    "ltv": ("net", "cohort_size"), "growth": ("closing", "opening"),
}
CARDS = {
    "mrr": ("mrr_bridge", ["closing"], 0), "activeSubscribers": ("subscribers", ["active"], 0),
    "netRevenue30": ("revenue", ["net"], 30), "atRisk": ("subscribers", ["grace", "billing_retry"], 0),
    "renewalsWeek": ("renewals", ["amount"], -7),
}
# By country, as the month's end has them.
BY_COUNTRY = {"mrr": "closing_mrr", "activeSubscribers": "active"}
# Of the whole company: what is money; the quick ratio is a number, and everything else a share.
COMPANY_MONEY = {"mrr", "mrr_net_of_tax", "mrr_proceeds", "arr", "arpu", "arppu"}
WHOLE_UNITS = {"JPY", "KRW"}
AHEAD_DAYS = 90


def text(value, digits):
    if value is None:
        return "–"
    rounded = value.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_EVEN)
    return ("−" if rounded < 0 else "") + f"{abs(rounded):,}"


def month_end(month):
    year, number = map(int, month.split("-"))
    return date(year + number // 12, number % 12 + 1, 1) - timedelta(1)


class File:
    def __init__(self, folder, name, last):
        with open(f"{folder}/{name}.csv", newline="", encoding="utf-8") as file:
            self.rows = list(csv.DictReader(file))
        self.name, self.last = name, last
        self.head = list(self.rows[0]) if self.rows else []
        self.time = next((column for column in (TIME.get(name, "date"), "month") if column in self.head), None)

    def day(self, row):
        return date.fromisoformat(row[self.time])

    def end(self, month):
        return month_end(month) if self.name == "renewals" else min(month_end(month), self.last)

    def spans(self, table, label, days):
        """The rows of a table's row, and the instants (days, or months) that its levels are of."""
        kind = table["rows"]
        of_months = self.time is None or days is None or "month" in table["title"]
        rows = self.rows
        if label == "Total":
            of_months = kind == "month" or (kind != "day" and of_months)
        elif kind == "month":
            rows, of_months = [row for row in rows if row[self.time][:7] == label], True
        elif kind == "day":
            day = date.fromisoformat(label)
            return [row for row in rows if row[self.time] == label], day, day
        else:
            rows = [row for row in rows if row[kind] == table["values"].get(label, label)]
        if self.time is None:
            return rows, None, None
        if not of_months:
            count = days or AHEAD_DAYS
            first, last = self.last - timedelta(count - 1), self.last
            if self.name == "renewals":
                first, last = self.last + timedelta(1), self.last + timedelta(min(count, AHEAD_DAYS))
            return [row for row in rows if first <= self.day(row) <= last], first, last
        months = sorted({row[self.time][:7] for row in self.rows})
        first, last = (label, label) if kind == "month" and label != "Total" else (months[0], months[-1])
        if "last month" in table["title"]:
            rows, first = [row for row in rows if row["month"] == last], last
        if self.time == "month":
            return rows, first, last
        return rows, date.fromisoformat(first + "-01"), self.end(last)

    def value(self, column, rows, first, last, money):
        name = column + "_reporting" if money == "" and column + "_reporting" in self.head else column
        levels = {**dict.fromkeys(FIRST.get(self.name, []), first), **dict.fromkeys(LAST.get(self.name, []), last)}
        if column in levels:
            rows = [row for row in rows if row[self.time] == str(levels[column])]
        known = [Decimal(row[name]) for row in rows if row[name] != ""]
        sum_ = sum(known, Decimal(0))
        if len(known) == len(rows):
            return sum_
        if column in STRICT.get(self.name, []):
            return None
        return sum_ if (known if column not in levels else sum_ != 0) else None

    def is_money(self, column):
        return column + "_reporting" in self.head

    def cell(self, column, rows, first, last, money, currency):
        digits = 0 if currency in WHOLE_UNITS else 2
        if column in self.head and column not in RATIO:
            return text(self.value(column, rows, first, last, money), digits if self.is_money(column) else 0)
        part, whole = (self.value(each, rows, first, last, money) for each in RATIO[column])
        if part is None or not whole or whole < 0:
            return "–"
        if column == "growth":
            grown = text((part - whole) / whole * 100, 1)
            return ("+" if part > whole else "") + grown + "%"
        if self.is_money(RATIO[column][0]) and not self.is_money(RATIO[column][1]):
            return text(part / whole, digits)
        return text(part / whole * 100, 1) + "%"

    def chosen(self, rows, filters):
        return [row for row in rows if all(row.get(name) == value for name, value in filters.items())]


class Issue:
    """Compares what a page says, as the probe saw it, with the files beside it."""

    def __init__(self, folder, last_day, reporting):
        self.folder, self.last, self.reporting, self.files = folder, date.fromisoformat(last_day), reporting, {}

    def file(self, name):
        if name not in self.files:
            self.files[name] = File(self.folder, name, self.last)
        return self.files[name]

    def filters(self, chosen, lacks):
        """What is followed: columns and values, and the money."""
        money = chosen.get("money", "")
        names = {name: value for name, value in chosen.items() if name not in ("money", "range") and value and name not in lacks}
        return {**names, **({"currency": money} if money and "currency" not in lacks else {})}, money

    def cells(self, name, table, chosen, days):
        """Every cell: where it is, what the files say, what the page says."""
        file = self.file(name)
        if name == "company":
            yield from self.company(file, table)
            return
        filters, money = self.filters(chosen, table["lacks"])
        if "currency" not in file.head:
            filters.pop("currency", None)
        # Amounts of several currencies are no sum.
        for label, *shown in table["cells"]:
            if label.endswith(" others"):
                continue
            if table["rows"] == "matrix":
                yield from self.matrix(file, table, label, shown, filters, money)
                continue
            rows, first, last = file.spans(table, label, days)
            rows = file.chosen(rows, filters)
            for column, cell in zip(table["columns"], shown):
                expected = file.cell(column, rows, first, last, money, money or self.reporting)
                if money and "currency" in table["lacks"] and "currency" in file.head and file.is_money((RATIO.get(column) or [column])[0]):
                    expected = "–"
                yield f"{name}, {table['title']}, {label}, {column}", expected, cell

    def company(self, file, table):
        values = {(row["month"], row["figure"]): row["value"] for row in file.rows}
        for month, *shown in table["cells"]:
            for figure, cell in zip(table["columns"], shown):
                value = Decimal(values[month, figure]) if values[month, figure] else None
                if value is None or figure in COMPANY_MONEY or figure == "quick_ratio":
                    expected = text(value, 2)
                else:
                    expected = ("+" if figure == "growth" and value > 0 else "") + text(value * 100, 1) + "%"
                yield f"company, {month}, {figure}", expected, cell

    def matrix(self, file, table, label, shown, filters, money):
        value, row_column, columns = table["matrix"]
        for across, cell in zip(table["headings"], shown):
            if across in ("Cohort size",):
                continue
            rows = file.chosen([row for row in file.rows if row[row_column] == label and row[columns] == across], filters)
            expected = file.cell(value, rows, None, None, money, money or self.reporting) if rows else ""
            yield f"{file.name}, {table['title']}, {label}, {across}", expected, cell

    def cards(self, figures, chosen):
        for card in figures:
            if card["id"] not in CARDS:
                continue
            name, columns, days = CARDS[card["id"]]
            if chosen.get("country") and "country" not in card["lacks"] and card["id"] in BY_COUNTRY:
                yield self.of_country(card, chosen)
                continue
            file = self.file(name)
            filters, money = self.filters(chosen, card["lacks"])
            if "currency" not in file.head:
                filters.pop("currency", None)
            first, last = (self.last - timedelta(max(days, 1) - 1), self.last) if days >= 0 else (
                self.last + timedelta(1), self.last - timedelta(days))
            rows = file.chosen([row for row in file.rows if first <= file.day(row) <= last], filters)
            values = [file.value(column, rows, first, last, money) for column in columns]
            known = [value for value in values if value is not None]
            digits = 2 if file.is_money(columns[0]) else 0
            if (money or self.reporting) in WHOLE_UNITS:
                digits = 0
            expected = text(sum(known) if known and rows else None, digits)
            if money and "currency" in card["lacks"] and file.is_money(columns[0]) and "currency" in file.head:
                expected = "–"
            yield f"card {card['id']}", expected, card["figure"]

    def of_country(self, card, chosen):
        file, column = self.file("countries"), BY_COUNTRY[card["id"]]
        filters, money = self.filters(chosen, card["lacks"])
        month = str(self.last)[:7]
        rows = file.chosen([row for row in file.rows if row["month"] == month], filters)
        expected = file.cell(column, rows, month, month, money, money or self.reporting) if rows else (
            text(Decimal(0), (0 if (money or self.reporting) in WHOLE_UNITS else 2) if file.is_money(column) else 0))
        return f"card {card['id']} by country", expected, card["figure"]
