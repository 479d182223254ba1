// Sums of a report's figures for what is chosen.

const hasLevels = (report) => report.columns.some((column) => column.level !== "sum");

// For each group of a cut its place among the rows, -1 where it is not chosen; and the rows.
const placesOf = (report, cut, rows) => {
  const groups = groupsOf(cut);
  const wanted = filterNames.concat("currency").flatMap((name) => {
    const value = name === "currency" ? chosen.money : chosen[name];
    const key = cut.keys.indexOf(name);
    return value === "" || key < 0 ? [] : [[groups[key], report.values[name].indexOf(value)]];
  });
  const columns = rows.map((name) => [report.values[name], groups[cut.keys.indexOf(name)]]);
  const known = new Map();
  const places = new Int32Array(cut.count).fill(-1);
  const keys = [];
  for (let group = 0; group < cut.count; group += 1) {
    if (wanted.some(([values, number]) => values[group] !== number)) continue;
    const key = columns.reduce((key, [, values]) => key * 65536 + values[group], 0);
    if (!known.has(key)) {
      known.set(key, keys.length);
      keys.push(columns.map(([values, numbers]) => values[numbers[group]]));
    }
    places[group] = known.get(key);
  }
  return { places, keys };
};

// How a line comes together over spans: what is on them added up, a level as one of them has it, or a level of each added up.
const alongTime = (line, places, [first, last], isLevel) => {
  const sums = new Float64Array(last - first + 1);
  for (let entry = 0; entry < line.by.length; entry += 1) {
    const span = line.at[entry];
    if (places[line.by[entry]] < 0 || span > last || (span < first && !isLevel)) continue;
    sums[Math.max(0, span - first)] += line.value[entry];
  }
  if (isLevel) for (let place = 1; place < sums.length; place += 1) sums[place] += sums[place - 1];
  return sums;
};
const byRow = (line, places, count, [first, last], manner) => {
  const sums = new Float64Array(count);
  const end = manner === "first" ? first : last;
  for (let entry = 0; entry < line.by.length; entry += 1) {
    const [place, span] = [places[line.by[entry]], line.at[entry]];
    if (place < 0 || span > end || (manner === "sum" && span < first)) continue;
    sums[place] += line.value[entry] * (manner === "each" ? last - Math.max(span, first) + 1 : 1);
  }
  return sums;
};

// Rows with their figures, those that there are; "time", or the values of columns. Figures that are not wanted are left out.
const sums = (report, grain, rows, span, wanted = report.columns.map((_, index) => index)) => {
  const isTime = rows === "time";
  const cut = cutFor(report, grain, isTime ? [] : rows);
  if (!cut || !grain.extent || span[1] < grain.extent[0] || span[0] > grain.extent[1]) return [];
  const within = isTime ? [Math.max(span[0], grain.extent[0]), Math.min(span[1], grain.extent[1])] : span;
  const { places, keys } = placesOf(report, cut, isTime ? [] : rows);
  const isDense = hasLevels(report);
  const along = (line, isLevel, manner) => (isTime ? alongTime(line, places, within, isLevel) : byRow(line, places, keys.length, within, manner));
  const counts = along(writtenLine(cut, 0), isDense, isDense ? "each" : "sum");
  const figures = wanted.map((index) => {
    const column = report.columns[index];
    const isConverted = chosen.money === "" && column.converted;
    if (!isConverted && isMixed(report, cut, column)) return () => null;
    const isLevel = column.level !== "sum";
    const amounts = along(amountLine(report, cut, index, isConverted), isLevel, column.level);
    const unknown = along(writtenLine(cut, 2 + index * 4 + (isConverted ? 2 : 0)), isDense, isLevel ? column.level : isDense ? "each" : "sum");
    const isStrict = report.spec.strict?.includes(column.name);
    return (place) => (unknown[place] > 0 && (isStrict || (isLevel ? amounts[place] === 0 : unknown[place] >= counts[place])) ? null : amounts[place]);
  });
  const found = [];
  for (let place = 0; place < counts.length; place += 1) {
    if (counts[place] <= 0) continue;
    const own = [];
    wanted.forEach((index, at) => { own[index] = figures[at](place); });
    found.push({ key: isTime ? within[0] + place : keys[place], figures: own });
  }
  return found;
};

// A figure of a row, by its name: a column's, or a ratio of two.

const ratioOf = (report, name) => {
  const growth = report.spec.growth?.[name];
  const names = growth ?? report.spec.ratios?.[name];
  if (!names) return null;
  const [part, of] = names.map((each) => report.columns.findIndex((column) => column.name === each));
  if (part < 0 || of < 0) return null;
  return { part, of, isGrowth: Boolean(growth), isAmount: report.columns[part].kind === "money" && report.columns[of].kind === "count" };
};
const indexOf = (report, name) => report.columns.findIndex((column) => column.name === name);
// Columns that figures by these names need.
const indicesOf = (report, names) => [...new Set(names.flatMap((name) => {
  const index = indexOf(report, name);
  const ratio = index < 0 ? ratioOf(report, name) : null;
  return index >= 0 ? [index] : ratio ? [ratio.part, ratio.of] : [];
}))];
const isMoney = (report, name) => {
  const index = indexOf(report, name);
  return index >= 0 ? report.columns[index].kind === "money" : Boolean(ratioOf(report, name)?.isAmount);
};
const isShare = (report, name) => {
  const ratio = indexOf(report, name) < 0 ? ratioOf(report, name) : null;
  return Boolean(ratio) && !ratio.isAmount;
};
const cell = (report, name, figures) => {
  const index = indexOf(report, name);
  if (index >= 0) return figureText(figures[index], report.columns[index].kind);
  const ratio = ratioOf(report, name);
  if (!ratio || figures[ratio.part] === null || !(figures[ratio.of] > 0)) return "–";
  const [part, of] = [figures[ratio.part], figures[ratio.of]];
  if (ratio.isGrowth) return growthText(part, of);
  return ratio.isAmount ? amountText(Math.sign(part) * halfEven(Math.abs(part), of)) : shareText(part, of);
};
// For drawing only.
const number = (report, name, figures) => {
  const index = indexOf(report, name);
  if (index >= 0) return figures[index] === null ? null : report.columns[index].kind === "money" ? figures[index] / 1e6 : figures[index];
  const ratio = ratioOf(report, name);
  if (!ratio || figures[ratio.part] === null || !(figures[ratio.of] > 0)) return null;
  return (figures[ratio.part] / figures[ratio.of]) * (ratio.isAmount ? 1e-6 : 100);
};
