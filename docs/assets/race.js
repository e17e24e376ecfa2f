// Two recorded searches on one Sudoku, side by side. The data are in sudoku-race.js; nothing is loaded.
(() => {
  const home = document.getElementById("race");
  const names = Object.keys(RACE.runs);
  const STEPS = 400; // of the slider, in equal ratios of evaluations
  const BLOCK = Math.sqrt(Math.sqrt(RACE.givens.length));
  const SIDE = BLOCK * BLOCK;
  const COLOURS = { direct: "#e69f00", linear: "#3a87c8" };
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let timer = null;

  function element(tag, properties = {}, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  const evaluationsAt = (step) => Math.round(Math.pow(RACE.budget, step / STEPS));

  function frameAt(name, evaluations) {
    let found = RACE.runs[name][0];
    for (const frame of RACE.runs[name]) {
      if (frame[0] > evaluations) break;
      found = frame;
    }
    return found;
  }

  function inConflict(cells, place) {
    const row = Math.floor(place / SIDE), column = place % SIDE;
    return [...cells].some((digit, other) => {
      if (other === place || digit !== cells[place]) return false;
      const r = Math.floor(other / SIDE), c = other % SIDE;
      return r === row || c === column ||
        (Math.floor(r / BLOCK) === Math.floor(row / BLOCK) && Math.floor(c / BLOCK) === Math.floor(column / BLOCK));
    });
  }

  function board(name) {
    const body = element("tbody");
    for (let row = 0; row < SIDE; row += 1) {
      const line = element("tr");
      for (let column = 0; column < SIDE; column += 1) line.append(element("td"));
      body.append(line);
    }
    const table = element("table", { className: "sudoku", id: `race-${name}` }, body);
    table.setAttribute("aria-label", `the board with the ${name} representation`);
    return element("figure", {}, element("figcaption", { id: `race-${name}-said` }), table);
  }

  function fill(name, evaluations) {
    const [, value, cells] = frameAt(name, evaluations);
    document.querySelectorAll(`#race-${name} td`).forEach((cell, place) => {
      cell.textContent = cells[place];
      cell.className = (RACE.givens[place] === "0" ? "free" : "given") + (inConflict(cells, place) ? " conflict" : "");
    });
    document.getElementById(`race-${name}-said`).replaceChildren(
      element("b", {}, name), `: value ${value}`);
  }

  const SVG = "http://www.w3.org/2000/svg";
  function drawn(tag, attributes) {
    const made = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  function chart() {
    const width = Math.max(300, Math.min(640, home.clientWidth || 640)), height = 200, left = 40, bottom = 24;
    const most = Math.max(...names.map((name) => RACE.runs[name][0][1]));
    const x = (evaluations) => left + ((width - left - 8) * Math.log(evaluations)) / Math.log(RACE.budget);
    const y = (value) => 8 + (height - bottom - 8) * (1 - value / most);
    const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "value over evaluations" });
    for (const value of [0, 50, 100, 150].filter((one) => one <= most)) {
      svg.append(drawn("line", { x1: left, x2: width - 8, y1: y(value), y2: y(value), class: "grid" }));
      const text = drawn("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" });
      text.textContent = value;
      svg.append(text);
    }
    for (const evaluations of [1, 100, 10000, RACE.budget]) {
      const text = drawn("text", { x: Math.min(x(evaluations), width - 30), y: height - 6, "text-anchor": "middle" });
      text.textContent = evaluations.toLocaleString("en");
      svg.append(text);
    }
    for (const name of names) {
      let path = "", last = null;
      for (const [evaluations, value] of RACE.runs[name]) {
        path += last === null ? `M${x(evaluations)} ${y(value)}` : `H${x(evaluations)}V${y(value)}`;
        last = value;
      }
      svg.append(drawn("path", { d: `${path}H${x(RACE.budget)}`, fill: "none", stroke: COLOURS[name], "stroke-width": 2.5 }));
    }
    svg.append(drawn("line", { id: "race-mark", y1: 8, y2: height - bottom, class: "mark" }));
    return [svg, x];
  }

  const [svg, x] = chart();
  function show(step) {
    const evaluations = evaluationsAt(step);
    names.forEach((name) => fill(name, evaluations));
    document.getElementById("race-count").textContent = `${evaluations.toLocaleString("en")} evaluation${evaluations === 1 ? "" : "s"}`;
    const mark = document.getElementById("race-mark");
    mark.setAttribute("x1", x(evaluations));
    mark.setAttribute("x2", x(evaluations));
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    document.getElementById("race-play").textContent = "play";
  }

  function play() {
    if (timer !== null) { stop(); return; }
    const slider = document.getElementById("race-step");
    if (Number(slider.value) === STEPS) slider.value = 0;
    document.getElementById("race-play").textContent = "pause";
    timer = setInterval(() => {
      slider.value = Number(slider.value) + 1;
      show(Number(slider.value));
      if (Number(slider.value) === STEPS) stop();
    }, 40);
  }

  home.replaceChildren(
    element("div", { className: "controls" },
      element("button", { type: "button", id: "race-play", onclick: play }, "play"),
      element("input", {
        type: "range", id: "race-step", min: 0, max: STEPS, value: 0, ariaLabel: "evaluations",
        oninput: (event) => { stop(); show(Number(event.target.value)); },
      }),
      element("output", { id: "race-count" })),
    element("div", { className: "boards" }, ...names.map(board)),
    element("div", { className: "chart" }, svg,
      element("p", {}, ...names.map((name) => {
        const made = element("span", { className: "key" }, name);
        made.style.setProperty("--colour", COLOURS[name]);
        return made;
      }))));
  show(0);
  if (!still) play();
})();
