// A row for each algorithm, and in it a mark for each representation: a bar from zero, or a dot on
// a logarithmic axis; whiskers are confidence intervals.

function barsFigure(figure, chart) {
  const { pairs, title, log } = chart;
  const algorithms = distinct(pairs.map((pair) => pair[0]));
  const indices = representationIndices(pairs);
  const representations = [...indices.keys()];
  const key = html("div", { class: "key" });
  for (const name of representations) {
    key.append(colourBy(html("span", { class: "swatch" }, name), "representation", indices.get(name)));
  }
  const stage = html("div", { class: "stage" });
  figure.prepend(key, stage);

  let chosen = Object.keys(chart.values)[0];
  const draw = (width) => stage.replaceChildren(barsPicture(width));
  const redraw = drawn(stage, draw);
  return (choice) => {
    chosen = choice;
    redraw();
  };

  function barsPicture(width) {
    const values = chart.values[chosen] ?? [];
    const known = values.filter((entry) => entry !== null);
    const longest = Math.max(...algorithms.map((name) => name.length), 3);
    const left = Math.min(14 + 7.5 * longest, width * 0.32);
    const right = width - 52;
    const thick = 11;
    const row = representations.length * (thick + 3) + 10;
    const top = 6;
    const bottom = top + algorithms.length * row;
    const ends = known.flatMap((entry) => [entry.value, entry.high]).filter(Number.isFinite);
    const lows = known.flatMap((entry) => [entry.value, entry.low]).filter(Number.isFinite);
    const high = Math.max(...ends, log ? 10 : 0) || 1;
    const low = log ? 10 ** Math.floor(Math.log10(Math.max(Math.min(...lows, high), 1))) : 0;
    const scale = (log ? logScale : linearScale)(
      [low, log ? Math.max(high, low * 10) : high], [left, right],
    );
    const picture = svg("svg", {
      viewBox: `0 0 ${width} ${bottom + 40}`, role: "group", "aria-label": `${title}: ${chart.names[chosen] ?? ""}`,
    });
    picture.append(xAxis(scale, { top, bottom, left, right, label: chart.label, ticks: width / 90 }));
    const marks = [];
    const lines = [];
    algorithms.forEach((name, number) => {
      const middle = top + number * row + row / 2;
      const label = svg("text", { class: "name", x: left - 9, y: middle + 4, "text-anchor": "end" }, name);
      picture.append(label);
    });
    pairs.forEach((pair, index) => {
      const entry = values[index];
      const middle = top + algorithms.indexOf(pair[0]) * row + 5
        + representations.indexOf(pair[1]) * (thick + 3) + (thick + 3) / 2;
      const mark = colourBy(svg("g", { class: "mark" }), "representation", indices.get(pair[1]));
      if (!entry) {
        mark.append(svg("text", { class: "none", x: left + 5, y: middle + 4 }, "no runs yet"));
        lines.push([pairName(pair), "no complete runs"]);
      } else if (entry.value === null) {
        mark.append(svg("text", { class: "none", x: left + 5, y: middle + 4 }, "never"));
        lines.push([pairName(pair), "no success", ...entry.details]);
      } else {
        const x = scale(entry.value);
        // A wide invisible strip, so that thin marks are easily hit.
        mark.append(svg("rect", { class: "strip", x: left, y: middle - 7, width: right - left, height: 14 }));
        mark.append(
          log
            ? svg("circle", { cx: x, cy: middle, r: 4.5 })
            : svg("rect", { class: "bar", x: left, y: middle - thick / 2, width: Math.max(x - left, 1), height: thick }),
        );
        if (entry.low !== null && entry.high !== null) {
          const [from, to] = [scale(Math.max(entry.low, low)), scale(entry.high)];
          mark.append(svg("path", {
            class: "whisker",
            d: `M${from} ${middle}H${to}M${from} ${middle - 3.5}v7M${to} ${middle - 3.5}v7`,
          }));
        }
        const end = Math.max(x, entry.high === null ? 0 : scale(entry.high));
        mark.append(svg("text", { class: "value", x: end + 7, y: middle + 4 }, log ? shortNumber(entry.value) : exactNumber(entry.value)));
        lines.push([pairName(pair), `${chart.measure} ${exactNumber(entry.value)}`, ...entry.details]);
      }
      marks.push(mark);
      picture.append(mark);
    });
    walkable(marks, lines);
    return picture;
  }
}
