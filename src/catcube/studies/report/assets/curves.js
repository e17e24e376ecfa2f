// Lines over evaluations or sizes of instances. The key hides and shows lines, and tells their values
// where the pointer (or, with the arrow keys, the cursor) is.

function seriesOf(chart, chosen) {
  const indices = representationIndices(chart.pairs);
  const algorithms = distinct(chart.pairs.map((pair) => pair[0]));
  const representations = [...indices.keys()]; // in the order of the plan, as the caption names the lines
  const levels = chart.sets[chosen] ?? [];
  return chart.pairs
    .map((pair, index) => ({
      pair,
      ys: levels[index] ?? null,
      algorithm: algorithms.indexOf(pair[0]),
      representation: indices.get(pair[1]),
      dash: DASHES[representations.indexOf(pair[1]) % DASHES.length],
    }))
    .filter((series) => series.ys !== null)
    .sort((one, other) => (other.ys.at(-1) ?? -1) - (one.ys.at(-1) ?? -1));
}

// Levels come as differences of whole numbers.
function unpackCurves(chart) {
  let sum = 0;
  chart.xs ??= chart.grid.map((step) => (sum += step));
  chart.sets ??= Object.fromEntries(
    Object.entries(chart.packed).map(([name, curves]) => [
      name,
      curves.map((curve) => {
        if (curve === null) return null;
        let level = 0;
        return curve.steps.map((step) => (level += step) / curve.total);
      }),
    ]),
  );
  delete chart.packed;
}

