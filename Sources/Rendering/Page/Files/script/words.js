// Figures and names as people read them.

const texts = data.texts.script;
const text = (name, words = {}) =>
  Object.entries(words).reduce((sentence, [word, value]) => sentence.replaceAll(`{${word}}`, value), texts[name] ?? name);
const label = (column) => {
  if (data.texts.labels[column]) return data.texts.labels[column];
  const words = column.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};
// An app's title for people stands before its id; other names that somebody gave stay what they are.
const titles = new Map(Object.entries(data.titles ?? {}));
const appText = (app) => (titles.has(app) ? `${titles.get(app)} (${app})` : app);
const givenNames = ["product_id", "country", "currency"];
const valueText = (value, column) => {
  if (value === "") return texts.unknown;
  if (column === "app_id") return appText(value);
  return givenNames.includes(column) ? value : data.texts.values[value] ?? value;
};
const compare = (left, right) => (left < right ? -1 : left > right ? 1 : 0);

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
const minorDigits = () => data.digits[currency()] ?? 2;
const amountText = (micros) => decimal(halfEven(Math.abs(micros), 10 ** (6 - minorDigits())), minorDigits(), micros < 0);
const countText = (count) => decimal(Math.abs(count), 0, count < 0);
const figureText = (figure, kind) => (figure === null ? "–" : kind === "count" ? countText(figure) : amountText(figure));
const thousandths = (part, of) => Math.sign(part) * halfEven(Math.abs(part) * 1000, of);
const shareText = (part, of) => {
  const share = thousandths(part, of);
  return decimal(Math.abs(share), 1, share < 0) + "%";
};
const growthText = (part, of) => (part > of ? "+" : "") + shareText(part - of, of);

const dayText = (day) => new Date(day * 86400000).toISOString().slice(0, 10);
const monthText = (month) => `${String(Math.floor(month / 12)).padStart(4, "0")}-${String((month % 12) + 1).padStart(2, "0")}`;
const monthOf = (day) => {
  const date = new Date(day * 86400000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};
const firstDayOf = (month) => Date.UTC(Math.floor(month / 12), month % 12, 1) / 86400000;
const daysText = (count) => (count === 396 ? texts.thirteenMonths : count === 1 ? texts.oneDay : text("days", { count }));
