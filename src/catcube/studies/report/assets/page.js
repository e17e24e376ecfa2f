// Brings the page to life: figures, choices of an instance, sorting, appearance, printing.

document.documentElement.classList.add("live");

const { charts } = study;
const figures = {
  bars: { bars: barsFigure },
  ranks: { ranks: ranksFigure },
  heat: { heat: heatFigure },
  curves: { overall: overallFigure, each: eachFigure },
};

for (const chart of charts) {
  if (chart.type === "curves") {
    unpackCurves(chart);
    chart.pointLabel = (index) =>
      chart.point ? `${chart.point} ${exactNumber(chart.xs[index])}` : `at ${exactNumber(chart.xs[index])} evaluations`;
    chart.reading = (level) => level.toFixed(3).replace("-", "−");
  }
}

// What follows a choice: functions by the id of its select.
const followers = new Map();
function follow(choice, change) {
  if (!choice) return;
  followers.set(choice, [...(followers.get(choice) ?? []), change]);
}

for (const figure of document.querySelectorAll("[data-chart]")) {
  const chart = charts[Number(figure.dataset.chart)];
  follow(chart.follows, figures[chart.type][figure.dataset.view](figure, chart));
}
document.querySelectorAll("table.sortable").forEach(sortable);

for (const part of document.querySelectorAll("[data-follows]:not(template)")) {
  follow(part.dataset.follows, (value) => {
    part.hidden = part.dataset.value !== value;
  });
}
// Where there are many parts, the page has only the one that is shown.
for (const template of document.querySelectorAll("template[data-follows]")) {
  let shown = null;
  follow(template.dataset.follows, (value) => {
    shown?.remove();
    shown = null;
    if (template.dataset.value !== value) return;
    shown = html("div", {}, template.content.cloneNode(true));
    shown.querySelectorAll("table.sortable").forEach(sortable);
    template.after(shown);
  });
}
for (const select of document.querySelectorAll("select[data-choice]")) {
  const change = () => {
    for (const follower of followers.get(select.id) ?? []) follower(select.value);
  };
  select.addEventListener("change", change);
  change();
}

// Appearance: as the system says until chosen; kept where the browser allows it.
const appearance = document.getElementById("appearance");
function appear(chosen) {
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  appearance.value = chosen;
}
function remembered(change) {
  try {
    return change(window.localStorage);
  } catch {
    return null;
  }
}
const kept = remembered((storage) => storage.getItem("catcube-appearance"));
appear(["light", "dark"].includes(kept) ? kept : "auto");
appearance.addEventListener("change", () => {
  appear(appearance.value);
  remembered((storage) => storage.setItem("catcube-appearance", appearance.value));
});

// The section that is read is marked in the contents.
const entries = new Map(
  [...document.querySelectorAll("nav a")].map((entry) => [entry.getAttribute("href").slice(1), entry]),
);
const watcher = new IntersectionObserver(
  (seen) => {
    for (const { target, isIntersecting } of seen) {
      if (!isIntersecting) continue;
      for (const entry of entries.values()) entry.removeAttribute("aria-current");
      entries.get(target.id)?.setAttribute("aria-current", "true");
    }
  },
  { rootMargin: "-20% 0px -75% 0px" },
);
document.querySelectorAll("main > section").forEach((section) => watcher.observe(section));

// Paper cannot be clicked.
window.addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details:not([open])")) {
    details.open = true;
    details.dataset.printed = "";
  }
});
window.addEventListener("afterprint", () => {
  for (const details of document.querySelectorAll("details[data-printed]")) {
    details.open = false;
    delete details.dataset.printed;
  }
});