function indexAt(xs, x) {
  let [low, high] = [0, xs.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (xs[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

// A line through the points that are known.
function linePath(chart, ys, x, y) {
  let path = "";
  for (let index = 0; index < ys.length; index += 1) {
    if (ys[index] === null) continue;
    const [right, up] = [x(chart.xs[index]).toFixed(1), y(ys[index]).toFixed(1)];
    if (index === 0 || ys[index - 1] === null) path += `M${right} ${up}`;
    else if (ys[index] !== ys[index - 1] || index === ys.length - 1) path += `H${right}V${up}`;
  }
  return path;
}

// One figure: a stage with the picture and a key of buttons.
function linesPicture(figure, chart, { series, colour, name, height, hidden, onToggle, compact }) {
  const stage = html("div", {
    class: "stage", tabindex: "0", role: "group",
    "aria-label": `${name}. Left and right arrow keys read values.`,
  });
  const where = html("output", { class: "where" });
  const key = html("ul", { class: compact ? "key buttons two" : "key buttons" });
  figure.append(stage, where, key);
  let cursor = null;
  let geometry = null;

  const entries = series.map((curve) => {
    const sample = svg("svg", { viewBox: "0 0 26 8", class: "sample", "aria-hidden": "true" });
    sample.append(svg("line", { class: "line", x1: 0, x2: 26, y1: 4, y2: 4, "stroke-dasharray": curve.dash }));
    const value = html("span", { class: "reading" });
    const text = compact ? curve.pair[1] : pairName(curve.pair);
    const button = html("button", { type: "button" }, sample, html("span", { class: "pair" }, text), value);
    colourBy(button, colour, curve[colour]);
    button.addEventListener("click", () => onToggle(curve.pair));
    for (const [event, on] of [["pointerenter", true], ["focus", true], ["pointerleave", false], ["blur", false]]) {
      button.addEventListener(event, () => highlight(on ? curve : null));
    }
    key.append(html("li", {}, button));
    return { curve, button, value };
  });

  function highlight(chosen) {
    stage.classList.toggle("focused", chosen !== null);
    stage.querySelectorAll(".line").forEach((line) => {
      line.classList.toggle("chosen", chosen !== null && line.dataset.pair === pairName(chosen.pair));
    });
    for (const { curve, button } of entries) button.classList.toggle("near", curve === chosen);
  }

  const draw = (width) => {
    const [left, right, top] = [compact ? 34 : 42, width - 14, compact ? 10 : 26];
    const bottom = height(width) - (compact ? 24 : 40);
    const x = logScale(
      [chart.xs[0], Math.max(chart.xs[chart.xs.length - 1], chart.xs[0] + 1)], [left, right],
    );
    const y = linearScale([chart.low, chart.high], [bottom, top]);
    geometry = { x, y, left, right, top, bottom };
    const picture = svg("svg", { viewBox: `0 0 ${width} ${height(width)}`, "aria-hidden": "true" });
    picture.append(
      yAxis(y, { left, right, top, label: compact ? "" : chart.yLabel, ticks: compact ? 2 : 5 }),
      xAxis(x, { top, bottom, left, right, label: compact ? "" : chart.xLabel, ticks: width / (compact ? 50 : 70) }),
    );
    for (const curve of [...series].reverse()) {
      if (hidden.has(pairName(curve.pair))) continue;
      const line = svg("path", {
        class: "line", d: linePath(chart, curve.ys, x, y), "stroke-dasharray": curve.dash,
      });
      line.dataset.pair = pairName(curve.pair);
      picture.append(colourBy(line, colour, curve[colour]));
    }
    const cross = svg("line", { class: "cross", y1: top, y2: bottom });
    picture.append(cross);
    stage.replaceChildren(picture);
    geometry.cross = cross;
    read();
  };

  function read() {
    const last = chart.xs.length - 1;
    const index = cursor ?? last;
    if (geometry) {
      const at = geometry.x(chart.xs[index]);
      geometry.cross.setAttribute("x1", at);
      geometry.cross.setAttribute("x2", at);
      geometry.cross.classList.toggle("on", cursor !== null);
    }
    where.textContent = `${chart.pointLabel(index)}${cursor === null ? " (the end)" : ""}`;
    for (const { curve, button, value } of entries) {
      const off = hidden.has(pairName(curve.pair));
      button.setAttribute("aria-pressed", String(!off));
      value.textContent = chart.reading(curve.ys[index]);
    }
  }

  // The line under the pointer, or close to it.
  function seriesNear(height) {
    let [found, least] = [null, 14];
    for (const curve of series) {
      const level = curve.ys[cursor];
      if (level === null || hidden.has(pairName(curve.pair))) continue;
      const away = Math.abs(geometry.y(level) - height);
      if (away < least) [found, least] = [curve, away];
    }
    return found;
  }

  const redraw = drawn(stage, draw);
  const point = (event) => {
    if (!geometry) return;
    const box = stage.getBoundingClientRect();
    const x = Math.min(Math.max(event.clientX - box.left, geometry.left), geometry.right);
    cursor = indexAt(chart.xs, geometry.x.invert(x));
    read();
    const near = seriesNear(event.clientY - box.top);
    if (!compact) highlight(near);
    if (near === null) hideTooltip();
    else {
      const mark = { left: event.clientX, width: 0, top: event.clientY, bottom: event.clientY };
      showTooltip([pairName(near.pair), chart.reading(near.ys[cursor])], mark);
    }
  };
  stage.addEventListener("pointermove", point);
  stage.addEventListener("pointerdown", point);
  stage.addEventListener("pointerleave", (event) => {
    highlight(null);
    hideTooltip();
    if (event.pointerType === "touch") return;
    cursor = null;
    read();
  });
  stage.addEventListener("keydown", (event) => {
    const last = chart.xs.length - 1;
    const stride = Math.max(1, Math.round(chart.xs.length / 60));
    const moves = {
      ArrowLeft: (now) => now - stride, ArrowRight: (now) => now + stride,
      Home: () => 0, End: () => last, Escape: () => null,
    };
    if (!(event.key in moves)) return;
    event.preventDefault();
    const next = moves[event.key](cursor ?? last);
    cursor = next === null ? null : Math.min(Math.max(next, 0), last);
    read();
    where.setAttribute("aria-live", "polite");
  });
  read();
  return redraw;
}

// Of more pairs than can be told from each other, only the best are shown at first.
const [CROWDED, BEST] = [40, 12];

// All pairs in one figure, coloured by algorithm, with buttons for whole representations.
function overallFigure(figure, chart) {
  const hidden = new Set();
  let chosen = Object.keys(chart.sets)[0];
  const choices = html("div", { class: "choices" });
  const body = html("div", { class: "lines" });
  figure.prepend(choices, body);
  let redraw = () => {};

  const only = (wanted) => () => {
    hidden.clear();
    for (const pair of chart.pairs) if (!wanted(pair)) hidden.add(pairName(pair));
    redraw();
  };
  const representations = distinct(chart.pairs.map((pair) => pair[1]));
  const offers = [["all pairs", () => true], ["none", () => false]];
  const isBest = (pair) => seriesOf(chart, chosen).slice(0, BEST).some((curve) => curve.pair === pair);
  if (chart.pairs.length > CROWDED) offers.push([`best ${BEST}`, isBest]);
  if (representations.length > 1) {
    for (const name of representations) offers.push([`only ${name}`, (pair) => pair[1] === name]);
  }
  choices.append(html("span", {}, "Show"));
  for (const [text, wanted] of offers) {
    const button = html("button", { type: "button" }, text);
    button.addEventListener("click", only(wanted));
    choices.append(button);
  }

  if (chart.pairs.length > CROWDED) only(isBest)();

  function build() {
    body.replaceChildren();
    redraw = linesPicture(body, chart, {
      series: seriesOf(chart, chosen),
      colour: "algorithm",
      name: `${chart.title}: ${chart.names[chosen]}`,
      height: (width) => Math.max(300, Math.min(460, width * 0.62)),
      hidden,
      onToggle: (pair) => {
        const name = pairName(pair);
        if (!hidden.delete(name)) hidden.add(name);
        redraw();
      },
      compact: false,
    });
  }
  build();
  return (choice) => {
    chosen = choice;
    build();
  };
}

// A small figure for each algorithm, coloured by representation.
function eachFigure(figure, chart) {
  let chosen = Object.keys(chart.sets)[0];
  const body = html("div", { class: "multiples" });
  figure.prepend(body);

  function build() {
    body.replaceChildren();
    const all = seriesOf(chart, chosen);
    for (const name of distinct(chart.pairs.map((pair) => pair[0]))) {
      const series = all.filter((curve) => curve.pair[0] === name);
      if (series.length === 0) continue;
      const hidden = new Set();
      const small = html("div", { class: "small" }, html("h4", {}, name));
      body.append(small);
      const redraw = linesPicture(small, chart, {
        series, colour: "representation", name: `${name}: ${chart.names[chosen]}`,
        height: () => 168, hidden, compact: true,
        onToggle: (pair) => {
          if (!hidden.delete(pairName(pair))) hidden.add(pairName(pair));
          redraw();
        },
      });
    }
  }
  build();
  return (choice) => {
    chosen = choice;
    build();
  };
}
