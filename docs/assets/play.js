// Flip bits: a page to play with. All data are in representations.js; nothing is loaded.
(() => {
  const COLOURS = ["#56b4e9", "#e69f00", "#2bb58a", "#dd94bd", "#f0e442", "#9aa7ff", "#ff9c73", "#8fd175",
    "#c9b18c", "#7fd6d6", "#e8a3ff", "#b9c46a", "#f2b3b3", "#a8c5da", "#ffc64d", "#c7c7c7"];
  const home = document.getElementById("play");
  const state = { N: 4, family: "linear", bits: [] };
  const label = (category) => (state.N === 4 ? "AGCT"[category] : String(category));
  const code = () => REPRESENTATIONS[state.family][state.N];

  function element(tag, properties = {}, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  function decode(bits) {
    const { columns, weights, modulus, table } = code();
    let xor = 0, sum = 0;
    bits.forEach((bit, i) => {
      if (bit) { xor ^= columns[i]; sum += weights[i]; }
    });
    return table[xor * modulus + (sum % modulus)];
  }

  function flipped(i) {
    return state.bits.map((bit, k) => (k === i ? 1 - bit : bit));
  }

  function chip(category, text) {
    const made = element("span", { className: "chip" }, text ?? label(category));
    made.style.background = COLOURS[category];
    return made;
  }

  function reset() {
    state.bits = code().columns.map(() => 0);
    draw();
  }

  function controls() {
    const sizes = element("input", {
      type: "range", min: 2, max: 16, value: state.N, id: "play-n",
      oninput: (event) => { state.N = Number(event.target.value); reset(); },
    });
    const names = element("select", {
      id: "play-family",
      onchange: (event) => { state.family = event.target.value; reset(); },
    });
    for (const name of Object.keys(REPRESENTATIONS)) {
      names.append(element("option", { value: name, selected: name === state.family }, name));
    }
    return element("div", { className: "controls" },
      element("span", { className: "control" },
        element("label", { htmlFor: "play-n" }, "categories ", element("output", { id: "play-size" }, "4")), sizes),
      element("span", { className: "control" },
        element("label", { htmlFor: "play-family" }, "representation"), names),
      element("button", {
        type: "button",
        onclick: () => { state.bits = state.bits.map(() => Math.random() < 0.5 ? 1 : 0); draw(); },
      }, "random bits"),
      element("button", { type: "button", onclick: reset }, "all zero"));
  }

  function bitButton(bit, i) {
    const target = decode(flipped(i));
    const made = element("button", {
      type: "button", className: "bit", id: `play-bit-${i}`,
      title: `flip bit ${i + 1}: ${label(target)}`,
      onclick: () => { state.bits = flipped(i); draw(); document.getElementById(`play-bit-${i}`).focus(); },
    }, element("b", {}, String(bit)), element("small", {}, "→ "), chip(target));
    made.setAttribute("aria-pressed", String(bit === 1));
    made.setAttribute("aria-label", `bit ${i + 1} is ${bit}; a flip leads to ${label(target)}`);
    return made;
  }

  function bars(reached) {
    const counts = code().redundancy;
    const most = Math.max(...counts);
    const rows = element("tbody");
    const now = decode(state.bits);
    counts.forEach((count, category) => {
      const bar = element("span", { className: "bar" });
      bar.style.width = `${(100 * count) / most}%`;
      bar.style.background = COLOURS[category];
      rows.append(element("tr", { className: category === now ? "now" : "" },
        element("th", { scope: "row" }, chip(category)),
        element("td", {}, category === now ? "here" : `${reached[category]} of ${state.bits.length}`),
        element("td", {}, String(count)), element("td", { className: "wide" }, bar)));
    });
    return element("table", { className: "counts" },
      element("thead", {}, element("tr", {}, ...["category", "flips that lead there", "bit vectors", ""]
        .map((text) => element("th", { scope: "col" }, text)))), rows);
  }

  function draw() {
    const now = decode(state.bits);
    const reached = Array(state.N).fill(0);
    state.bits.forEach((_, i) => { reached[decode(flipped(i))] += 1; });
    const near = reached.filter((count, category) => count > 0 && category !== now).length;
    document.getElementById("play-size").textContent = state.N;
    document.getElementById("play-bits").replaceChildren(...state.bits.map(bitButton));
    const big = chip(now);
    big.classList.add("big");
    document.getElementById("play-now").replaceChildren("category ", big);
    document.getElementById("play-said").textContent =
      `${state.bits.length} bit${state.bits.length === 1 ? "" : "s"}: one flip leads to ${near} of the ` +
      `${state.N - 1} other categor${state.N === 2 ? "y" : "ies"}.`;
    document.getElementById("play-bars").replaceChildren(bars(reached));
  }

  home.replaceChildren(controls(),
    element("div", { id: "play-bits", className: "bits" }),
    element("p", { id: "play-now", className: "shown" }),
    element("p", { id: "play-said" }),
    element("div", { id: "play-bars" }));
  document.getElementById("play-said").setAttribute("aria-live", "polite");
  reset();
})();
