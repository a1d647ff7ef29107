"use strict";
(() => {
  const all = (selector) => document.querySelectorAll(selector);
  document.documentElement.classList.add("scripted");

  // A bot is lit up everywhere at once: on hover and focus, and for good by a click on its name.
  let pinned = null;
  const light = (bot) => {
    for (const element of all(".lit")) element.classList.remove("lit");
    if (bot === null) return;
    for (const element of all(`[data-bot="${bot}"], [data-other="${bot}"]`)) element.classList.add("lit");
  };
  const botOf = (target) => (target instanceof Element ? target.closest("[data-bot]") : null)?.dataset.bot ?? pinned;
  for (const kind of ["mouseover", "focusin"]) {
    document.addEventListener(kind, (event) => light(botOf(event.target)));
  }
  document.addEventListener("click", (event) => {
    const name = event.target.closest("tr[data-bot] > th");
    if (name === null) return;
    const bot = name.parentElement.dataset.bot;
    pinned = pinned === bot ? null : bot;
    light(pinned);
  });

  // What a cell of the crosstable means, for those who cannot hover.
  const readout = document.querySelector(".readout");
  const read = (event) => {
    const cell = event.target.closest(".cross td[title]");
    if (cell !== null) readout.textContent = cell.title;
  };
  if (readout !== null) {
    readout.textContent = "Point at a cell to read its numbers.";
    document.addEventListener("mouseover", read);
    document.addEventListener("click", read);
  }

  // Columns sort by a click: numbers by their value, names by the alphabet, nothing comes last.
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    if (cell.tagName === "TH") return cell.textContent.trim().toLowerCase();
    return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
  };
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const sort = (table, head) => {
    const sign = head.ariaSort === "ascending" ? -1 : 1;
    const rows = [...table.tBodies[0].rows].map((row) => [keyOf(row, head.cellIndex), row]);
    rows.sort(([a], [b]) => (a === null || b === null ? (a === null) - (b === null) : sign * compare(a, b)));
    table.tBodies[0].append(...rows.map(([, row]) => row));
    for (const other of table.tHead.rows[0].cells) other.ariaSort = null;
    head.ariaSort = sign > 0 ? "ascending" : "descending";
  };
  for (const table of all("table.sortable")) {
    const first = table.tBodies[0].rows[0];
    for (const head of table.tHead.rows[0].cells) {
      const cell = first?.cells[head.cellIndex];
      if (!cell || (cell.tagName !== "TH" && cell.dataset.value === undefined)) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sort(table, head));
    }
  }
})();
