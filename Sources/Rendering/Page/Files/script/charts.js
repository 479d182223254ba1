// The charts of a report for what is chosen.

const drawn = [];
const barCount = 15;

const columnOf = (chart) => (chart.x === "time" || chart.x === "columns" ? null : chart.x);
const columnsOf = (chart) => chart.columns ?? chart.config.data.datasets.map((dataset) => dataset.column);

// Labels and one list of numbers for each dataset of a chart.
const points = (report, chart) => {
  const grain = grainOf(report, null, columnOf(chart));
  const span = spanOf(report, grain);
  if (chart.x === "columns") return steps(report, chart, grain, span);
  const datasets = chart.config.data.datasets;
  const wanted = indicesOf(report, columnsOf(chart));
  if (chart.x !== "time") {
    const rows = sorted(report, datasets[0].column, chart.x, sums(report, grain, [chart.x], span, wanted)).slice(0, barCount);
    return {
      grain, labels: rows.map(({ key }) => valueText(key[0], chart.x)),
      series: datasets.map((dataset) => ({ ...dataset, label: label(dataset.column), data: rows.map(({ figures }) => number(report, dataset.column, figures)) })),
    };
  }
  const isDays = grain === report.days;
  const all = sums(report, grain, "time", span, wanted);
  const spans = everySpan(report, all.map(({ key }) => key), isDays);
  const series = splitsOf(report, grain, chart).flatMap((value) => datasets.map((dataset) => {
    const own = value === null ? all : withFilter(chart.split, value, () => sums(report, grain, "time", span, wanted));
    const bySpan = new Map((own ?? []).map(({ key, figures }) => [key, figures]));
    return {
      ...dataset, label: value === null ? label(dataset.column) : valueText(value, chart.split), isAbsent: own === null,
      data: spans.map((each) => (bySpan.has(each) ? number(report, dataset.column, bySpan.get(each)) : ratioOf(report, dataset.column) ? null : 0)),
    };
  })).filter((each) => !each.isAbsent);
  return { grain, labels: spans.map(isDays ? dayText : monthText), series, spans, isDays };
};
const splitsOf = (report, grain, chart) =>
  (chart.split && grain.cuts.some((cut) => cut.keys.includes(chart.split)) ? report.values[chart.split] : [null]);
// Days without a row are there, too.
const everySpan = (report, spans, isDays) => {
  if (spans.length === 0) return [];
  const last = isDays && !report.spec.ahead ? data.lastDay : spans.at(-1);
  return Array.from({ length: last - spans[0] + 1 }, (_, index) => spans[0] + index);
};
// Null where something else is chosen already.
const withFilter = (name, value, body) => {
  const isFilter = filterNames.includes(name);
  if (isFilter && chosen[name] !== "" && chosen[name] !== value) return null;
  const before = chosen[name];
  if (!isFilter) filterNames.push(name);
  chosen[name] = value;
  const result = body();
  if (isFilter) chosen[name] = before;
  else {
    filterNames.pop();
    delete chosen[name];
  }
  return result;
};

// A waterfall from the first level to the last, or bars of some columns side by side.
const steps = (report, chart, grain, span) => {
  const none = { grain, labels: [], series: [] };
  if (!grain.extent) return none;
  const [row] = sums(report, grain, [], [Math.max(span[0], grain.extent[0]), span[1]], indicesOf(report, chart.columns));
  if (!row) return none;
  let level = 0;
  const bars = chart.columns.map((name) => {
    const value = number(report, name, row.figures) ?? 0;
    const kind = report.columns.find((column) => column.name === name).level;
    if (chart.title !== "waterfall") return { name, bar: value, value, kind: "level" };
    const bar = kind === "sum" ? [level, level + value] : [0, value];
    level = kind === "sum" ? level + value : value;
    return { name, bar, value, kind: kind === "sum" ? (value < 0 ? "down" : "up") : "level" };
  }).filter((step) => step.value !== 0 || step.kind === "level");
  const colours = { level: "--c0", up: "--up", down: "--down" };
  return {
    grain, labels: bars.map((step) => label(step.name)), isSteps: true,
    series: [{ data: bars.map((step) => step.bar), backgroundColor: bars.map((step) => colour(colours[step.kind])), label: label(chart.title) }],
  };
};

// One outlier does not squash the rest: the scale ends above all others, and the outlier is named below the chart.
const scaleEnd = (series, isStacked) => {
  const heights = (series[0]?.data ?? []).map((_, index) => {
    const parts = series.map((each) => Math.max(0, Number(each.data[index]) || 0));
    return isStacked ? parts.reduce((left, right) => left + right, 0) : Math.max(...parts);
  });
  const inOrder = heights.filter((height) => height > 0).sort((left, right) => left - right);
  if (inOrder.length < 10) return null;
  const usual = inOrder[Math.floor(inOrder.length * 0.95) - 1];
  const end = usual * 1.25;
  return inOrder.at(-1) > usual * 3 ? { end, beyond: heights.map((height, index) => [height, index]).filter(([height]) => height > end) } : null;
};

