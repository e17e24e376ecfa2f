// Mean ranks, best first, with the sets of names that do not differ significantly; and the heat map.

function ranksFigure(figure, chart) {
  const stage = html("div", { class: "stage" });
  figure.prepend(stage);

  drawn(stage, (width) => {
    const row = 19;
    const top = 34;
    const step = Math.min(9, (0.25 * width) / Math.max(chart.groups.length, 1));
    const longest = Math.max(...chart.labels.map((name) => name.length));
    const left = Math.min(14 + 7.2 * longest, width * 0.4);
    const right = width - 22 - step * chart.groups.length;
    const bottom = top + chart.labels.length * row;
    const scale = linearScale([1, Math.max(chart.labels.length, 2)], [left, right]);
    const picture = svg("svg", {
      viewBox: `0 0 ${width} ${bottom + 40}`, role: "group", "aria-label": chart.title,
    });
    picture.append(xAxis(scale, { top, bottom, left, right, label: "mean rank", ticks: width / 70 }));
    const end = Math.min(scale(1 + chart.difference), right);
    picture.append(
      svg("path", { class: "whisker", d: `M${left} 16H${end}M${left} 11v10M${end} 11v10` }),
      svg("text", { class: "name", x: left, y: 8 }, `critical difference ${exactNumber(chart.difference)}`),
    );
    const marks = chart.labels.map((name, index) => {
      const y = top + (index + 0.5) * row;
      const x = scale(chart.ranks[index]);
      const mark = svg("g", { class: "mark" });
      if (chart.factor === "representation") colourBy(mark, "representation", study.representations[name]);
      else mark.style.setProperty("--ink", "var(--accent)");
      mark.append(
        svg("rect", { class: "strip", x: 0, y: y - row / 2, width: right, height: row }),
        svg("line", { class: "lead", x1: left, x2: x, y1: y, y2: y }),
        svg("text", { class: "name", x: left - 9, y: y + 4, "text-anchor": "end" }, name),
        svg("circle", { cx: x, cy: y, r: 4.5 }),
      );
      return mark;
    });
    picture.append(...marks);
    chart.groups.forEach(([first, last], number) => {
      const x = right + 14 + step * number;
      picture.append(svg("line", {
        class: step < 6 ? "group thin" : "group", x1: x, x2: x, y1: top + first * row + 4, y2: top + (last + 1) * row - 4,
      }));
    });
    walkable(marks, chart.labels.map((name, index) => [name, `mean rank ${exactNumber(chart.ranks[index])}`]));
    stage.replaceChildren(picture);
  });
  return () => {};
}

// A row for each pair, a column for each instance; the fewer runs succeed, the stronger its colour.
function heatFigure(figure, chart) {
  const stage = html("div", { class: "stage" });
  figure.prepend(stage);

  drawn(stage, (width) => {
    const row = 17;
    const left = Math.min(14 + 7.2 * Math.max(...chart.pairs.map((pair) => pairName(pair).length)), width * 0.4);
    const cell = (width - left - 4) / chart.instances.length;
    const picture = svg("svg", {
      viewBox: `0 0 ${width} ${chart.pairs.length * row + 22}`, role: "group", "aria-label": chart.title,
    });
    const marks = [];
    const lines = [];
    chart.pairs.forEach((pair, index) => {
      picture.append(svg("text", { class: "name", x: left - 8, y: index * row + 12, "text-anchor": "end" }, pairName(pair)));
      chart.percents[index].forEach((percent, column) => {
        const mark = svg("g", { class: "mark" });
        mark.append(svg("rect", {
          class: "cell", x: left + column * cell, y: index * row + 1, width: Math.max(cell - 1, 1), height: row - 2,
          "fill-opacity": percent === null ? 0 : 0.08 + 0.92 * (1 - percent / 100) ** 0.5,
        }));
        marks.push(mark);
        lines.push([pairName(pair), chart.instances[column], percent === null ? "no runs yet" : `success ${percent} %`]);
        picture.append(mark);
      });
    });
    picture.append(svg("text", { x: left, y: chart.pairs.length * row + 16 }, `${chart.instances[0]} … ${chart.instances.at(-1)}`));
    walkable(marks, lines);
    stage.replaceChildren(picture);
  });
  return () => {};
}
