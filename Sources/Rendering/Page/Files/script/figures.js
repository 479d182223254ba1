// The figures that the page holds, cut by cut: what each group of rows moves by, and when. Reads nothing but the page itself.

const data = JSON.parse(document.getElementById("data").textContent);
const reports = new Map(data.reports.map((report) => [report.name, report]));

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const digitOf = new Uint8Array(128);
for (let digit = 0; digit < 64; digit += 1) digitOf[letters.charCodeAt(digit)] = digit;

// Numbers one after another: digits of 32, the lowest first, with 32 more where another one follows.
const numbersOf = (text) => {
  let at = 0;
  const next = () => {
    for (let value = 0, unit = 1; ; unit *= 32) {
      const digit = digitOf[text.charCodeAt(at)];
      at += 1;
      value += (digit & 31) * unit;
      if (digit < 32) return value;
    }
  };
  const signed = () => {
    const value = next();
    return value % 2 ? -(value - 1) / 2 : value / 2;
  };
  return { next, signed, hasMore: () => at < text.length };
};

// What tells a cut's groups apart, by column.
const groupsOf = (cut) => {
  if (cut.values) return cut.values;
  const numbers = numbersOf(cut.groups);
  cut.values = cut.keys.map(() => {
    let value = 0;
    return Int32Array.from({ length: cut.count }, () => (value += numbers.signed()));
  });
  return cut.values;
};

// The spans that anything of a group is on: all of them, and where each group's begin.
const spansOf = (cut) => {
  if (cut.begins) return cut;
  const numbers = numbersOf(cut.spans);
  cut.begins = new Int32Array(cut.count + 1);
  cut.every = [];
  for (let group = 0; group < cut.count; group += 1) {
    const count = numbers.next();
    for (let place = 0, span = 0; place < count; place += 1) cut.every.push((span += numbers.next()));
    cut.begins[group + 1] = cut.every.length;
  }
  return cut;
};

const nothing = { by: [], at: [], value: [] };
const append = (line, by, at, value) => {
  line.by.push(by);
  line.at.push(at);
  line.value.push(value);
};

// A line as it is written: the group, the span and the value of each entry.
const writtenLine = (cut, number) => {
  cut.read ??= new Map();
  if (cut.read.has(number)) return cut.read.get(number);
  const written = cut.lines.find(([line]) => line === number);
  if (!written) return nothing;
  const [, exponent, text] = written;
  const line = { by: [], at: [], value: [] };
  const { begins, every } = spansOf(cut);
  const numbers = numbersOf(text);
  const unit = 10 ** exponent;
  const own = numbers.hasMore() && number > 2 ? writtenLine(cut, number - 2) : nothing;
  let ownPlace = 0;
  for (let group = 0; numbers.hasMore(); group += 1) {
    group += numbers.next();
    const manner = numbers.next();
    const [begin, end] = [begins[group], begins[group + 1]];
    if (manner === 3) {
      while (own.by[ownPlace] < group) ownPlace += 1;
      for (; own.by[ownPlace] === group; ownPlace += 1) append(line, group, own.at[ownPlace], own.value[ownPlace]);
    } else if (manner < 3) {
      const constant = manner === 2 ? numbers.signed() : 0;
      for (let place = begin; place < end; place += 1) append(line, group, every[place], (constant || numbers.signed()) * unit);
    } else {
      for (let count = manner - 3, place = begin; count > 0; count -= 1) {
        place += numbers.next();
        append(line, group, every[place], numbers.signed() * unit);
      }
    }
  }
  cut.read.set(number, line);
  return line;
};

// A figure's line: what is written of it, and the parts that it is the sum of.
const amountLine = (report, cut, index, isConverted) => {
  cut.amounts ??= new Map();
  const number = 1 + index * 4 + (isConverted ? 2 : 0);
  if (cut.amounts.has(number)) return cut.amounts.get(number);
  const parts = (report.spec.from?.[report.columns[index].name] ?? []).map((part) => {
    const name = /^[-<]/.test(part) ? part.slice(1) : part;
    const line = amountLine(report, cut, report.columns.findIndex((column) => column.name === name), isConverted);
    return { ...line, factor: part.startsWith("-") ? -1 : 1, delay: part.startsWith("<") ? 1 : 0 };
  });
  const written = writtenLine(cut, number);
  const line = parts.length === 0 ? written : {
    by: written.by.concat(...parts.map((part) => part.by)),
    at: written.at.concat(...parts.map((part) => (part.delay ? part.at.map((span) => span + part.delay) : part.at))),
    value: written.value.concat(...parts.map((part) => (part.factor === 1 ? part.value : part.value.map((value) => value * part.factor)))),
  };
  cut.amounts.set(number, line);
  return line;
};
