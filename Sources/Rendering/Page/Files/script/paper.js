// On paper everything is open, charts have the width of their column, and tables that are too wide go on below with their first
// column again.

const paperWidth = 118;
const isDark = matchMedia("(prefers-color-scheme: dark)");
const chartSize = [660, 300];
let closed = [];
let parted = [];

const lettersOf = (cell) => [...cell.textContent].reduce((sum, letter) => sum + (letter > "\u2e80" ? 2 : 1), 0);
// How wide a column is, in letters: headings break between words.
const widthOf = (table, place) => {
  const body = [...table.tBodies[0].rows, ...(table.tFoot?.rows ?? [])].filter((row) => !row.classList.contains("screen"));
  const widest = body.reduce((width, row) => Math.max(width, lettersOf(row.cells[place])), 0);
  const heading = table.tHead.rows[0].cells[place].textContent.split(/\s+/).reduce((width, word) => Math.max(width, word.length), 0);
  return Math.max(widest, heading) + 3;
};
// Columns of each part of a table, when a part is so wide.
const divided = ([first, ...widths], limit) => {
  const parts = [[]];
  let room = limit - first;
  widths.forEach((width, index) => {
    if (room < width && parts.at(-1).length > 0) {
      parts.push([]);
      room = limit - first;
    }
    room -= width;
    parts.at(-1).push(index + 1);
  });
  return parts;
};
// As few parts as there must be, and no one much narrower than the others.
const partsOf = (table) => {
  const widths = [...table.tHead.rows[0].cells].map((_, place) => widthOf(table, place));
  const count = divided(widths, paperWidth).length;
  let limit = paperWidth;
  while (limit > widths[0] && divided(widths, limit - 1).length === count) limit -= 1;
  return divided(widths, limit);
};
const partOf = (table, places) => {
  const copy = table.cloneNode(true);
  for (const row of copy.rows) [...row.cells].forEach((each, place) => { if (place > 0 && !places.includes(place)) each.remove(); });
  copy.querySelectorAll("[id]").forEach((each) => each.removeAttribute("id"));
  return copy;
};
const prepare = () => {
  document.documentElement.classList.add("printing");
  closed = [...document.querySelectorAll("details:not([open])")];
  closed.forEach((each) => { each.open = true; });
  for (const table of document.querySelectorAll("section .wide > table")) {
    if (!table.tHead || !table.tBodies[0]?.rows.length || table.querySelector("td.prose")) continue;
    const parts = partsOf(table);
    if (parts.length < 2) continue;
    const copies = parts.map((places) => partOf(table, places));
    table.classList.add("whole");
    copies.forEach((copy) => copy.classList.add("part"));
    table.after(...copies);
    parted.push(...copies);
  }
  // In the colours of paper, which are not those of a dark screen.
  if (isDark.matches) showReports();
  for (const chart of drawn) {
    turnLabels(chart, 90, 90);
    chart.resize(...chartSize);
  }
};
// The names of steps stand upright on paper.
const turnLabels = (chart, least, most) => {
  if (!chart.options.isSteps) return;
  Object.assign(chart.options.scales.x.ticks, { minRotation: least, maxRotation: most });
  chart.update("none");
};
const restore = () => {
  closed.forEach((each) => { each.open = false; });
  parted.forEach((each) => each.remove());
  document.querySelectorAll("table.whole").forEach((each) => each.classList.remove("whole"));
  [closed, parted] = [[], []];
  requestAnimationFrame(() => {
    document.documentElement.classList.remove("printing");
    if (isDark.matches) showReports();
    for (const chart of drawn) {
      turnLabels(chart, 0, 60);
      chart.resize();
    }
  });
};
addEventListener("beforeprint", prepare);
addEventListener("afterprint", restore);
