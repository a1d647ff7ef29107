"use strict";
(() => {
  const all = (selector) => document.querySelectorAll(selector);
  const make = (name, ...content) => {
    const element = document.createElement(name);
    element.append(...content);
    return element;
  };
  document.documentElement.classList.add("scripted");

  // Beside arena's web pages, which serve this file at such an address, matches and bots lead to their pages.
  const served = location.protocol.startsWith("http") && /\/data\/t\/([^/]+)\/leaderboard\.html$/.exec(location.pathname);
  if (served) {
    const named = `t=${encodeURIComponent(decodeURIComponent(served[1]))}`;
    const link = (page, ...content) => Object.assign(make("a", ...content), { href: `../../../${page}` });
    for (const replay of all("a[href^=replays]")) {
      const match = replay.pathname.split("/").at(-1).replace(/\.jsonl$/, "");
      replay.href = `../../../match.html?${named}&m=${match}`;
    }
    for (const bot of all("tr[data-bot] > th bdi")) {
      bot.replaceWith(link(`bot.html?${named}&b=${encodeURIComponent(bot.textContent)}`, bot.cloneNode(true)));
    }
    document.querySelector("header nav").append(link(`tournament.html?${named}`, "All matches and replays"));
  }

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

  // The list of replays shows the matches of one bot, or of two.
  const list = document.querySelector(".all");
  const chosen = [];
  const filter = () => {
    const rows = [...list.querySelectorAll("tbody tr")];
    const wanted = chosen.map((select) => select.value).filter((bot) => bot !== "");
    for (const row of rows) {
      const bots = row.dataset.bots.split(" ");
      row.hidden = !wanted.every((bot) => bots.includes(bot));
    }
    list.querySelector("output").value = `${rows.filter((row) => !row.hidden).length} of ${rows.length} matches`;
  };
  const showReplays = (...bots) => {
    chosen.forEach((select, place) => (select.value = bots[place]));
    filter();
    list.open = true;
    list.scrollIntoView();
  };
  if (list !== null) {
    const names = [...all(".standings tbody tr")].map((row) => [row.dataset.bot, row.querySelector("bdi").textContent]);
    const labels = ["Matches of", "and"].map((text) => {
      const options = names.map(([bot, name]) => new Option(`\u2068${name}\u2069`, bot));
      const select = make("select", new Option("any bot", ""), ...options);
      select.addEventListener("change", filter);
      chosen.push(select);
      return make("label", `${text} `, select);
    });
    const controls = make("p", ...labels, make("output"));
    controls.className = "filter";
    list.querySelector("summary").after(controls);
    filter();
  }

  // What a cell of the crosstable means, for those who cannot hover. A click holds it.
  const readout = document.querySelector(".readout");
  let held = null;
  const read = (cell) => {
    for (const element of all(".cross .read")) element.classList.remove("read");
    if (cell === null) return;
    cell.classList.add("read");
    readout.replaceChildren(cell.title);
    if (list === null || cell.classList.contains("never")) return;
    const button = make("button", "Show their replays");
    button.type = "button";
    button.addEventListener("click", () => showReplays(cell.parentElement.dataset.bot, cell.dataset.other));
    readout.append(" ", button);
  };
  if (readout !== null) {
    const cellOf = (event) => event.target.closest(".cross td[title]");
    readout.textContent = "Tap or point at a cell to read its numbers.";
    document.addEventListener("mouseover", (event) => {
      const cell = cellOf(event);
      if (held === null && cell !== null) read(cell);
    });
    document.addEventListener("click", (event) => {
      if (readout.contains(event.target)) return;
      held = cellOf(event);
      read(held);
    });
  }

  // Columns sort by a click, the best first: numbers by their value, names by the alphabet, nothing comes last.
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    if (cell.tagName === "TH") return cell.textContent.trim().toLowerCase();
    return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
  };
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const sort = (table, head) => {
    const orders = head.dataset.best === "high" ? ["descending", "ascending"] : ["ascending", "descending"];
    const order = orders[head.ariaSort === orders[0] ? 1 : 0];
    const sign = order === "ascending" ? 1 : -1;
    const rows = [...table.tBodies[0].rows].map((row) => [keyOf(row, head.cellIndex), row]);
    rows.sort(([a], [b]) => (a === null || b === null ? (a === null) - (b === null) : sign * compare(a, b)));
    table.tBodies[0].append(...rows.map(([, row]) => row));
    for (const other of table.tHead.rows[0].cells) other.ariaSort = null;
    head.ariaSort = order;
  };
  for (const table of all("table.sortable")) {
    const first = table.tBodies[0].rows[0];
    if (!first?.querySelector("[data-value]")) continue; // nothing but names
    for (const head of table.tHead.rows[0].cells) {
      const cell = first.cells[head.cellIndex];
      if (cell.tagName !== "TH" && cell.dataset.value === undefined) continue;
      const button = make("button", ...head.childNodes);
      button.type = "button";
      head.append(button);
      button.addEventListener("click", () => sort(table, head));
    }
  }
})();
