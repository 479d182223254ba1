// Draws the charts of the page's figures, and makes cards and tables anew for what is chosen. Reads nothing but the page itself.
(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const texts = data.texts.script;
  const reports = new Map(data.reports.map((report) => [report.name, report]));
  const filterNames = ["app_id", "store", "product_id", "country"];
  const chosen = { app_id: "", store: "", product_id: "", country: "", money: data.money, range: "days90" };
  const ranges = { days30: 30, days90: data.dayCount, months13: 396, allMonths: null };
  const whole = [-Infinity, Infinity];
  const drawn = [];
  // Numbers of the notes that stand on a chart.
  const noted = new Set();

  // Texts

  const text = (name, words = {}) =>
    Object.entries(words).reduce((sentence, [word, value]) => sentence.replaceAll(`{${word}}`, value), texts[name] ?? name);
  const label = (column) => {
    if (data.texts.labels[column]) return data.texts.labels[column];
    const words = column.replaceAll("_", " ");
    return words.charAt(0).toUpperCase() + words.slice(1);
  };
  const valueText = (value) => (value === "" ? texts.unknown : data.texts.values[value] ?? value);
  const currency = () => chosen.money || data.reporting;

  const halfEven = (value, unit) => {
    const quotient = Math.trunc(value / unit);
    const rest = value - quotient * unit;
    return rest * 2 > unit || (rest * 2 === unit && quotient % 2 === 1) ? quotient + 1 : quotient;
  };
  const decimal = (value, digits, negative) => {
    const digitText = String(value).padStart(digits + 1, "0");
    const cut = digitText.length - digits;
    const wholeText = digitText.slice(0, cut).replace(/\B(?=(\d{3})+$)/g, ",");
    return (negative && value > 0 ? "−" : "") + wholeText + (digits ? "." + digitText.slice(cut) : "");
  };
  const amountText = (micros) => {
    const digits = data.digits[currency()] ?? 2;
    return decimal(halfEven(Math.abs(micros), 10 ** (6 - digits)), digits, micros < 0);
  };
  const countText = (count) => decimal(Math.abs(count), 0, count < 0);
  const figureText = (figure, kind) => (figure === null ? "–" : kind === "count" ? countText(figure) : amountText(figure));
  const thousandths = (part, of) => Math.sign(part) * halfEven(Math.abs(part) * 1000, of);
  const shareText = (part, of) => {
    const share = thousandths(part, of);
    return decimal(Math.abs(share), 1, share < 0) + " %";
  };
  const dayText = (day) => new Date(day * 86400000).toISOString().slice(0, 10);
  const monthText = (month) => `${String(Math.floor(month / 12)).padStart(4, "0")}-${String((month % 12) + 1).padStart(2, "0")}`;

  // Sums

  const add = (report, sums, figures) => {
    report.columns.forEach((column, index) => {
      const strict = report.spec.strict?.includes(column.name);
      if (figures[index] === null) {
        if (strict) sums[index] = null;
      } else if (sums[index] !== null || !strict) {
        sums[index] = (sums[index] ?? 0) + figures[index];
      }
    });
  };

  // Figures of a row in the chosen money, each level only on its day.
  const spoken = (report, grain, row, first, last) => {
    const count = report.columns.length;
    const figures = new Array(count * 2).fill(0);
    const numbers = row[grain.keys.length + 1];
    for (let place = 0; place < numbers.length; place += 2) figures[numbers[place]] = numbers[place + 1];
    return report.columns.map((column, index) => {
      const isConverted = chosen.money === "" && column.converted;
      const figure = !isConverted && isMixed(report, grain, column) ? null : figures[isConverted ? index + count : index];
      const isAway = (column.level === "first" && row[0] !== first) || (column.level === "last" && row[0] !== last);
      return isAway && figure !== null ? 0 : figure;
    });
  };

  // Amounts of several currencies are no sum.
  const isMixed = (report, grain, column) =>
    column.kind === "money" && "currency" in report.values && !grain.keys.includes("currency");

  const accepts = (report, grain) => {
    const wanted = filterNames.concat("currency").flatMap((name) => {
      const value = name === "currency" ? chosen.money : chosen[name];
      const place = grain.keys.indexOf(name);
      if (value === "" || place < 0) return [];
      return [[place + 1, report.values[name].indexOf(value)]];
    });
    return (row) => wanted.every(([place, number]) => row[place] === number);
  };

  // What was chosen but is not told apart here.
  const ignored = (report, grain) => filterNames.filter((name) => chosen[name] !== "" && !grain.keys.includes(name));
  const lacksMoney = (report, grain) => chosen.money !== "" && report.columns.some((column) => isMixed(report, grain, column));

  // Figures by row: "time", or the values of one or two columns.
  const sums = (report, grain, rows, [first, last]) => {
    const accept = accepts(report, grain);
    const places = rows === "time" ? [] : rows.map((name) => [name, grain.keys.indexOf(name) + 1]);
    const groups = new Map();
    for (const row of grain.rows) {
      if (row[0] < first || row[0] > last || !accept(row)) continue;
      const key = rows === "time" ? row[0]
        : JSON.stringify(places.map(([name, place]) => (place ? report.values[name][row[place]] : "")));
      const figures = rows === "time" ? spoken(report, grain, row, row[0], row[0]) : spoken(report, grain, row, first, last);
      const held = groups.get(key);
      if (held) add(report, held, figures);
      else groups.set(key, figures);
    }
    return groups;
  };

  const ratioOf = (report, name) => {
    const names = report.spec.ratios?.[name];
    if (!names) return null;
    const [part, of] = names.map((each) => report.columns.findIndex((column) => column.name === each));
    return part < 0 || of < 0 ? null : { part, of };
  };
  const cell = (report, name, figures) => {
    const index = report.columns.findIndex((column) => column.name === name);
    if (index >= 0) return figureText(figures[index], report.columns[index].kind);
    const ratio = ratioOf(report, name);
    if (!ratio || figures[ratio.part] === null || !(figures[ratio.of] > 0)) return "–";
    const isAmount = report.columns[ratio.part].kind === "money" && report.columns[ratio.of].kind === "count";
    if (!isAmount) return shareText(figures[ratio.part], figures[ratio.of]);
    const part = figures[ratio.part];
    return amountText(Math.sign(part) * halfEven(Math.abs(part), figures[ratio.of]));
  };
  // For drawing only.
  const number = (report, name, figures) => {
    const index = report.columns.findIndex((column) => column.name === name);
    if (index >= 0) return figures[index] === null ? null : report.columns[index].kind === "money" ? figures[index] / 1e6 : figures[index];
    const ratio = ratioOf(report, name);
    if (!ratio || figures[ratio.part] === null || !(figures[ratio.of] > 0)) return null;
    const isAmount = report.columns[ratio.part].kind === "money" && report.columns[ratio.of].kind === "count";
    return (figures[ratio.part] / figures[ratio.of]) * (isAmount ? 1e-6 : 100);
  };
  const isShare = (report, name) => {
    const ratio = ratioOf(report, name);
    return ratio && !(report.columns[ratio.part].kind === "money" && report.columns[ratio.of].kind === "count");
  };

  // Ranges

  const byDays = (report) => report.hasDays && ranges[chosen.range] !== null;
  const dayRange = (report, count) =>
    report.spec.ahead ? [data.lastDay + 1, data.lastDay + Math.min(count, data.dayCount)] : [data.lastDay - count + 1, data.lastDay];
  const range = (report) => (byDays(report) ? dayRange(report, ranges[chosen.range]) : whole);
  // By day where days are kept apart by the column at hand.
  const grainOf = (report, table, column) =>
    byDays(report) && !table?.all && (!column || report.days.keys.includes(column)) ? report.days : report.months;
  const monthSpan = (report, table) => {
    const spans = report.months.rows.map((row) => row[0]);
    if (!report.spec.time || spans.length === 0) return whole;
    const last = spans.reduce((left, right) => Math.max(left, right));
    return [table?.at === "last" ? last : spans.reduce((left, right) => Math.min(left, right)), last];
  };
  const rangeText = (report, table, column) => {
    if (table?.at === "last" && !report.hasDays) return texts.lastMonth;
    return grainOf(report, table, column) === report.days ? texts[report.spec.ahead && chosen.range === "months13" ? "days90" : chosen.range] : texts.allMonths;
  };

  // Elements

  const element = (name, properties = {}, children = []) => {
    const made = document.createElement(name);
    for (const [property, value] of Object.entries(properties)) {
      if (property === "text") made.textContent = value;
      else if (value === true) made.setAttribute(property, "");
      else if (value !== false && value !== null) made.setAttribute(property, value);
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
  const tableElement = (report, { title, heading, kind, columns, rows, isOpen }) => {
    const head = element("tr", {}, [element("th", { scope: "col" }, [term(report, kind, heading), sortButton(heading)])].concat(
      columns.map(([name, words]) => element("th", { scope: "col", class: "n", "data-column": name },
        [kind === "matrix" ? words : term(report, name, words), sortButton(words)]))));
    const room = data.paperRows[kind] ?? data.paperRows.other;
    const body = rows.map((row, place) => element("tr", place < room ? {} : { class: "screen" }, [
      element("th", { scope: "row" }, [element("bdi", { text: row.label })]),
      ...row.cells.map((value, index) => {
        const depth = row.depths?.[index];
        return element("td", { class: depth === null || depth === undefined ? "n" : `n d${depth}`, text: value });
      }),
    ]));
    return element("details", { open: isOpen }, [
      element("summary", { text: title }),
      element("div", { class: "wide" }, [element("table", { "data-rows": kind }, [element("thead", {}, [head]), element("tbody", {}, body)])]),
      ...(rows.length > room ? [element("p", { class: "paper", text: text("leftOnScreen", { count: countText(rows.length - room), file: `${report.name}.csv` }) })] : []),
    ]);
  };

  // Tables

  const timeRows = (report, names, groups, asText, isAscending) =>
    [...groups].sort((left, right) => (isAscending ? left[0] - right[0] : right[0] - left[0])).map(([span, figures]) => ({
      label: asText(span), cells: names.map((name) => cell(report, name, figures)),
    }));
  const timeTables = (report, table) => {
    const columns = table.columns.map((name) => [name, label(name)]);
    const months = sums(report, report.months, "time", whole);
    const tables = [{
      title: texts.byMonth, heading: texts.month, kind: "month", columns, isOpen: months.size <= 14,
      rows: timeRows(report, table.columns, months, monthText, false),
    }];
    if (!report.hasDays) return tables;
    const count = ranges[chosen.range] ?? data.dayCount;
    tables.push({
      title: texts.byDay, heading: texts.day, kind: "day", columns, isOpen: false,
      rows: timeRows(report, table.columns, sums(report, report.days, "time", dayRange(report, count)), dayText, report.spec.ahead),
    });
    return tables;
  };
  const compare = (left, right) => (left < right ? -1 : left > right ? 1 : 0);
  // A report's own numbers stand in their order, names by the figure.
  const sorted = (report, name, rowColumn, groups) => {
    const index = Math.max(0, report.columns.findIndex((column) => column.name === name));
    const rows = [...groups].map(([key, figures]) => [JSON.parse(key)[0], figures]);
    const isNumeric = report.spec.by?.includes(rowColumn) && rows.every(([value]) => /^\d+$/.test(value));
    return rows.sort((left, right) => (isNumeric ? Number(left[0]) - Number(right[0])
      : compare(right[1][index] ?? -Infinity, left[1][index] ?? -Infinity) || compare(left[0], right[0])));
  };
  const valueTable = (report, table) => {
    const grain = grainOf(report, table, table.rows);
    const span = grain === report.months ? monthSpan(report, table) : range(report);
    const all = sorted(report, table.columns[0], table.rows, sums(report, grain, [table.rows], span));
    const rows = all.slice(0, all.length > data.rowCount + 1 ? data.rowCount : all.length)
      .map(([value, figures]) => ({ label: valueText(value), figures }));
    if (all.length > rows.length) {
      const others = all.slice(rows.length).reduce((held, [, figures]) => {
        if (!held) return [...figures];
        figures.forEach((figure, index) => { if (figure !== null) held[index] = (held[index] ?? 0) + figure; });
        return held;
      }, null);
      rows.push({ label: text("others", { count: all.length - data.rowCount }), figures: others });
    }
    return {
      title: `${text("by", { column: label(table.rows).toLowerCase() })}, ${rangeText(report, table, table.rows)}`, heading: label(table.rows), kind: table.rows, isOpen: true,
      columns: table.columns.map((name) => [name, label(name)]),
      rows: rows.map((row) => ({ label: row.label, cells: table.columns.map((name) => cell(report, name, row.figures)) })),
    };
  };
  const matrixTable = (report, table) => {
    const groups = sums(report, report.months, [table.rows, table.across], whole);
    const keys = [...groups.keys()].map((key) => JSON.parse(key));
    const firsts = [...new Set(keys.map((key) => key[0]))].sort((left, right) => compare(right, left));
    const isNumeric = keys.every((key) => /^-?\d+$/.test(key[1]));
    const seconds = [...new Set(keys.map((key) => key[1]))].sort((left, right) =>
      isNumeric ? Number(left) - Number(right) : compare(left, right));
    const numbers = [...groups.values()].map((figures) => number(report, table.value, figures)).filter((each) => each !== null);
    const highest = numbers.reduce((left, right) => Math.max(left, right), 0);
    const depth = (figures) => {
      const each = figures ? number(report, table.value, figures) : null;
      return each === null || highest <= 0 ? null : Math.max(0, Math.min(9, Math.trunc((each / highest) * 9)));
    };
    const figuresOf = (first, second) => groups.get(JSON.stringify([first, second]));
    return {
      title: `${label(table.value)}: ${label(table.rows)} × ${label(table.across)}`, heading: label(table.rows), kind: "matrix", isOpen: true,
      columns: seconds.map((second) => [table.across, valueText(second)]),
      rows: firsts.map((first) => ({
        label: first,
        cells: seconds.map((second) => (figuresOf(first, second) ? cell(report, table.value, figuresOf(first, second)) : "")),
        depths: seconds.map((second) => depth(figuresOf(first, second))),
      })),
    };
  };
  const tablesOf = (report) => report.spec.tables.flatMap((table) =>
    table.across ? [matrixTable(report, table)] : table.rows === "time" ? timeTables(report, table) : report.months.keys.includes(table.rows) ? [valueTable(report, table)] : []
  ).filter((table) => table.rows.length > 0);

  const showTables = (report, section) => {
    const tables = tablesOf(report);
    section.querySelector(".tables").replaceChildren(...(tables.length
      ? tables.map((table) => tableElement(report, table)) : [element("p", { class: "nothing", text: texts.noData })]));
    const scope = section.querySelector(".scope");
    const names = ignored(report, grainOf(report)).map(label);
    const sentences = (names.length ? [text("notSplitBy", { dimension: names.join(", ") })] : [])
      .concat(lacksMoney(report, grainOf(report)) ? [texts.notByCurrency] : []);
    scope.hidden = sentences.length === 0;
    scope.textContent = sentences.join(" ");
  };

  // Cards

  const cardFigure = (card, day) => {
    const report = reports.get(card.report);
    const first = card.last || card.report === "churn_windows" ? day : day - 29;
    const none = { part: null, of: null, kind: "count" };
    if (!report || report.days.rows.length === 0 || day < report.days.rows[0][0]) return none;
    const groups = [...sums(report, report.days, [""], [first, day]).values()];
    const sum = (names) => {
      const figures = names.map((name) => report.columns.findIndex((column) => column.name === name))
        .flatMap((index) => groups.map((group) => group[index])).filter((figure) => figure !== null && figure !== undefined);
      return figures.length ? figures.reduce((left, right) => left + right, 0) : null;
    };
    const names = card.last ?? card.sum ?? card.ratio[0];
    return {
      part: sum(names), of: card.ratio ? sum(card.ratio[1]) ?? 0 : null,
      kind: report.columns.find((column) => column.name === names[0])?.kind ?? "count",
    };
  };
  const cardChange = (now, then) => {
    if (now.part === null || then.part === null) return null;
    if (now.of === null) return then.part > 0 ? (now.part >= then.part ? "+" : "") + shareText(now.part - then.part, then.part) : null;
    if (!(now.of > 0) || !(then.of > 0)) return null;
    const points = thousandths(now.part, now.of) - thousandths(then.part, then.of);
    return text("points", { points: (points > 0 ? "+" : points < 0 ? "−" : "±") + decimal(Math.abs(points), 1, false) });
  };
  const cardText = (card) => {
    const now = cardFigure(card, data.lastDay);
    const figure = !card.ratio ? figureText(now.part, now.kind)
      : now.part === null || !(now.of > 0) ? "–" : shareText(now.part, now.of);
    const changes = [["against30", 30], ["againstYear", 365]].flatMap(([name, days]) => {
      const change = cardChange(now, cardFigure(card, data.lastDay - days));
      return change === null ? [] : [text(name, { change }) + (data.lastDay - days < data.firstObserved ? " †" : "")];
    });
    return { figure, changes };
  };
  const sparkline = (card) => {
    const source = card.spark ?? card;
    const report = reports.get(source.report);
    if (!report) return "";
    const groups = sums(report, report.days, "time", [data.lastDay - data.dayCount + 1, data.lastDay]);
    const names = source.last ?? source.sum;
    const points = [];
    for (let day = data.lastDay - data.dayCount + 1; day <= data.lastDay; day += 1) {
      const figures = groups.get(day);
      const parts = figures ? names.map((name) => number(report, name, figures)) : [];
      if (parts.length && !parts.includes(null)) points.push([day, parts.reduce((left, right) => left + right, 0)]);
    }
    if (points.length < 2) return "";
    const values = points.map((point) => point[1]);
    const [low, high] = [Math.min(...values, 0), Math.max(...values)];
    const path = points.map(([day, value], index) =>
      `${index ? "L" : "M"}${(((day - points[0][0]) / (points.at(-1)[0] - points[0][0])) * 100).toFixed(2)} ${(30 - ((value - low) / (high - low || 1)) * 28).toFixed(2)}`);
    return path.join("");
  };
  const showCards = () => {
    for (const card of data.cards) {
      const place = document.getElementById(`card-${card.id}`);
      const { figure, changes } = cardText(card);
      place.querySelector(".figure").textContent = figure;
      const unit = place.querySelector(".unit");
      if (unit) unit.textContent = currency();
      place.querySelector(".changes").replaceChildren(...changes.map((change) => element("span", { class: "change", text: change })));
      place.querySelector(".spark path").setAttribute("d", sparkline(card));
    }
  };

  // Charts

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const palette = (index) => colour(`--c${index % 8}`);

  const columnOf = (chart) => (chart.x === "time" || chart.x === "columns" ? null : chart.x);

  // Labels and one list of numbers for each dataset of a chart.
  const points = (report, chart) => {
    const grain = grainOf(report, null, columnOf(chart));
    if (chart.x === "columns") return steps(report, chart, grain);
    const datasets = chart.config.data.datasets;
    const splits = chart.split && grain.keys.includes(chart.split) ? report.values[chart.split] : [null];
    if (chart.x !== "time") {
      const span = grain === report.months ? monthSpan(report) : range(report);
      const rows = sorted(report, datasets[0].column, chart.x, sums(report, grain, [chart.x], span)).slice(0, 15);
      return {
        labels: rows.map(([value]) => valueText(value)),
        series: datasets.map((dataset) => ({ ...dataset, label: label(dataset.column), data: rows.map(([, figures]) => number(report, dataset.column, figures)) })),
      };
    }
    const isDays = grain === report.days;
    const all = sums(report, grain, "time", range(report));
    const spans = everySpan(report, [...all.keys()], isDays);
    const series = datasets.flatMap((dataset) => splits.map((value) => {
      const own = value === null ? all : withFilter(chart.split, value, () => sums(report, grain, "time", range(report)));
      return {
        ...dataset, label: value === null ? label(dataset.column) : valueText(value),
        data: spans.map((span) => (own?.has(span) ? number(report, dataset.column, own.get(span)) : own ? 0 : null)),
        isAbsent: own === null,
      };
    })).filter((each) => !each.isAbsent);
    return { labels: spans.map(isDays ? dayText : monthText), series, spans, isDays };
  };
  // Days without a row are there, too.
  const everySpan = (report, spans, isDays) => {
    if (spans.length === 0) return [];
    const first = spans.reduce((left, right) => Math.min(left, right));
    const end = spans.reduce((left, right) => Math.max(left, right));
    const last = isDays && !report.spec.ahead ? data.lastDay : end;
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  };
  // Null where something else is chosen already.
  const withFilter = (name, value, body) => {
    if (!filterNames.includes(name)) return withValue(name, value, body);
    if (chosen[name] !== "" && chosen[name] !== value) return null;
    const before = chosen[name];
    chosen[name] = value;
    const result = body();
    chosen[name] = before;
    return result;
  };
  const withValue = (name, value, body) => {
    filterNames.push(name);
    chosen[name] = value;
    const result = body();
    filterNames.pop();
    delete chosen[name];
    return result;
  };

  // A waterfall from the first level to the last, or bars of some columns side by side.
  const steps = (report, chart, grain) => {
    const span = grain === report.months ? monthSpan(report) : range(report);
    const present = grain.rows.map((row) => row[0]).filter((each) => each >= span[0] && each <= span[1]);
    if (present.length === 0) return { labels: [], series: [] };
    const begin = present.reduce((left, right) => Math.min(left, right));
    const figures = [...sums(report, grain, [""], [begin, span[1]]).values()][0];
    if (!figures) return { labels: [], series: [] };
    let level = 0;
    const bars = chart.columns.map((name) => {
      const value = number(report, name, figures) ?? 0;
      const kind = report.columns.find((column) => column.name === name).level;
      if (chart.title !== "waterfall") return { name, bar: value, value, kind: "level" };
      const bar = kind === "sum" ? [level, level + value] : [0, value];
      level = kind === "sum" ? level + value : value;
      return { name, bar, value, kind: kind === "sum" ? (value < 0 ? "down" : "up") : "level" };
    }).filter((step) => step.value !== 0 || step.kind === "level");
    const colours = { level: "--c0", up: "--c2", down: "--c6" };
    return {
      labels: bars.map((step) => label(step.name)),
      series: [{ data: bars.map((step) => step.bar), backgroundColor: bars.map((step) => colour(colours[step.kind])), label: label(chart.title) }],
      isSteps: true,
    };
  };

  // One outlier does not squash the rest: the scale ends above all others, and the outlier is named below the chart.
  const scaleEnd = (series, isStacked) => {
    const heights = (series[0]?.data ?? []).map((_, index) => {
      const parts = series.map((each) => Math.max(0, Number(each.data[index]) || 0));
      return isStacked ? parts.reduce((left, right) => left + right, 0) : Math.max(...parts);
    });
    const ordered = [...heights].filter((height) => height > 0).sort((left, right) => left - right);
    if (ordered.length < 10) return null;
    const usual = ordered[Math.floor(ordered.length * 0.95) - 1];
    const end = usual * 1.25;
    return ordered.at(-1) > usual * 3 ? { end, beyond: heights.map((height, index) => [height, index]).filter(([height]) => height > end) } : null;
  };

  const hatch = {
    id: "hatch",
    beforeDatasetsDraw(chart) {
      const spans = chart.options.spans;
      const first = spans ? spans.findIndex((span) => span > chart.options.completeThrough) : -1;
      if (first < 0) return;
      const { ctx, chartArea, scales } = chart;
      const step = spans.length > 1 ? scales.x.getPixelForValue(1) - scales.x.getPixelForValue(0) : 0;
      const left = Math.max(chartArea.left, scales.x.getPixelForValue(first) - step / 2);
      ctx.save();
      ctx.beginPath();
      ctx.rect(left, chartArea.top, chartArea.right - left, chartArea.bottom - chartArea.top);
      ctx.clip();
      ctx.strokeStyle = colour("--hatch");
      for (let x = left - chartArea.height; x < chartArea.right; x += 7) {
        ctx.beginPath();
        ctx.moveTo(x, chartArea.bottom);
        ctx.lineTo(x + chartArea.height, chartArea.top);
        ctx.stroke();
      }
      ctx.restore();
    },
  };

  // Notes: number, day and app; an empty app is all of them.
  const isChosenApp = (app) => app === "" || chosen.app_id === "" || app === chosen.app_id;
  const monthOf = (day) => {
    const date = new Date(day * 86400000);
    return date.getUTCFullYear() * 12 + date.getUTCMonth();
  };
  // Places on a chart over time, each with the numbers of its notes.
  const notePlaces = (spans, isDays) => {
    const places = new Map();
    for (const [number, day, app] of data.notes) {
      const place = isChosenApp(app) ? spans.indexOf(isDays ? day : monthOf(day)) : -1;
      if (place >= 0) places.set(place, [...(places.get(place) ?? []), number]);
    }
    return [...places];
  };
  // A thin line at each of them, with its numbers above; numbers that would touch stand one below the other.
  const notes = (places) => ({
    id: "notes",
    places,
    afterDatasetsDraw(chart) {
      const { ctx, chartArea, scales } = chart;
      const ends = [-Infinity, -Infinity, -Infinity];
      ctx.save();
      ctx.strokeStyle = colour("--note");
      ctx.lineWidth = 1;
      ctx.font = "600 10px sans-serif";
      ctx.textBaseline = "top";
      for (const [place, numbers] of places) {
        const x = Math.round(scales.x.getPixelForValue(place));
        ctx.beginPath();
        ctx.moveTo(x + 0.5, chartArea.top);
        ctx.lineTo(x + 0.5, chartArea.bottom);
        ctx.stroke();
        const words = numbers.slice(0, 3).join(", ") + (numbers.length > 3 ? " …" : "");
        const width = ctx.measureText(words).width;
        const left = Math.min(x + 3, chartArea.right - width);
        const row = Math.max(0, ends.findIndex((end) => end < left));
        ends[row] = left + width + 3;
        ctx.fillStyle = colour("--paper");
        ctx.fillRect(left - 1, chartArea.top + row * 12, width + 2, 12);
        ctx.fillStyle = colour("--note");
        ctx.fillText(words, left, chartArea.top + row * 12 + 1);
      }
      ctx.restore();
    },
  });
  const showNotes = () => {
    document.querySelectorAll("#notes tbody tr").forEach((row) => {
      const isOutside = typeof Chart !== "undefined" && !noted.has(Number(row.cells[0].textContent));
      row.hidden = !isChosenApp(row.dataset.app);
      row.querySelector(".outside").textContent = isOutside ? texts.noteOutside : "";
    });
  };

  const showCharts = (report, section) => {
    const place = section.querySelector(".charts");
    place.replaceChildren();
    if (typeof Chart === "undefined") return;
    for (const chart of report.spec.charts) {
      const { labels, series, spans, isDays, isSteps } = points(report, chart);
      const isEmpty = labels.length === 0 || series.every((each) => each.data.every((value) => !value || (Array.isArray(value) && value[0] === value[1])));
      const caption = element("figcaption", { text: `${label(chart.title)}, ${rangeText(report, null, columnOf(chart))}` });
      if (isEmpty) {
        place.append(element("figure", {}, [caption, element("p", { class: "nothing", text: texts.noData })]));
        continue;
      }
      const canvas = element("canvas", { role: "img", "aria-label": `${section.querySelector("h2").textContent}: ${caption.textContent}` });
      const figure = element("figure", {}, [caption, element("div", { class: "canvas" }, [canvas])]);
      place.append(figure);
      const share = chart.config.data.datasets.some((dataset) => dataset.column && isShare(report, dataset.column));
      const places = spans ? notePlaces(spans, isDays) : [];
      places.forEach(([, numbers]) => numbers.forEach((number) => noted.add(number)));
      drawn.push(new Chart(canvas, configuration(chart, labels, series, { spans, isDays, isSteps, share, figure, places })));
    }
  };
  const configuration = (chart, labels, series, { spans, isDays, isSteps, share, figure, places }) => {
    const config = structuredClone(chart.config);
    const ink = colour("--soft");
    const isAcross = config.options?.indexAxis === "y";
    const scales = config.options?.scales ?? {};
    const end = isSteps || isAcross ? null : scaleEnd(series, scales.y?.stacked);
    if (end) {
      const names = end.beyond.map(([height, index]) => `${labels[index]}: ${height.toLocaleString(data.language)}`);
      figure.append(element("p", { class: "legend-note", text: text("clipped", { value: names.join(", ") }) }));
    }
    const value = { ...scales.y, beginAtZero: true, max: end?.end, grid: { color: colour("--line") }, ticks: { color: ink, callback: share ? (tick) => `${tick} %` : undefined } };
    if (!share) delete value.ticks.callback;
    if (!end) delete value.max;
    const name = { ...scales.x, grid: { display: false }, ticks: { color: ink, autoSkip: !isAcross && !isSteps, maxRotation: isSteps ? 60 : 0 } };
    return {
      type: config.type,
      data: {
        labels,
        datasets: series.map((each, index) => ({
          borderColor: palette(index), backgroundColor: config.type === "line" && !each.fill ? palette(index) : palette(index) + (each.fill ? "55" : ""),
          borderWidth: config.type === "line" ? 2 : 0, pointRadius: labels.length > 31 ? 0 : 2, ...each,
        })),
      },
      options: {
        ...config.options, animation: false, responsive: true, maintainAspectRatio: false, locale: data.language,
        spans: isDays ? spans : null, completeThrough: data.completeThrough,
        interaction: { mode: "index", intersect: false, axis: isAcross ? "y" : "x" },
        plugins: { legend: { display: series.length > 1, position: "bottom", labels: { color: ink, boxWidth: 12 } } },
        scales: isAcross ? { x: { ...value, ...scales.x }, y: { ...name, ...scales.y } } : { x: name, y: value },
      },
      plugins: [hatch, notes(places)],
    };
  };

  // What is chosen

  const showAll = () => {
    while (drawn.length) drawn.pop().destroy();
    noted.clear();
    showCards();
    for (const report of reports.values()) {
      const section = document.getElementById(report.name);
      if (!section) continue;
      showTables(report, section);
      showCharts(report, section);
    }
    showNotes();
  };
  const select = (name, title, options) => {
    const made = element("select", { name }, options.map(([value, words]) => element("option", { value, text: words })));
    made.value = chosen[name];
    made.addEventListener("change", () => {
      chosen[name] = made.value;
      showAll();
    });
    return element("label", { text: title }, [made]);
  };
  const showFilters = () => {
    const form = document.getElementById("filters");
    const values = (name) => [...new Set([...reports.values()].flatMap((report) => report.values[name] ?? []))].filter((value) => value !== "").sort();
    const filters = filterNames.map((name) => [name, values(name)]).filter(([, all]) => all.length > 1)
      .map(([name, all]) => select(name, label(name), [["", texts.all]].concat(all.map((value) => [value, valueText(value)]))));
    const money = [["", text("allIn", { currency: data.reporting })]].concat(values("currency").map((value) => [value, text("asCharged", { currency: value })]));
    const reset = element("button", { type: "reset", text: texts.reset });
    form.replaceChildren(...filters, select("money", texts.currency, money),
      select("range", texts.range, Object.keys(ranges).map((name) => [name, texts[name]])), reset);
    form.addEventListener("reset", (event) => {
      event.preventDefault();
      Object.assign(chosen, { app_id: "", store: "", product_id: "", country: "", money: data.money, range: "days90" });
      form.querySelectorAll("select").forEach((each) => { each.value = chosen[each.name]; });
      showAll();
    });
    form.hidden = false;
  };

  // A click on a heading, or on its button, sorts its table, a second one the other way round.
  const sortable = (value) => {
    const plain = value.replaceAll(/[, %]/g, "").replace("−", "-");
    return plain !== "" && !Number.isNaN(Number(plain)) ? Number(plain) : null;
  };
  document.addEventListener("click", (event) => {
    const heading = event.target.closest?.("details thead th");
    if (!heading || event.target.closest("a")) return;
    const body = heading.closest("table").tBodies[0];
    const place = heading.cellIndex;
    const isDown = heading.getAttribute("aria-sort") !== "descending";
    const key = (row) => row.cells[place].textContent;
    const rows = [...body.rows].sort((left, right) => {
      const [one, other] = [sortable(key(left)), sortable(key(right))];
      const order = one !== null && other !== null ? one - other : one !== null ? 1 : other !== null ? -1 : compare(key(left), key(right));
      return isDown ? -order : order;
    });
    for (const each of heading.parentElement.cells) each.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", isDown ? "descending" : "ascending");
    const room = rows.filter((row) => !row.classList.contains("screen")).length;
    rows.forEach((row, index) => row.classList.toggle("screen", index >= room));
    body.append(...rows);
  });

  // On paper everything is open; a link into a folded part opens it.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    closed.forEach((each) => { each.open = true; });
  });
  addEventListener("afterprint", () => closed.forEach((each) => { each.open = false; }));
  const openTarget = () => {
    const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
    const folded = target?.closest("details");
    if (folded) folded.open = true;
    if (folded) target.scrollIntoView();
  };
  addEventListener("hashchange", openTarget);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showAll);

  showFilters();
  showAll();
  for (const heading of document.querySelectorAll("details thead th")) {
    if (heading.textContent && !heading.querySelector(".sort")) heading.append(sortButton(heading.textContent));
  }
  openTarget();
})();
