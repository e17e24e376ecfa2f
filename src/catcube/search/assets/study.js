"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const LINES = 500, TABLE = 25, DIGITS = 6, GOOD = 0.1;
const better = (a, b) => (data.maximize ? a > b : a < b);
const chosen = new Map();  // variable -> set of categories that are shown
const tip = document.getElementById("tip");

function element(parent, name, attributes = {}, text = null) {
  const svg = parent instanceof SVGElement || name === "svg";
  const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== null) made.textContent = text;
  parent.append(made);
  return made;
}

function short(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  const text = String(value), rounded = String(Number(value.toPrecision(DIGITS)));
  return text.length <= rounded.length ? text : rounded;
}

const clip = (text, most) => (text.length <= most ? text : text.slice(0, most - 1) + "…");
const label = (variable, category) =>
  (category === null ? "–" : data.labels[variable][category]);
const number = (value) => (typeof value === "string" ? Number(value) : value);

function explain(made, text) {
  made.addEventListener("pointermove", (event) => {
    tip.textContent = text();
    tip.hidden = false;
    const { innerWidth: width, innerHeight: height } = window;
    const left = Math.min(event.clientX + 14, width - tip.offsetWidth - 8);
    const top = Math.min(event.clientY + 14, height - tip.offsetHeight - 8);
    tip.style.left = `${Math.max(4, left)}px`;
    tip.style.top = `${Math.max(4, top)}px`;
  });
  made.addEventListener("pointerleave", () => { tip.hidden = true; });
}

function describe(row) {
  const lines = data.names.slice(0, 16).map((name, k) => `${name} = ${label(k, row.x[k])}`);
  if (data.names.length > 16) lines.push("…");
  return [`#${row.id}: ${row.state === "value" ? short(row.value) : row.state}`, ...lines].join("\n");
}

function ticks(low, high, count) {
  if (!(high > low)) return [low];
  const raw = (high - low) / count, power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10);
  const found = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step / 1e6; tick += step) {
    found.push(Number(tick.toPrecision(12)));
  }
  return found;
}

function stage(id, height, least = 0) {
  const place = document.querySelector(`#${id} .stage`);
  place.replaceChildren();
  const width = Math.max(least, Math.floor(place.parentElement.clientWidth));
  const svg = element(place, "svg", {
    width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": document.querySelector(`#${id} h2`).textContent,
  });
  return { svg, width, height };
}

/** Lowest and highest value; where a few bad ones are far off, the axis ends before them. */
function range(rows) {
  const sorted = rows.map((row) => row.value).sort((a, b) => a - b);
  const at = (share) => sorted[Math.round(share * (sorted.length - 1))];
  let low = sorted[0], high = sorted[sorted.length - 1];
  const spread = at(0.9) - at(0.1);
  if (spread > 0 && !data.maximize) high = Math.min(high, at(0.9) + spread);
  if (spread > 0 && data.maximize) low = Math.max(low, at(0.1) - spread);
  return high === low ? [low - 1, high + 1] : [low, high];
}

function drawCourse() {
  const ended = data.rows.filter((row) => row.state !== "running");
  const finite = ended.filter((row) => Number.isFinite(row.value));
  if (!finite.length) return;
  const { svg, width, height } = stage("course", 300);
  const left = 64, right = 14, top = 12, bottom = 38;
  const [low, high] = range(finite);
  const x = (k) => left + (width - left - right) * (ended.length > 1 ? k / (ended.length - 1) : 0.5);
  const y = (value) => top + (height - top - bottom)
    * (1 - (Math.min(Math.max(value, low), high) - low) / (high - low));
  for (const tick of ticks(low, high, 5)) {
    element(svg, "line", { class: "axis", x1: left, x2: width - right, y1: y(tick), y2: y(tick) });
    element(svg, "text", { x: left - 8, y: y(tick) + 4, "text-anchor": "end" }, short(tick));
  }
  for (const tick of ticks(1, ended.length, Math.min(8, width / 90))) {
    if (Number.isInteger(tick)) {
      element(svg, "text", { x: x(tick - 1), y: height - 18, "text-anchor": "middle" }, tick);
    }
  }
  element(svg, "text", { x: (left + width - right) / 2, y: height - 2, "text-anchor": "middle" },
    "point");
  let best = null, path = "";
  ended.forEach((row, k) => {
    if (Number.isFinite(row.value)) {
      const dot = element(svg, "circle", { class: "dot", cx: x(k), cy: y(row.value), r: 3.2 });
      explain(dot, () => describe(row));
      if (best === null || better(row.value, best)) best = row.value;
    } else {
      const cross = element(svg, "path", {
        class: "cross", d: `M${x(k) - 3} ${top}l6 6m-6 0l6 -6`,
      });
      explain(cross, () => `${describe(row)}\n${row.message}`);
    }
    if (best !== null) path += path ? `H${x(k)}V${y(best)}` : `M${x(k)} ${y(best)}`;
  });
  element(svg, "path", { class: "front", d: path });
}

