// What is chosen, and what of it a report can follow. It stands in the address, too, behind the #.

const filterNames = ["app_id", "store", "product_id", "country"];
const ranges = { ...data.ranges, allMonths: null };
const standard = { app_id: "", store: "", product_id: "", country: "", money: data.money, range: data.range };
const chosen = { ...standard };
const currency = () => chosen.money || data.reporting;
const rangeName = (name) => (ranges[name] ? daysText(ranges[name]) : data.firstDay === null ? texts.allMonths : texts.periodMonths);

const decoded = (part) => { try { return decodeURIComponent(part); } catch { return part; } };
const readAddress = () => {
  const address = location.hash.includes("=") ? new URLSearchParams(location.hash.slice(1)) : null;
  return { target: address ? address.get("at") : decoded(location.hash.slice(1)), address };
};
// An address of another page, or with a slip of the pen, chooses nothing that this page does not know.
const isKnown = (name, value) => (name === "range" ? Object.hasOwn(ranges, value)
  : value === "" || valuesOf(name === "money" ? "currency" : name).includes(value));
const takeFromAddress = () => {
  const { address } = readAddress();
  for (const name of Object.keys(standard)) {
    const value = address?.get(name);
    chosen[name] = value === null || value === undefined || !isKnown(name, value) ? standard[name] : value;
  }
};
const writeAddress = (target) => {
  const parts = Object.keys(standard).filter((name) => chosen[name] !== standard[name]).map((name) => [name, chosen[name]]);
  const plain = target ? `#${encodeURIComponent(target)}` : location.pathname + location.search;
  const address = new URLSearchParams(target ? [["at", target], ...parts] : parts);
  history.replaceState(null, "", parts.length === 0 ? plain : `#${address}`);
};

// Columns that something was chosen of; the currency where it is not the page's own.
const chosenColumns = () => filterNames.filter((name) => chosen[name] !== "")
  .concat(chosen.money !== standard.money ? ["currency"] : []);

// Amounts of several currencies are no sum.
const isMixed = (report, cut, column) =>
  column.kind === "money" && "currency" in report.values && !cut.keys.includes("currency");

// The cut that tells the needed columns apart and follows most of what is chosen, the currency before all; null where none does.
const cutFor = (report, grain, needed) => {
  const follows = (cut, column) => (column in report.values || column === "currency") && cut.keys.includes(column);
  const worth = (cut) => (chosen.money !== "" && cut.keys.includes("currency") ? 100 : 0)
    + chosenColumns().filter((column) => follows(cut, column)).length;
  return grain.cuts.filter((cut) => needed.every((column) => cut.keys.includes(column)))
    .sort((left, right) => worth(right) - worth(left) || left.count - right.count)[0] ?? null;
};
const unfollowed = (cut) => chosenColumns().filter((column) => !cut?.keys.includes(column));
const unfollowedText = (columns) => text("doesNotFollow", { filters: columns.map(label).join(", ") });

// Ranges. By day where days stand apart by the column at hand, and follow no less than months do.

const byDays = (report) => report.hasDays && ranges[chosen.range] !== null;
const dayRange = (report, count) => (report.spec.ahead
  ? [data.lastDay + 1, data.lastDay + Math.min(count, data.aheadDays)] : [data.lastDay - count + 1, data.lastDay]);
const grainOf = (report, table, column) => {
  if (!byDays(report) || table?.all) return report.months;
  const needed = column ? [column] : [];
  const [days, months] = [cutFor(report, report.days, needed), cutFor(report, report.months, needed)];
  return days && unfollowed(days).length <= unfollowed(months).length ? report.days : report.months;
};
const spanOf = (report, grain, table) => {
  if (grain === report.days) return dayRange(report, ranges[chosen.range] ?? ranges[data.range]);
  const extent = grain.extent ?? [0, 0];
  return table?.at === "last" && report.spec.time ? [extent[1], extent[1]] : extent;
};
const rangeText = (report, grain, table) => {
  if (grain === report.days) {
    const count = ranges[chosen.range] ?? ranges[data.range];
    return report.spec.ahead ? text("daysAhead", { count: Math.min(count, data.aheadDays) }) : daysText(count);
  }
  if (!report.spec.time) return texts.now;
  return table?.at === "last" ? texts.lastMonth : rangeName("allMonths");
};