// What a chart's figures are in: the currency, percent, or how many there are.
const unitOf = (report, chart) => {
  const names = columnsOf(chart);
  if (names.some((name) => isShare(report, name))) return "%";
  return names.some((name) => isMoney(report, name)) ? currency() : texts.count;
};
const pointText = (unit) => (value) => {
  const digits = unit === "%" ? 1 : unit === texts.count ? 0 : minorDigits();
  const words = value.toLocaleString(data.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return unit === "%" ? `${words}%` : unit === texts.count ? words : `${words} ${unit}`;
};

const showCharts = (report, section) => {
  const place = section.querySelector(".charts");
  place.replaceChildren();
  if (typeof Chart === "undefined") return;
  for (const chart of report.spec.charts ?? []) {
    const { grain, labels, series, spans, isDays, isSteps } = points(report, chart);
    const isEmpty = labels.length === 0 || series.every((each) => each.data.every((value) => !value || (Array.isArray(value) && value[0] === value[1])));
    const unit = unitOf(report, chart);
    const title = [label(chart.title), unit === texts.count ? null : unit, rangeText(report, grain)].filter(Boolean).join(", ");
    const lacks = unfollowed(cutFor(report, grain, columnOf(chart) ? [columnOf(chart)] : []));
    const follow = lacks.length ? [element("p", { class: "follow", text: unfollowedText(lacks) })] : [];
    const figure = element("figure", { class: lacks.length ? "unfollowed" : null }, [element("figcaption", { text: title }), ...follow]);
    place.append(figure);
    if (isEmpty) {
      figure.append(element("p", { class: "nothing", text: texts.noData }));
      continue;
    }
    const canvas = element("canvas", { role: "img", "aria-label": `${section.querySelector("h2").textContent}: ${title}` });
    figure.append(element("div", { class: "canvas" }, [canvas]));
    const places = spans ? notePlaces(spans, isDays) : [];
    places.forEach(([, numbers]) => numbers.forEach((number) => noted.add(number)));
    drawn.push(new Chart(canvas, configuration(chart, labels, series, { spans, isDays, isSteps, unit, figure, places })));
  }
};
const configuration = (chart, labels, series, { spans, isDays, isSteps, unit, figure, places }) => {
  const config = structuredClone(chart.config);
  const ink = colour("--soft");
  const isAcross = config.options?.indexAxis === "y";
  const scales = config.options?.scales ?? {};
  const end = isSteps || isAcross ? null : scaleEnd(series, scales.y?.stacked);
  const asText = pointText(unit);
  if (end) {
    const names = end.beyond.map(([height, index]) => `${labels[index]}: ${asText(height)}`);
    figure.append(element("p", { class: "legend-note", text: text("clipped", { value: names.join(", ") }) }));
  }
  const short = new Intl.NumberFormat(data.language, { notation: "compact", maximumFractionDigits: 1 });
  const value = {
    ...scales.y, beginAtZero: true, grid: { color: colour("--line") }, title: { display: true, text: unit, color: ink },
    ticks: { color: ink, callback: (tick) => (unit === "%" ? `${short.format(tick)}%` : short.format(tick)), ...(unit === texts.count ? { precision: 0 } : {}) },
    ...(end ? { max: end.end } : {}),
  };
  const name = { ...scales.x, grid: { display: false }, ticks: { color: ink, autoSkip: !isAcross && !isSteps, autoSkipPadding: 14, maxRotation: isSteps ? 60 : 0 } };
  const pointOf = ({ dataset, raw }) => `${dataset.label}: ${asText(Array.isArray(raw) ? raw[1] - raw[0] : raw ?? 0)}`;
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
      ...config.options, animation: false, responsive: true, maintainAspectRatio: false, locale: data.language, spans: spans ?? null, isDays, isSteps: isSteps && !isAcross,
      interaction: { mode: "index", intersect: false, axis: isAcross ? "y" : "x" },
      plugins: {
        legend: { display: series.length > 1, position: "bottom", labels: { color: ink, boxWidth: 12 } },
        tooltip: { callbacks: { label: pointOf } },
      },
      scales: isAcross ? { x: { ...value, ...scales.x }, y: { ...name, ...scales.y } } : { x: name, y: value },
    },
    plugins: [shade, hatch, notes(places)],
  };
};
