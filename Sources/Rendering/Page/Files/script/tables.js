// The page's tables for what is chosen. What a reader opened or sorted stays so.

const element = (name, properties = {}, children = []) => {
  const made = document.createElement(name);
  for (const [property, value] of Object.entries(properties)) {
    if (property === "text") made.textContent = value;
    else if (value === true) made.setAttribute(property, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(property, value);
  }
  made.append(...children);
  return made;
};
// A column's name leads to what it means; the button beside it sorts.
const term = (report, name, words) => {
  const place = report && document.getElementById(`${report.name}.${name}`);
  return place ? element("a", { class: "term", href: `#${place.id}`, title: place.nextElementSibling.textContent, text: words }) : words;
};
const sortButton = (words) => element("button", { type: "button", class: "sort", "aria-label": text("sortBy", { column: words }) });
const rowCells = (row) => [
  element("th", { scope: "row" }, [element("bdi", { text: row.label })]),
  ...row.cells.map((value, index) => {
    const depth = row.depths?.[index];
    return element("td", { class: depth === null || depth === undefined ? "n" : `n d${depth}`, text: value });
  }),
];
const tableElement = (report, { title, heading, kind, columns, rows, total, isOpen, lacks }) => {
  const head = element("tr", {}, [element("th", { scope: "col" }, [term(report, kind, heading), sortButton(heading)])].concat(
    columns.map(([name, words]) => element("th", { scope: "col", class: "n", "data-column": name },
      [kind === "matrix" ? words : term(report, name, words), sortButton(words)]))));
  const room = data.paperRows[kind] ?? data.paperRows.other;
  const body = rows.map((row, place) => {
    const classes = (row.isBefore ? ["before"] : []).concat(place < room ? [] : ["screen"]);
    return element("tr", { class: classes.length ? classes.join(" ") : null }, rowCells(row));
  });
  const foot = total ? [element("tfoot", {}, [element("tr", {}, rowCells(total))])] : [];
  return element("details", { open: isOpen, class: lacks.length ? "unfollowed" : null }, [
    element("summary", { text: title }),
    ...(lacks.length ? [element("p", { class: "follow", text: unfollowedText(lacks) })] : []),
    element("div", { class: "wide", tabindex: 0, role: "group", "aria-label": title },
      [element("table", { "data-rows": kind }, [element("thead", {}, [head]), element("tbody", {}, body), ...foot])]),
    ...(rows.length > room ? [element("p", { class: "paper", text: text("leftOnScreen", { count: countText(rows.length - room), file: `${report.name}.csv` }) })] : []),
  ]);
};

// With the currency where there are amounts.
const withCurrency = (report, title, names) => (names.some((name) => isMoney(report, name)) ? `${title}, ${currency()}` : title);
const titled = (report, table, grain, rows, column) => ({
  columns: table.columns.map((name) => [name, label(name)]), lacks: unfollowed(cutFor(report, grain, column ? [column] : [])), rows,
});
const cells = (report, table, figures) => table.columns.map((name) => cell(report, name, figures));
const totalRow = (report, grain, table, span) => {
  if (table.total === false) return null;
  const [all] = sums(report, grain, [], span, indicesOf(report, table.columns));
  return all ? { label: texts.total, cells: cells(report, table, all.figures) } : null;
};
const timeRows = (report, table, rows, asText, isBefore) => rows.map(({ key, figures }) => ({
  label: asText(key), cells: cells(report, table, figures), isBefore: isBefore(key),
}));
// Of a month, the days that the page is about.
const isMonthBefore = (month) => Math.max(firstDayOf(month), data.firstDay ?? -Infinity) < data.firstObserved;
const timeTables = (report, table) => {
  const wanted = indicesOf(report, table.columns);
  const all = spanOf(report, report.months);
  const months = sums(report, report.months, "time", all, wanted).reverse();
  const tables = [{
    ...titled(report, table, report.months, timeRows(report, table, months, monthText, isMonthBefore)),
    title: withCurrency(report, texts.byMonth, table.columns), heading: texts.month, kind: "month", isOpen: months.length <= 14,
    total: totalRow(report, report.months, table, all),
  }];
  if (!report.hasDays) return tables;
  const span = spanOf(report, report.days);
  const days = sums(report, report.days, "time", span, wanted);
  tables.push({
    ...titled(report, table, report.days, timeRows(report, table, report.spec.ahead ? days : days.reverse(), dayText, (day) => day < data.firstObserved)),
    title: withCurrency(report, texts.byDay, table.columns), heading: texts.day, kind: "day", isOpen: false,
    total: totalRow(report, report.days, table, span),
  });
  return tables;
};
// A report's own numbers stand in their order, names by the figure.
const sorted = (report, name, rowColumn, rows) => {
  const index = Math.max(0, indexOf(report, name));
  const isNumeric = report.spec.by?.includes(rowColumn) && rows.every(({ key }) => /^\d+$/.test(key[0]));
  return rows.sort((left, right) => (isNumeric ? Number(left.key[0]) - Number(right.key[0])
    : compare(right.figures[index] ?? -Infinity, left.figures[index] ?? -Infinity) || compare(left.key[0], right.key[0])));
};
const valueTable = (report, table) => {
  const grain = grainOf(report, table, table.rows);
  const span = spanOf(report, grain, table);
  const all = sorted(report, table.sort ?? table.columns[0], table.rows, sums(report, grain, [table.rows], span, indicesOf(report, table.columns)));
  const rows = all.slice(0, all.length > data.rowCount + 1 ? data.rowCount : all.length)
    .map(({ key, figures }) => ({ label: valueText(key[0], table.rows), figures }));
  if (all.length > rows.length) {
    const others = all.slice(rows.length).reduce((sum, { figures }) => {
      if (!sum) return [...figures];
      figures.forEach((figure, index) => { if (figure !== null) sum[index] = (sum[index] ?? 0) + figure; });
      return sum;
    }, null);
    rows.push({ label: text("others", { count: all.length - data.rowCount }), figures: others });
  }
  const title = `${text("by", { column: label(table.rows).toLowerCase() })}, ${rangeText(report, grain, table)}`;
  return {
    ...titled(report, table, grain, rows.map((row) => ({ label: row.label, cells: cells(report, table, row.figures) })), table.rows),
    title: withCurrency(report, title, table.columns), heading: label(table.rows), kind: table.rows, isOpen: true,
    total: totalRow(report, grain, table, span),
  };
};
const matrixTable = (report, table) => {
  const columns = [table.rows, table.across];
  const names = [table.value].concat(table.size ?? []);
  const found = sums(report, report.months, columns, spanOf(report, report.months), indicesOf(report, names));
  const groups = new Map(found.map(({ key, figures }) => [JSON.stringify(key), figures]));
  const firsts = [...new Set(found.map(({ key }) => key[0]))].sort((left, right) => compare(right, left));
  const isNumeric = found.every(({ key }) => /^-?\d+$/.test(key[1]));
  const seconds = [...new Set(found.map(({ key }) => key[1]))].sort((left, right) =>
    (isNumeric ? Number(left) - Number(right) : compare(left, right)));
  const highest = found.reduce((left, { figures }) => Math.max(left, number(report, table.value, figures) ?? 0), 0);
  const depth = (figures) => {
    const each = figures ? number(report, table.value, figures) : null;
    return each === null || highest <= 0 ? null : Math.max(0, Math.min(9, Math.trunc((each / highest) * 9)));
  };
  const figuresOf = (first, second) => groups.get(JSON.stringify([first, second]));
  const size = (first) => (table.size ? [cell(report, table.size, figuresOf(first, seconds.find((second) => figuresOf(first, second))))] : []);
  const title = `${label(table.value)}: ${label(table.rows)} × ${label(table.across)}`;
  return {
    title: withCurrency(report, title, [table.value]), heading: label(table.rows), kind: "matrix", isOpen: true,
    lacks: unfollowed(cutFor(report, report.months, columns)),
    columns: (table.size ? [[table.size, label(table.size)]] : []).concat(seconds.map((second) => [table.across, valueText(second, table.across)])),
    rows: firsts.map((first) => ({
      label: first, isBefore: /^\d{4}-\d{2}$/.test(first) && Date.parse(`${first}-01`) / 86400000 < data.firstObserved,
      cells: size(first).concat(seconds.map((second) => (figuresOf(first, second) ? cell(report, table.value, figuresOf(first, second)) : ""))),
      depths: (table.size ? [null] : []).concat(seconds.map((second) => depth(figuresOf(first, second)))),
    })),
  };
};
const tablesOf = (report) => report.spec.tables.flatMap((table) =>
  table.across ? [matrixTable(report, table)] : table.rows === "time" ? timeTables(report, table)
    : report.months.cuts.some((cut) => cut.keys.includes(table.rows)) ? [valueTable(report, table)] : []
).filter((table) => table.rows.length > 0);

// What readers opened and sorted, by report and table.
const opened = new Map();
const ordered = new Map();
const keyOf = (details) => `${details.closest("section").id} ${details.querySelector("table")?.dataset.rows}`;

const showTables = (report, section) => {
  const tables = tablesOf(report).map((table) => {
    const key = `${report.name} ${table.kind}`;
    return tableElement(report, { ...table, isOpen: opened.get(key) ?? table.isOpen });
  });
  section.querySelector(".tables").replaceChildren(...(tables.length ? tables : [element("p", { class: "nothing", text: texts.noData })]));
  for (const table of tables) {
    const order = ordered.get(keyOf(table));
    const heading = order && [...table.querySelectorAll("thead th")].find((each) => headingName(each) === order.name);
    if (heading) sortBy(heading, order.isDown);
  }
};

// Sorting

const sortable = (value) => {
  const plain = value.replaceAll(/[, %+]/g, "").replace("−", "-");
  return plain !== "" && !Number.isNaN(Number(plain)) ? Number(plain) : null;
};
const headingName = (heading) => heading.querySelector(".term")?.textContent ?? heading.textContent;
const sortBy = (heading, isDown) => {
  const body = heading.closest("table").tBodies[0];
  const key = (row) => row.cells[heading.cellIndex].textContent;
  const rows = [...body.rows];
  const room = rows.filter((row) => !row.classList.contains("screen")).length;
  rows.sort((left, right) => {
    const [one, other] = [sortable(key(left)), sortable(key(right))];
    const order = one !== null && other !== null ? one - other : one !== null ? 1 : other !== null ? -1 : compare(key(left), key(right));
    return isDown ? -order : order;
  });
  for (const each of heading.parentElement.cells) each.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", isDown ? "descending" : "ascending");
  rows.forEach((row, index) => row.classList.toggle("screen", index >= room));
  body.append(...rows);
};
// A click on a heading, or on its button, sorts its table, a second one the other way round.
document.addEventListener("click", (event) => {
  const heading = event.target.closest?.("details thead th");
  if (!heading || event.target.closest("a")) return;
  const isDown = heading.getAttribute("aria-sort") !== "descending";
  sortBy(heading, isDown);
  const details = heading.closest("details");
  if (details.closest(".tables")) ordered.set(keyOf(details), { name: headingName(heading), isDown });
});
document.addEventListener("toggle", (event) => {
  if (event.target.closest?.(".tables") && !document.documentElement.classList.contains("printing")) opened.set(keyOf(event.target), event.target.open);
}, true);
