// The filters, and what becomes of the page when one is chosen.

const showReports = () => {
  while (drawn.length) drawn.pop().destroy();
  noted.clear();
  for (const report of reports.values()) {
    const section = document.getElementById(report.name);
    if (section) showCharts(report, section);
  }
  showNotes();
};
// The tables stand in the page as they are before anything is chosen.
const showAll = () => {
  showCards();
  for (const report of reports.values()) {
    const section = document.getElementById(report.name);
    if (!section) continue;
    showTables(report, section);
  }
  showReports();
};
// Said aloud by screen readers.
const announce = () => {
  const parts = [...document.querySelectorAll("#filters select")].filter((each) => each.value !== standard[each.name])
    .map((each) => `${each.closest("label").firstChild.textContent}: ${each.selectedOptions[0]?.textContent}`);
  document.getElementById("chosen").textContent = parts.length ? text("chosen", { choice: parts.join(", ") }) : texts.nothingChosen;
};
const showChoice = () => {
  document.querySelectorAll("#filters select").forEach((each) => { each.value = chosen[each.name]; });
  showAll();
  announce();
};
const choose = (name, value) => {
  chosen[name] = value;
  writeAddress(readAddress().target);
  showChoice();
};
const select = (name, title, options) => {
  const made = element("select", { name }, options.map(([value, words]) => element("option", { value, text: words })));
  made.value = chosen[name];
  made.addEventListener("change", () => choose(name, made.value));
  return element("label", { text: title }, [made]);
};
const valuesOf = (name) =>
  [...new Set([...reports.values()].flatMap((report) => report.values[name] ?? []))].filter((value) => value !== "").sort();
const showFilters = () => {
  const form = document.getElementById("filters");
  const filters = filterNames.map((name) => [name, valuesOf(name)]).filter(([, all]) => all.length > 1)
    .map(([name, all]) => select(name, label(name), [["", texts.all]].concat(all.map((value) => [value, valueText(value, name)]))));
  const money = [["", text("allIn", { currency: data.reporting })]].concat(valuesOf("currency").map((value) => [value, text("asCharged", { currency: value })]));
  const reset = element("button", { type: "reset", text: texts.reset });
  form.replaceChildren(...filters, select("money", texts.currency, money),
    select("range", texts.range, Object.keys(ranges).map((name) => [name, rangeName(name)])), reset);
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    Object.assign(chosen, standard);
    writeAddress(readAddress().target);
    showChoice();
  });
  form.hidden = false;
};
