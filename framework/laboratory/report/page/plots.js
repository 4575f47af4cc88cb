// SPDX-License-Identifier: Apache-2.0
// Draws curves with uPlot, and all other plots as SVG without a library.
const palette = ["#3778c2", "#d9632a", "#2f9e5f", "#a04fb5", "#c2a021", "#d0457e", "#27a1a8", "#8a6d4b", "#7c83db", "#6f9a2d", "#e08a7a", "#6b7680"];
const colour = (k) => palette[k % palette.length];
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const SVG = "http://www.w3.org/2000/svg";

function shape(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function canvas(place, width, height, title) {
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-label": title });
  place.append(svg);
  return svg;
}

function short(value) {
  if (value === null || value === undefined) return "";
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size >= 1e5) return value.toExponential(1).replace("e+", "e").replace(".0e", "e");
  if (size < 1e-2) return value.toExponential(0);
  return String(Number(value.toPrecision(3)));
}

function ticks(low, high, count) {
  const raw = (high - low) / count || 1;
  const unit = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = [1, 2, 5, 10].map((f) => f * unit).find((s) => s >= raw);
  const found = [];
  for (let t = Math.ceil(low / step) * step; t <= high + step * 1e-9; t += step) found.push(Math.abs(t) < step * 1e-9 ? 0 : t);
  return found;
}

// Labels are never cut: a label that is too long for its room is broken into several lines.
const letter = 6.4, lineHeight = 12;  // width of a letter and height of a line in the font of page.css, in SVG units
function wrapped(text, room) {
  const most = Math.max(8, Math.floor(room / letter)), lines = [""];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1], joined = last === "" ? word : last + " " + word;
    if (joined.length <= most) { lines[lines.length - 1] = joined; continue; }
    const pieces = word.match(new RegExp(`.{1,${most}}`, "gu")) || [""];
    if (last === "") lines.pop();
    lines.push(...pieces);
  }
  return lines;
}
const roomFor = (texts, most) => Math.min(most, Math.max(40, ...texts.map((text) => text.length * letter)) + 10);

// Draws the lines of a label, centred around y.
function label(lines, x, y, anchor) {
  const text = shape("text", { "text-anchor": anchor });
  const first = y + 4 - (lines.length - 1) * lineHeight / 2;
  lines.forEach((line, k) => text.append(shape("tspan", { x, y: first + k * lineHeight }, line)));
  return text;
}