function visible(row) {
  for (const [variable, categories] of chosen) {
    if (!categories.has(row.x[variable])) return false;
  }
  return true;
}

function toggle(variable, category) {
  const set = chosen.get(variable) ?? new Set();
  if (!set.delete(category)) set.add(category);
  if (set.size) chosen.set(variable, set); else chosen.delete(variable);
  drawParallel();
  drawTable();
}

function drawParallel() {
  const rows = data.rows.filter((row) => Number.isFinite(row.value) && visible(row));
  const all = data.rows.filter((row) => Number.isFinite(row.value));
  if (!all.length) return;
  rows.sort((a, b) => (better(a.value, b.value) ? 1 : -1));
  const shown = rows.slice(-LINES);
  const axes = data.axes;
  const { svg, width, height } = stage("parallel", 360, 96 * (axes.length + 1));
  const top = 34, bottom = 22, left = 24, right = 74;
  const x = (k) => left + (width - left - right) * k / axes.length;
  const [low, high] = range(all);
  const height_of = (share) => top + (height - top - bottom) * (1 - share);
  const end_of = (value) => height_of((Math.min(Math.max(value, low), high) - low) / (high - low));
  const y = (variable, category) => {
    const count = data.labels[variable].length;
    return category === null ? height - 8
      : height_of(count > 1 ? category / (count - 1) : 0.5);
  };
  shown.forEach((row, k) => {
    const points = axes.map((variable, n) => `${x(n)} ${y(variable, row.x[variable])}`);
    points.push(`${x(axes.length)} ${end_of(row.value)}`);
    const good = k >= shown.length - Math.max(1, GOOD * all.length);
    const way = element(svg, "path", {
      class: good ? "way good" : "way", d: `M${points.join("L")}`,
    });
    explain(way, () => describe(row));
  });
  axes.forEach((variable, n) => {
    element(svg, "line", { class: "axis", x1: x(n), x2: x(n), y1: top, y2: height - bottom });
    element(svg, "text", {
      class: "name", x: x(n), y: 16, "text-anchor": n ? "middle" : "start",
    }, clip(data.names[variable], 14));
    const labels = data.labels[variable], step = Math.ceil(labels.length / 14);
    labels.forEach((text, category) => {
      if (category % step) return;
      const made = element(svg, "text", {
        class: chosen.get(variable)?.has(category) ? "label chosen" : "label",
        x: x(n) + 5, y: y(variable, category) + 4, tabindex: 0, role: "button",
      }, clip(text, 10));
      made.addEventListener("click", () => toggle(variable, category));
      made.addEventListener("keydown", (event) => {
        if (event.key === "Enter") toggle(variable, category);
      });
    });
  });
  const end = x(axes.length);
  element(svg, "line", { class: "axis", x1: end, x2: end, y1: top, y2: height - bottom });
  element(svg, "text", { class: "name", x: end, y: 16, "text-anchor": "middle" }, "value");
  for (const tick of ticks(low, high, 6)) {
    element(svg, "text", { x: end + 6, y: end_of(tick) + 4 }, short(tick));
  }
}

