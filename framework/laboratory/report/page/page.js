// SPDX-License-Identifier: Apache-2.0
"use strict";
// Errors are kept where a test can see them.
const failures = [];
window.addEventListener("error", (event) => { failures.push(event.message); note(); });
function note() { document.body.dataset.errors = failures.length; document.body.dataset.failures = failures.join("; "); }

const report = JSON.parse(document.getElementById("data").textContent);

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  for (const child of children) element.append(child);
  return element;
}

// Like csv_field() of the program: a text that a spreadsheet would compute gets a ' in front.
const isFormula = (text) => /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) && !/^'*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
function csvField(text) {
  const safe = isFormula(text) ? "'" + text : text;
  return /[",;#\t\r\n]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
}

function save(name, rows) {
  const text = rows.map((row) => row.map((cell) => csvField(String(cell ?? ""))).join(",")).join("\n") + "\n";
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "text/csv" })), download: name + ".csv" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function saver(name, rows) {
  const button = make("button", { type: "button", title: "These data as CSV" }, "CSV");
  button.addEventListener("click", () => save(name, rows()));
  return button;
}

const smallText = (cell) => cell[1] === undefined ? cell[0] : cell[1] === null ? "" : cell[1];

function fill(body, table) {
  body.replaceChildren(...table.rows.map((row) => {
    const line = make("tr");
    row.forEach((cell, k) => {
      const td = make("td", {}, cell[0]);
      if (table.columns[k].text) td.className = "t" + (cell[0].includes("\n") ? " pre" : "");
      if (cell[0] === "better" || cell[0] === "worse") td.className += " " + cell[0];
      line.append(td);
    });
    return line;
  }));
}

function sortBy(table, column, direction) {
  const key = (row) => row[column][1] === undefined ? (row[column][0] === "" ? null : row[column][0]) : row[column][1];
  table.rows.sort((a, b) => {
    const x = key(a), y = key(b);
    if (x === null || y === null) return (x === null) - (y === null);
    const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), undefined, { numeric: true });
    return direction * order;
  });
}

function tableBlock(table) {
  const head = make("tr"), body = make("tbody");
  table.columns.forEach((column, k) => {
    const th = make("th", { scope: "col", tabindex: "0", title: "Sort" }, column.name);
    if (column.text) th.className = "t";
    const sort = () => {
      const direction = th.dataset.dir === "1" ? -1 : 1;
      head.querySelectorAll("th").forEach((other) => delete other.dataset.dir);
      th.dataset.dir = direction;
      sortBy(table, k, direction);
      fill(body, table);
    };
    th.addEventListener("click", sort);
    th.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(); });
    head.append(th);
  });
  fill(body, table);
  const rows = () => [table.columns.map((c) => c.name), ...table.rows.map((row) => row.map(smallText))];
  const block = make("div", { class: "table" },
    make("div", { class: "head" }, make("h3", {}, table.title), saver(table.id, rows)),
    make("div", { class: "scroll" }, make("table", {}, make("thead", {}, head), body)));
  if (table.note) block.append(make("p", { class: "note" }, table.note));
  return block;
}

function plotBlock(plot) {
  const rows = () => [["series", "x", "y", "low", "high"], ...plot.series.flatMap((s) =>
    Array.from({ length: Math.max(s.x.length, s.y.length) }, (_, k) => [s.name, plot.kind === "heat" ? plot.labels[k] : plot.kind === "bars" ? plot.labels[s.x[k]] : s.x[k], s.y[k], s.low?.[k], s.high?.[k]]))];
  const place = make("div", { class: "plot" });
  const card = make("div", { class: "card" + (plot.kind === "ranks" ? " wide" : "") },
    make("div", { class: "head" }, make("h3", {}, plot.title), saver(plot.id, rows)), place);
  if (plot.note) card.append(make("p", { class: "note" }, plot.note));
  pending.push([plot, place]);
  return card;
}

// Shows a drawing as an image: a browser runs no script in an image and loads nothing for it.
let images = 0, broken = 0;
function drawingBlock(drawing) {
  const image = make("img", { alt: drawing.title });
  const holder = make("div", { class: "drawing" }, image);
  image.addEventListener("load", () => { document.body.dataset.images = ++images; });
  image.addEventListener("error", () => {
    document.body.dataset.broken = ++broken;
    holder.textContent = "This drawing is no valid SVG.";
  });
  image.src = drawing.image;
  return holder;
}

const pending = [];
let parts = 0;
function sectionBlock(section) {
  const id = "part-" + ++parts;
  const part = make("details", { class: "part", id }, make("summary", {}, make("h2", {}, section.title)));
  if (section.open) part.open = true;
  if (section.text) part.append(make("p", { class: "text" }, section.text));
  const plots = make("div", { class: "grid" });
  for (const plot of section.plots) plots.append(plotBlock(plot));
  for (const drawing of section.drawings) {
    plots.append(make("div", { class: "card" }, make("h3", {}, drawing.title), drawingBlock(drawing)));
  }
  const wide = section.plots.length > 0 && section.plots[0].kind === "ranks";
  if (wide) part.append(plots);
  for (const table of section.tables) part.append(tableBlock(table));
  if (!wide && plots.childElementCount > 0) part.append(plots);
  const link = make("a", { href: "#" + id }, section.title);
  link.addEventListener("click", () => { part.open = true; });
  document.querySelector("nav").append(link);
  return part;
}

function build() {
  const header = document.querySelector("header");
  header.append(make("h1", {}, report.title));
  for (const fact of report.facts) header.append(make("p", {}, fact));
  for (const warning of report.warnings) header.append(make("p", { class: "warn" }, warning));
  document.querySelector("main").append(...report.sections.map(sectionBlock));
  document.body.append(make("footer", {}, "Made " + report.made + " by qapfw. Every table and plot can be saved as CSV; click a column's name to sort."));
}