// Draws each series as a row above a common horizontal axis, with the name of the series at the left of the row.
function drawRows(plot, place, values, drawRow) {
  const right = 22, width = 400, room = roomFor(plot.series.map((s) => s.name), 190), left = room + 8;
  const names = plot.series.map((s) => wrapped(s.name, room));
  const rows = names.map((lines) => Math.max(24, lines.length * lineHeight + 6));
  const height = rows.reduce((sum, row) => sum + row, 0) + 44;
  let low = Math.min(...values), high = Math.max(...values);
  const logarithmic = plot.logy && low > 0 && high / low > 20;
  if (low === high) { const pad = Math.abs(low) * 0.05 || 1; low -= pad; high += pad; }
  const scale = logarithmic ? Math.log10 : (v) => v;
  const at = (v) => left + (scale(v) - scale(low)) / (scale(high) - scale(low)) * (width - left - right);
  const svg = canvas(place, width, height, plot.title);
  const marks = logarithmic ? ticks(Math.log10(low), Math.log10(high), 4).map((t) => Math.pow(10, t)) : ticks(low, high, 6);
  for (const t of marks) {
    svg.append(shape("line", { x1: at(t), x2: at(t), y1: 4, y2: height - 36, class: "axis" }));
    svg.append(shape("text", { x: at(t), y: height - 22, "text-anchor": "middle", class: "soft" }, short(t)));
  }
  svg.append(shape("text", { x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle", class: "soft" }, plot.y));
  let top = 4;
  plot.series.forEach((s, k) => {
    const y = top + rows[k] / 2;
    top += rows[k];
    svg.append(label(names[k], left - 8, y, "end"));
    drawRow(svg, s, k, y, at);
  });
}

function drawBox(plot, place) {
  drawRows(plot, place, plot.series.flatMap((s) => [...s.x, ...s.y]), (svg, s, k, y, at) => {
    const [a, q1, m, q3, b] = s.x.map(at);
    svg.append(shape("line", { x1: a, x2: b, y1: y, y2: y, stroke: colour(k), "stroke-width": 1.2 }));
    svg.append(shape("rect", { x: q1, y: y - 7, width: Math.max(1.5, q3 - q1), height: 14, fill: colour(k), "fill-opacity": 0.3, stroke: colour(k), rx: 1.5 }));
    svg.append(shape("line", { x1: m, x2: m, y1: y - 7, y2: y + 7, stroke: colour(k), "stroke-width": 2.5 }));
    for (const o of s.y) svg.append(shape("circle", { cx: at(o), cy: y, r: 2.2, fill: "none", stroke: colour(k) }));
  });
}

// Draws each value as a point and the mean as a bar.
function drawPoints(plot, place) {
  drawRows(plot, place, plot.series.flatMap((s) => [...s.x, ...s.y]), (svg, s, k, y, at) => {
    for (const v of s.y) svg.append(shape("circle", { cx: at(v), cy: y, r: 2.6, fill: colour(k), "fill-opacity": 0.45 }));
    for (const m of s.x) svg.append(shape("line", { x1: at(m), x2: at(m), y1: y - 8, y2: y + 8, stroke: css("--ink"), "stroke-width": 2 }));
  });
}

// A hollow bar has the same colour as the filled bar that it belongs to.
const barColour = (plot, s) => colour(plot.series.findIndex((one) => one.name === s.name.replace(/, theirs$/, "")));

// Draws groups of bars side by side, from 0. Published values are hollow bars.
function drawBars(plot, place) {
  const count = plot.series.length, bar = Math.max(5, Math.min(18, 300 / (plot.labels.length * count))), gap = Math.max(14, bar);
  const left = 44, least = Math.max(count * bar, ...plot.labels.map((l) => l.length * letter)) + gap;
  const width = Math.max(400, left + plot.labels.length * least + 10), height = 230, bottom = 24;
  const group = (width - left - 10) / plot.labels.length;
  const all = plot.series.flatMap((s) => s.y), low = Math.min(0, ...all), high = Math.max(0, ...all), span = high - low || 1;
  const at = (v) => 8 + (high - v) / span * (height - bottom - 12);
  const svg = canvas(place, width, height, plot.title);
  for (const t of ticks(low, high, 5)) {
    svg.append(shape("line", { x1: left, x2: width - 4, y1: at(t), y2: at(t), class: "axis" }));
    svg.append(shape("text", { x: left - 5, y: at(t) + 4, "text-anchor": "end", class: "soft" }, short(t)));
  }
  plot.series.forEach((s, k) => s.x.forEach((g, j) => {
    const x = left + g * group + (group - count * bar) / 2 + k * bar, y = Math.min(at(0), at(s.y[j]));
    const box = shape("rect", { x: x + 0.5, y, width: bar - 1, height: Math.max(1, Math.abs(at(s.y[j]) - at(0))), stroke: barColour(plot, s), fill: s.dashed ? "none" : barColour(plot, s) });
    box.append(shape("title", {}, `${s.name}, ${plot.labels[g]}: ${s.y[j]}`));
    svg.append(box);
  }));
  svg.append(shape("line", { x1: left, x2: width - 4, y1: at(0), y2: at(0), stroke: css("--ink") }));
  plot.labels.forEach((l, g) => svg.append(shape("text", { x: left + (g + 0.5) * group, y: height - 6, "text-anchor": "middle" }, l)));
  place.append(legendOf(plot));
}

// Draws mean ranks on a line, with the names below each other. A bar joins ranks that do not differ significantly.
function drawRanks(plot, place) {
  const count = plot.series.length, ranks = plot.series.map((s) => s.x[0]);
  const width = Math.max(360, Math.min(900, place.clientWidth || 900)), top = 34 + plot.groups.length * 8;
  const texts = plot.series.map((s, k) => `${s.name} ${ranks[k].toFixed(2)}`), side = roomFor(texts, width * 0.34) + 14;
  const names = texts.map((text) => wrapped(text, side - 14)), half = Math.ceil(count / 2);
  const row = Math.max(19, ...names.map((lines) => lines.length * lineHeight + 6)), height = top + half * row + 20;
  const low = 1, high = Math.max(count, 2);
  const at = (r) => side + (r - low) / (high - low) * (width - 2 * side);
  const svg = canvas(place, width, height, plot.title);
  svg.append(shape("line", { x1: at(low), x2: at(high), y1: 22, y2: 22, stroke: css("--ink") }));
  for (let r = low; r <= high; ++r) {
    svg.append(shape("line", { x1: at(r), x2: at(r), y1: 18, y2: 22, stroke: css("--ink") }));
    svg.append(shape("text", { x: at(r), y: 13, "text-anchor": "middle", class: "soft" }, r));
  }
  plot.groups.forEach(([from, to], k) => svg.append(shape("line", { x1: at(from) - 3, x2: at(to) + 3, y1: 31 + 8 * k, y2: 31 + 8 * k, stroke: css("--ink"), "stroke-width": 3.5, "stroke-linecap": "round" })));
  plot.series.forEach((s, k) => {
    const first = k < half, y = top + (first ? k : count - 1 - k) * row + 14, x = at(ranks[k]), end = first ? side - 8 : width - side + 8;
    svg.append(shape("path", { d: `M${x} 22V${y}H${end}`, fill: "none", stroke: colour(k) }));
    svg.append(label(names[k], first ? end - 4 : end + 4, y, first ? "end" : "start"));
  });
}

function drawHeat(plot, place) {
  const cell = Math.max(46, ...plot.labels.map((l) => l.length * letter + 8)), left = roomFor(plot.rows, 400) + 8;
  const axes = `across: ${plot.x}, down: ${plot.y}`;
  const width = Math.max(left + plot.labels.length * cell + 10, axes.length * letter + 8), height = plot.rows.length * 30 + 50;
  const all = plot.series.flatMap((s) => s.y).filter((v) => v !== null);
  const low = Math.min(...all), high = Math.max(...all);
  const svg = canvas(place, width, height, plot.title);
  plot.series.forEach((s, r) => {
    svg.append(shape("text", { x: left - 6, y: r * 30 + 20, "text-anchor": "end" }, plot.rows[r]));
    s.y.forEach((v, c) => {
      if (v === null) return;
      const share = high > low ? (v - low) / (high - low) : 0;
      const box = shape("rect", { x: left + c * cell, y: r * 30 + 2, width: cell - 2, height: 28, rx: 3, fill: `hsl(210 70% ${88 - 55 * share}%)` });
      box.append(shape("title", {}, `${plot.y} ${plot.rows[r]}, ${plot.x} ${plot.labels[c]}: ${v}`));
      svg.append(box);
      const number = shape("text", { x: left + c * cell + cell / 2 - 1, y: r * 30 + 20, "text-anchor": "middle" }, short(v));
      number.style.fill = share > 0.5 ? "#fff" : "#123";
      svg.append(number);
    });
  });
  plot.labels.forEach((l, c) => svg.append(shape("text", { x: left + c * cell + cell / 2, y: plot.rows.length * 30 + 16, "text-anchor": "middle" }, l)));
  svg.append(shape("text", { x: 4, y: plot.rows.length * 30 + 40, class: "soft" }, axes));
}

// Returns the sorted x values of all series, and a function that spreads a series over them, as uPlot needs it. The
// result has null where the series has no value.
function joined(plot) {
  const xs = [...new Set(plot.series.flatMap((s) => s.x))].sort((a, b) => a - b);
  const place = new Map(xs.map((x, k) => [x, k]));
  const spread = (x, y) => { const out = Array(xs.length).fill(null); x.forEach((v, k) => { out[place.get(v)] = y[k]; }); return out; };
  return { xs, spread };
}

function legendOf(plot) {
  const legend = make("div", { class: "legend" });
  plot.series.forEach((s, k) => {
    const box = make("i");
    const hollow = plot.kind === "bars" && s.dashed, ink = plot.kind === "bars" ? barColour(plot, s) : colour(k);
    if (hollow) box.style.boxShadow = "inset 0 0 0 1px " + ink;
    else box.style.background = ink;
    legend.append(make("span", {}, box, s.name));
  });
  return legend;
}

// A label beside the axis must not be longer than the axis. A longer label goes above the drawing.
const chartHeight = 230, axisLength = chartHeight - 70;
const isLong = (text) => text.length * letter > axisLength;

function drawCurves(plot, place) {
  if (isLong(plot.y)) place.append(make("p", { class: "axis-label" }, "Upwards: " + plot.y));
  const { xs, spread } = joined(plot);
  const data = [xs], series = [{ label: plot.x }], bands = [];
  const stepped = uPlot.paths.stepped({ align: 1 });
  plot.series.forEach((s, k) => {
    const common = { stroke: colour(k), spanGaps: true, points: { show: s.x.length < 2, size: 5 } };
    data.push(spread(s.x, s.y));
    series.push({ ...common, label: s.name, width: 1.8, dash: s.dashed ? [6, 4] : undefined, paths: plot.kind === "steps" ? stepped : undefined });
    if (!s.high) return;
    data.push(spread(s.x, s.high), spread(s.x, s.low));
    series.push({ ...common, label: "", width: 0 }, { ...common, label: "", width: 0 });
    bands.push({ series: [series.length - 2, series.length - 1], fill: colour(k) + "26" });
  });
  const ink = css("--soft"), line = css("--line");
  const axis = (label) => ({ label, stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line }, font: "11px system-ui", labelFont: "12px system-ui", labelSize: 18, size: label === plot.x ? 34 : 52, values: (u, values) => values.map((v) => v === null ? "" : short(v)) });
  const logx = plot.logx && xs[0] > 0 && xs[xs.length - 1] > xs[0];
  const width = Math.max(240, place.clientWidth || 380);
  const chart = new uPlot({
    width, height: chartHeight, bands, series, legend: { show: false }, cursor: { drag: { x: true, y: true } },
    scales: { x: { time: false, distr: logx ? 3 : 1 }, y: { distr: plot.logy && plot.series.every((s) => s.y.every((v) => v > 0)) ? 3 : 1, range: plot.kind === "steps" ? [0, 1.02] : undefined } },
    // If a plot of lines has at most 10 x values, as in a sweep, the axis shows every x value.
    axes: [plot.kind === "lines" && xs.length <= 10 ? { ...axis(plot.x), splits: () => xs, filter: (u, splits) => splits } : axis(plot.x), axis(isLong(plot.y) ? "" : plot.y)],
  }, data, place);
  place.append(legendOf(plot));
  charts.push([chart, place]);
}

// True if a text extends beyond the edge of its drawing.
function isClipped(text) {
  const box = text.getBBox(), all = text.ownerSVGElement.viewBox.baseVal;
  return box.width > 0 && (box.x < -1 || box.y < -1 || box.x + box.width > all.width + 1 || box.y + box.height > all.height + 1);
}

const charts = [];
const drawers = { box: drawBox, points: drawPoints, bars: drawBars, ranks: drawRanks, heat: drawHeat, lines: drawCurves, steps: drawCurves };
let drawn = 0;
function drawNext() {
  const until = performance.now() + 30;
  while (pending.length > 0 && performance.now() < until) {
    const [plot, place] = pending.shift();
    try {
      drawers[plot.kind](plot, place);
      ++drawn;
    } catch (error) {
      failures.push(plot.id + ": " + error.message);
      place.textContent = "This plot could not be drawn: " + error.message;
    }
  }
  document.body.dataset.drawn = drawn;
  document.body.dataset.clipped = [...document.querySelectorAll("svg text")].filter(isClipped).length;
  note();
  if (pending.length > 0) setTimeout(drawNext, 0);
}

build();
document.body.dataset.plots = pending.length;
drawNext();
let waiting = 0;
window.addEventListener("resize", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => charts.forEach(([chart, place]) => { if (place.clientWidth > 0) chart.setSize({ width: place.clientWidth, height: chartHeight }); }), 150);
});
document.querySelectorAll("details.part").forEach((part) => part.addEventListener("toggle", () => window.dispatchEvent(new Event("resize"))));
window.addEventListener("beforeprint", () => document.querySelectorAll("details.part").forEach((part) => { part.open = true; }));
