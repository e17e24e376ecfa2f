// What all figures are drawn with: SVG elements, scales, axes, numbers and the tooltip.

const study = JSON.parse(document.getElementById("charts").textContent);

function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function pairName([algorithm, representation]) {
  return `${algorithm}-${representation}`;
}

function distinct(values) {
  return [...new Set(values)];
}

// Colours are CSS variables, so that a change of theme needs no drawing.

function colourBy(element, kind, index) {
  const count = kind === "representation" ? 10 : 11;
  element.style.setProperty("--ink", `var(--${kind}-${index % count})`);
  return element;
}

// A representation has the same colour in all figures of the page.
function representationIndices(pairs) {
  const names = distinct(pairs.map((pair) => pair[1]));
  return new Map(names.map((name) => [name, study.representations[name]]));
}

const DASHES = ["none", "5 3", "2 2", "8 3 2 3", "4 2 1 2 1 2", "11 3", "1 4", "11 2 4 2", "3 3", "7 5"];

function exactNumber(value) {
  if (value === null || !Number.isFinite(value)) return "∞";
  const digits = Math.abs(value) >= 1000 || Number.isInteger(value) ? 0 : Math.abs(value) < 1 ? 4 : 2;
  return value.toLocaleString("en", { maximumFractionDigits: digits }).replace("-", "−");
}

// 1, 10, 100, 1k, 10k, … for axes.
function shortNumber(value) {
  for (const [size, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (Math.abs(value) >= size) return `${Number((value / size).toPrecision(3))}${letter}`;
  }
  return String(Number(value.toPrecision(3)));
}

function linearScale([low, high], [start, end]) {
  const span = high - low || 1;
  const scale = (value) => start + ((value - low) / span) * (end - start);
  scale.invert = (at) => low + ((at - start) / (end - start)) * span;
  scale.ticks = (count) => {
    const rough = span / Math.max(count, 1);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((multiple) => multiple * power).find((multiple) => multiple >= rough * (1 - 1e-9));
    const ticks = [];
    for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step) {
      ticks.push(Number(tick.toPrecision(12)));
    }
    return { major: ticks, minor: [] };
  };
  return scale;
}

function logScale([low, high], [start, end]) {
  const first = Math.log10(low);
  const span = Math.log10(high) - first || 1;
  const scale = (value) => start + ((Math.log10(value) - first) / span) * (end - start);
  scale.invert = (at) => 10 ** (first + ((at - start) / (end - start)) * span);
  scale.ticks = (count) => {
    const major = [];
    const minor = [];
    const skip = Math.max(1, Math.ceil(span / Math.max(count, 1)));
    for (let power = Math.floor(first); power <= first + span + 1e-9; power += 1) {
      for (let digit = 1; digit < 10; digit += 1) {
        const value = digit * 10 ** power;
        if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
        if (digit === 1 && power % skip === 0) major.push(value);
        else if (digit === 1 || skip === 1) minor.push(value);
      }
    }
    // Within two decades, powers of ten are too few to read values from.
    if (major.length < 3 && count > 3) {
      const between = minor.filter((value) => /^[25]/.test(value.toExponential()));
      return { major: [...major, ...between], minor };
    }
    return { major, minor };
  };
  return scale;
}

function xAxis(scale, { top, bottom, left, right, label, ticks }) {
  const group = svg("g", { class: "axis", "aria-hidden": "true" });
  const { major, minor } = scale.ticks(ticks);
  for (const value of minor) {
    const x = scale(value);
    group.append(svg("line", { class: "minor", x1: x, x2: x, y1: bottom, y2: bottom + 3 }));
  }
  for (const value of major) {
    const x = scale(value);
    group.append(
      svg("line", { class: "grid", x1: x, x2: x, y1: top, y2: bottom }),
      svg("text", { x, y: bottom + 16, "text-anchor": "middle" }, shortNumber(value)),
    );
  }
  group.append(svg("line", { class: "base", x1: left, x2: right, y1: bottom, y2: bottom }));
  if (label) {
    const middle = (left + right) / 2;
    group.append(
      svg("text", { class: "label", x: middle, y: bottom + 33, "text-anchor": "middle" }, label),
    );
  }
  return group;
}

function yAxis(scale, { left, right, label, top, ticks }) {
  const group = svg("g", { class: "axis", "aria-hidden": "true" });
  for (const value of scale.ticks(ticks).major) {
    const y = scale(value);
    group.append(
      svg("line", { class: "grid", x1: left, x2: right, y1: y, y2: y }),
      svg("text", { x: left - 7, y: y + 4, "text-anchor": "end" }, shortNumber(value)),
    );
  }
  if (label) group.append(svg("text", { class: "label", x: 0, y: top - 12 }, label));
  return group;
}

// Calls draw(width) now and whenever the width of the element changes.
function drawn(element, draw) {
  let width = 0;
  new ResizeObserver(() => {
    const now = Math.floor(element.clientWidth);
    if (now > 0 && now !== width) {
      width = now;
      draw(width);
    }
  }).observe(element);
  return () => {
    if (width > 0) draw(width);
  };
}

const tooltip = html("div", { class: "tooltip", role: "status", hidden: "" });
document.body.append(tooltip);

function showTooltip(lines, box) {
  tooltip.replaceChildren(
    ...lines.map((line, number) => html(number === 0 ? "strong" : "div", {}, line)),
  );
  tooltip.hidden = false;
  const { width, height } = tooltip.getBoundingClientRect();
  const room = document.documentElement.clientWidth;
  const left = Math.min(Math.max(4, box.left + box.width / 2 - width / 2), room - width - 4);
  const top = box.top - height - 8 > 0 ? box.top - height - 8 : box.bottom + 8;
  tooltip.style.left = `${left + window.scrollX}px`;
  tooltip.style.top = `${top + window.scrollY}px`;
}

function hideTooltip() {
  tooltip.hidden = true;
}

// One stop of the tab key; the arrows walk on from there.
function walkable(marks, lines) {
  marks.forEach((mark, index) => {
    mark.setAttribute("tabindex", index === 0 ? "0" : "-1");
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", lines[index].join(", "));
    const show = () => showTooltip(lines[index], mark.getBoundingClientRect());
    mark.addEventListener("pointerenter", show);
    mark.addEventListener("pointerleave", hideTooltip);
    mark.addEventListener("click", show);
    mark.addEventListener("focus", show);
    mark.addEventListener("blur", hideTooltip);
    mark.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (event.key === "Escape") hideTooltip();
      if (step === undefined) return;
      event.preventDefault();
      const next = marks[(index + step + marks.length) % marks.length];
      marks.forEach((other) => other.setAttribute("tabindex", other === next ? "0" : "-1"));
      next.focus();
    });
  });
}
