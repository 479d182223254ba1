// The headline figures for what is chosen; one that cannot follow says so.

const cardDays = (card, day) => {
  if (card.ahead) return [day + 1, day + card.ahead];
  return [card.last || card.report === "churn_windows" ? day : day - data.cardDays + 1, day];
};
const kindOf = (report, name) => report.columns[indexOf(report, name)]?.kind ?? "count";
const cardFigure = (card, day) => {
  const report = reports.get(card.report);
  const none = { part: null, of: null, kind: "count", details: [] };
  if (!report || (card.ahead && day !== data.lastDay)) return none;
  const days = cardDays(card, day);
  const isOutside = data.firstDay !== null && days[0] < data.firstDay && card.report !== "churn_windows";
  if (!card.ahead && (isOutside || report.firstDay === null || day < report.firstDay)) return none;
  const [row] = sums(report, report.days, [], days);
  const sum = (names) => {
    const figures = names.map((name) => row?.figures[indexOf(report, name)]).filter((figure) => figure !== null && figure !== undefined);
    return figures.length ? figures.reduce((left, right) => left + right, 0) : null;
  };
  const names = card.last ?? card.sum ?? card.ratio[0];
  return {
    part: sum(names), of: card.ratio ? sum(card.ratio[1]) ?? 0 : null, kind: kindOf(report, names[0]),
    isOpen: card.open ? sum([card.open]) > 0 : false,
    details: row ? (card.detail ?? []).map((name) => [name, figureText(sum([name]), kindOf(report, name))]) : [],
  };
};
const cardChange = (now, then) => {
  if (now.part === null || then.part === null) return null;
  if (now.of === null) return then.part > 0 ? (now.part >= then.part ? "+" : "") + shareText(now.part - then.part, then.part) : null;
  if (!(now.of > 0) || !(then.of > 0)) return null;
  const points = thousandths(now.part, now.of) - thousandths(then.part, then.of);
  return text("points", { points: (points > 0 ? "+" : points < 0 ? "−" : "±") + decimal(Math.abs(points), 1, false) });
};
const basisOf = new Map(data.cards.map((card) => [card.id, document.querySelector(`#card-${card.id} .detail`)?.textContent]));
const cardText = (card) => {
  const now = cardFigure(card, data.lastDay);
  const figure = !card.ratio ? figureText(now.part, now.kind)
    : now.part === null || !(now.of > 0) ? "–" : shareText(now.part, now.of);
  // Those who are not decided yet would be compared with others who all are.
  const changes = now.isOpen ? [] : [["against30", 30], ["againstYear", 365]].flatMap(([name, days]) => {
    const change = cardChange(now, cardFigure(card, data.lastDay - days));
    return change === null ? [] : [text(name, { change }) + (data.lastDay - days < data.firstObserved ? " †" : "")];
  });
  // Other bases are known of the whole company alone, and stand in the page as they are.
  const basis = card.basis && chosenColumns().length === 0 ? basisOf.get(card.id) : "";
  const detail = !now.details.length ? basis : text(`${card.id}Detail`, { ...Object.fromEntries(now.details), currency: currency() });
  return { figure, changes, detail };
};
// The same figure of another report that follows more of what is chosen; null where none does.
const otherText = (card, count) => {
  const report = reports.get(card.other?.report);
  const cut = report ? cutFor(report, report.months, []) : null;
  if (!cut || unfollowed(cut).length >= count) return null;
  const month = monthOf(data.lastDay);
  const [row] = sums(report, report.months, [], [month, month]);
  const name = card.other.last[0];
  return { figure: figureText(row ? row.figures[indexOf(report, name)] : 0, kindOf(report, name)), changes: [], detail: "", lacks: unfollowed(cut) };
};
const sparkline = (card) => {
  const source = card.spark ?? card;
  const report = reports.get(source.report);
  const names = source.last ?? source.sum;
  if (!report || !names || card.ahead || unfollowed(cutFor(report, report.days, [])).length) return "";
  const count = ranges[data.range];
  const days = sums(report, report.days, "time", [data.lastDay - count + 1, data.lastDay], indicesOf(report, names));
  const points = days.map(({ key, figures }) => [key, names.map((name) => number(report, name, figures))])
    .filter(([, parts]) => !parts.includes(null)).map(([key, parts]) => [key, parts.reduce((left, right) => left + right, 0)]);
  if (points.length < 2) return "";
  const values = points.map((point) => point[1]);
  const [low, high] = [Math.min(...values, 0), Math.max(...values)];
  return points.map(([day, value], index) =>
    `${index ? "L" : "M"}${(((day - points[0][0]) / (points.at(-1)[0] - points[0][0])) * 100).toFixed(2)} ${(30 - ((value - low) / (high - low || 1)) * 28).toFixed(2)}`).join("");
};
const showSparklines = () => {
  for (const card of data.cards) document.getElementById(`card-${card.id}`)?.querySelector(".spark path").setAttribute("d", sparkline(card));
};
const showCards = () => {
  for (const card of data.cards) {
    const place = document.getElementById(`card-${card.id}`);
    const report = reports.get(card.report);
    if (!place || !report) continue;
    const lacks = unfollowed(cutFor(report, report.days, []));
    const other = lacks.length ? otherText(card, lacks.length) : null;
    const { figure, changes, detail } = other ?? cardText(card);
    place.querySelector(".figure").textContent = figure;
    const unit = place.querySelector(".unit");
    if (unit) unit.textContent = currency();
    place.querySelector(".detail").textContent = detail;
    place.querySelector(".changes").replaceChildren(...changes.map((change) => element("span", { class: "change", text: change })));
    showFollow(place, other?.lacks ?? lacks);
  }
  showSparklines();
  // What is said of the whole company follows nothing.
  for (const place of document.querySelectorAll("[data-whole]")) showFollow(place, chosenColumns());
};
const showFollow = (place, columns) => {
  const line = place.querySelector(".follow");
  place.classList.toggle("unfollowed", columns.length > 0);
  line.hidden = columns.length === 0;
  line.textContent = columns.length ? unfollowedText(columns) : "";
};
