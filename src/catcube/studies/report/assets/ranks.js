// Mean ranks, best first, with the sets of pairs that do not differ significantly.

function ranksFigure(figure, chart) {
  const stage = html("div", { class: "stage" });
  figure.prepend(stage);
  const indices = representationIndices(chart.pairs);

  drawn(stage, (width) => {
    const row = 19;
    const top = 34;
    const step = Math.min(9, (0.25 * width) / Math.max(chart.groups.length, 1));
    const longest = Math.max(...chart.pairs.map((pair) => pairName(pair).length));
    const left = Math.min(14 + 7.2 * longest, width * 0.4);
    const right = width - 22 - step * chart.groups.length;
    const bottom = top + chart.pairs.length * row;
    const scale = linearScale([1, Math.max(chart.pairs.length, 2)], [left, right]);
    const picture = svg("svg", {
      viewBox: `0 0 ${width} ${bottom + 40}`, role: "group", "aria-label": chart.title,
    });
    picture.append(xAxis(scale, { top, bottom, left, right, label: "mean rank", ticks: width / 70 }));
    const end = Math.min(scale(1 + chart.difference), right);
    picture.append(
      svg("path", { class: "whisker", d: `M${left} 16H${end}M${left} 11v10M${end} 11v10` }),
      svg("text", { class: "name", x: left, y: 7 + 1, "dominant-baseline": "auto" }, `critical difference ${exactNumber(chart.difference)}`),
    );
    const marks = chart.pairs.map((pair, index) => {
      const y = top + (index + 0.5) * row;
      const x = scale(chart.ranks[index]);
      const mark = colourBy(svg("g", { class: "mark" }), "representation", indices.get(pair[1]));
      mark.append(
        svg("rect", { class: "strip", x: 0, y: y - row / 2, width: right, height: row }),
        svg("line", { class: "lead", x1: left, x2: x, y1: y, y2: y }),
        svg("text", { class: "name", x: left - 9, y: y + 4, "text-anchor": "end" }, pairName(pair)),
        indices.get(pair[1]) === 0
          ? svg("circle", { cx: x, cy: y, r: 4.5 })
          : svg("rect", { class: "bar", x: x - 4, y: y - 4, width: 8, height: 8 }),
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
    walkable(marks, chart.pairs.map((pair, index) => [pairName(pair), `mean rank ${exactNumber(chart.ranks[index])}`]));
    stage.replaceChildren(picture);
  });
  return () => {};
}
