// What is drawn on charts besides their figures: days before and after what is observed, and notes.

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const paletteLength = 6;
const palette = (index) => colour(`--c${index % paletteLength}`);

const stepOf = ({ scales }, spans) => (spans.length > 1 ? scales.x.getPixelForValue(1) - scales.x.getPixelForValue(0) : scales.x.width);
// Days that not every app was asked about yet.
const hatch = {
  id: "hatch",
  beforeDatasetsDraw(chart) {
    const { spans, isDays } = chart.options;
    const first = spans && isDays ? spans.findIndex((span) => span > data.completeThrough) : -1;
    if (first < 0) return;
    const { ctx, chartArea, scales } = chart;
    const left = Math.max(chartArea.left, scales.x.getPixelForValue(first) - stepOf(chart, spans) / 2);
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
// Days and months that began before the stores were asked.
const shade = {
  id: "shade",
  beforeDatasetsDraw(chart) {
    const { spans, isDays } = chart.options;
    const count = spans ? spans.filter((span) => (isDays ? span < data.firstObserved : isMonthBefore(span))).length : 0;
    if (count === 0) return;
    const { ctx, chartArea, scales } = chart;
    const right = Math.min(chartArea.right, scales.x.getPixelForValue(count - 1) + stepOf(chart, spans) / 2);
    ctx.save();
    ctx.fillStyle = colour("--before");
    ctx.fillRect(chartArea.left, chartArea.top, right - chartArea.left, chartArea.bottom - chartArea.top);
    ctx.restore();
  },
};

// Notes: number, day and app; an empty app is all of them.
const isChosenApp = (app) => app === "" || chosen.app_id === "" || app === chosen.app_id;
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
// Numbers of the notes that stand on a chart.
const noted = new Set();
const showNotes = () => {
  document.querySelectorAll("#notes tbody tr").forEach((row) => {
    const isOutside = typeof Chart !== "undefined" && !noted.has(Number(row.cells[0].textContent));
    row.hidden = !isChosenApp(row.dataset.app);
    row.querySelector(".outside").textContent = isOutside ? texts.noteOutside : "";
  });
};