function drawImportance() {
  if (!data.importance.length) return;
  const rows = data.importance;
  const { svg, width } = stage("importance", 26 * rows.length + 30);
  const longest = Math.max(...rows.map((row) => Math.min(row.name.length, 24)));
  const left = Math.min(0.4 * width, 16 + 7.5 * longest), right = 20;
  const most = Math.max(...rows.map((row) => row.high), 1e-9);
  const x = (share) => left + (width - left - right) * share / most;
  rows.forEach((row, k) => {
    const y = 26 * k + 6;
    element(svg, "text", { class: "name", x: left - 8, y: y + 13, "text-anchor": "end" },
      clip(row.name, 24));
    const bar = element(svg, "rect", {
      class: "bar", x: left, y, width: Math.max(0, x(row.share) - left), height: 18,
    });
    explain(bar, () => `${row.name}: ${short(row.share)} (${short(row.low)} to ${short(row.high)})`);
    element(svg, "path", {
      class: "range",
      d: `M${x(row.low)} ${y + 9}H${x(row.high)}M${x(row.low)} ${y + 5}v8M${x(row.high)} ${y + 5}v8`,
    });
  });
  for (const tick of ticks(0, most, 5)) {
    element(svg, "text", { x: x(tick), y: 26 * rows.length + 22, "text-anchor": "middle" },
      short(tick));
  }
}

const columns = [
  { title: "#", number: true, of: (row) => row.id },
  { title: "state", of: (row) => row.state },
  { title: "value", number: true, of: (row) => row.value },
  { title: "seconds", number: true, of: (row) => row.seconds },
  ...data.names.map((title, k) => ({
    title, of: (row) => row.x[k] ?? -1, text: (row) => label(k, row.x[k]),
  })),
  { title: "message", of: (row) => row.message, message: true },
];
let order = { column: columns[0], sign: 1 }, limit = TABLE;

function drawTable() {
  const table = document.querySelector("#points table");
  table.replaceChildren();
  const head = element(element(table, "thead"), "tr");
  for (const column of columns) {
    const cell = element(head, "th", { scope: "col", class: column.number ? "number" : "" });
    if (column === order.column) {
      cell.setAttribute("aria-sort", order.sign > 0 ? "ascending" : "descending");
    }
    const button = element(cell, "button", { type: "button" }, column.title);
    button.addEventListener("click", () => {
      order = { column, sign: column === order.column ? -order.sign : 1 };
      drawTable();
    });
  }
  const rows = data.rows.filter(visible);
  const missing = (value) => value === null || Number.isNaN(value) || value === "";
  rows.sort((a, b) => {
    const [one, other] = [order.column.of(a), order.column.of(b)];
    if (missing(one) || missing(other)) return missing(one) - missing(other) || a.id - b.id;
    return (one < other ? -order.sign : one > other ? order.sign : 0) || a.id - b.id;
  });
  const body = element(table, "tbody");
  for (const row of rows.slice(0, limit)) {
    const lost = row.state === "failed" || row.state === "infeasible";
    const kind = row.id === data.best ? "best-row" : lost ? "lost" : "";
    const line = element(body, "tr", { class: kind });
    for (const column of columns) {
      const value = column.of(row);
      const text = column.text ? column.text(row) : missing(value) ? "" : short(value);
      const cell = element(line, "td", {
        class: column.number ? "number" : column.message ? "message" : "",
      }, text);
      if (column.message) cell.title = row.message;
    }
  }
  document.getElementById("count").textContent = rows.length === data.rows.length
    ? `${rows.length} points` : `${rows.length} of ${data.rows.length} points`;
  const more = document.getElementById("more");
  more.hidden = rows.length <= limit;
}

for (const row of data.rows) row.value = number(row.value) ?? NaN;
for (const section of document.querySelectorAll("section[hidden]")) section.remove();
document.getElementById("more").addEventListener("click", () => {
  limit *= 10;
  drawTable();
});
function draw() {
  drawCourse();
  drawParallel();
  drawImportance();
}
draw();
drawTable();
let width = window.innerWidth;
window.addEventListener("resize", () => {
  if (window.innerWidth !== width) draw();
  width = window.innerWidth;
});
