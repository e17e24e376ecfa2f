// Tables are sorted by a click on a title; a second click turns the order around.

function sortKey(cell) {
  const text = cell.dataset.sort ?? cell.textContent.trim();
  const plain = text.replace(/[,%\s]/g, "").replace("−", "-");
  if (plain === "") return null;
  const number = plain === "∞" ? Infinity : Number(plain);
  return Number.isNaN(number) ? text : number;
}

// Empty cells come last whichever the order.
function compareKeys(one, other, sign) {
  if (one === null || other === null) return (one === null) - (other === null);
  if (typeof one === "number" && typeof other === "number") {
    return one === other ? 0 : sign * (one < other ? -1 : 1);
  }
  return sign * String(one).localeCompare(String(other), "en", { numeric: true });
}

function sortable(table) {
  const titles = [...table.tHead.rows[0].cells];
  titles.forEach((title, column) => {
    const button = html("button", { type: "button" }, ...title.childNodes);
    title.append(button);
    title.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const rising = title.getAttribute("aria-sort") !== "ascending";
      for (const other of titles) other.setAttribute("aria-sort", "none");
      title.setAttribute("aria-sort", rising ? "ascending" : "descending");
      const rows = [...table.tBodies[0].rows].map((row) => [sortKey(row.cells[column]), row]);
      rows.sort(([one], [other]) => compareKeys(one, other, rising ? 1 : -1));
      table.tBodies[0].append(...rows.map(([, row]) => row));
    });
  });
}
