// Boards that readers filter, search and group. Without JavaScript they are complete, in rank order.
// A page has one view: all its boards show the same choice, which stands in the address.
import { Controls } from "./controls.js";
import { arrange } from "./groups.js";
import { isChosenFrom, matches, rowsOf } from "./rows.js";
import * as view from "./view.js";

const events = { read: view.read, changed: change, stopped: view.stopTyping };
const bars = Array.from(
  document.querySelectorAll("template[data-controls]"), (template) => new Controls(template, events),
);
// Tables without controls of their own follow those of the others.
const orders = new Map();
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const rows = rowsOf(table);
  if (!rows.some(isChosenFrom)) continue;
  orders.set(table, rows);
  table.addEventListener("sorted", () => {
    orders.set(table, rowsOf(table));
    show();
  });
}

function change(query, field) {
  view.write(query, field);
  show();
}

function show() {
  const query = view.read();
  const kinds = new Map(bars.flatMap((bar) => Array.from(bar.kinds)));
  const choice = view.choice(query, kinds);
  const title = bars.map((bar) => bar.title(choice.group)).find(Boolean) ?? "";
  const groups = new Map();
  for (const [table, rows] of orders) {
    for (const row of rows.filter(isChosenFrom)) row.hidden = !matches(row, choice);
    groups.set(table, arrange(table, rows, choice.group, title));
  }
  for (const bar of bars) {
    const rows = orders.get(bar.table).filter(isChosenFrom);
    bar.show(query, {
      shown: rows.filter((row) => !row.hidden).length,
      all: rows.length,
      groups: groups.get(bar.table),
      filters: choice.filters.length,
    });
  }
}

if (bars.length) {
  addEventListener("popstate", show);
  show();
}
