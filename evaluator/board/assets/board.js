// Boards that readers arrange. Without JavaScript they stand in rank order.
// A page has one view: all its boards show the same choice, which stands in the address.
import { Controls } from "./controls.js";
import { Grid } from "./grid.js";
import { arrange } from "./groups.js";
import { Model } from "./model.js";
import { printWhole } from "./print.js";
import { load } from "./results.js";
import { isChosenFrom, matches, rowsOf } from "./rows.js";
import { explainCells } from "./tooltip.js";
import * as view from "./view.js";

const events = { read: view.read, changed: change, stopped: view.stopTyping };
const bars = Array.from(
  document.querySelectorAll("template[data-controls]"), (template) => new Controls(template, events),
);
const grids = new Map();
// Plain tables; those without controls of their own follow those of the others.
const orders = new Map();
for (const table of document.querySelectorAll("table[data-sortable]")) {
  if (table.closest("[data-view]")) takeOver(table);
  else follow(table);
}

function follow(table) {
  const rows = rowsOf(table);
  if (!rows.some(isChosenFrom)) return;
  orders.set(table, rows);
  table.addEventListener("sorted", () => {
    orders.set(table, rowsOf(table));
    show();
  });
}

async function takeOver(table) {
  const region = table.closest("[data-view]");
  try {
    const model = new Model(await load(region.dataset.view, "scores"));
    grids.set(table, new Grid(region, model, { changed: ask, picked: show }));
    region.dataset.ready = "";
  } catch (error) {
    console.warn(error); // such as pages that are looked at as files: the table stays as it is
    follow(table);
  }
  show();
}

function change(query, field) {
  view.write(query, field);
  show();
}

function ask(wanted) {
  const query = view.read();
  for (const [name, value] of Object.entries(wanted)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  change(query, null);
}

function show() {
  const query = view.read();
  const kinds = new Map(bars.flatMap((bar) => Array.from(bar.kinds)));
  const choice = view.choice(query, kinds);
  const title = bars.map((bar) => bar.title(choice.group)).find(Boolean) ?? "";
  const shown = new Map();
  for (const [table, rows] of orders) {
    for (const row of rows.filter(isChosenFrom)) row.hidden = !matches(row, choice);
    const groups = arrange(table, rows, choice.group, title);
    const own = rows.filter(isChosenFrom);
    shown.set(table, { shown: own.filter((row) => !row.hidden).length, all: own.length, groups });
  }
  for (const [table, grid] of grids) {
    const ranking = view.ranking(query, grid.model.rankable);
    // Without controls nothing is hidden that a reader could not bring back.
    const asked = bars.some((bar) => bar.table === table) ? { ...choice, ranking } : {
      ...view.choice(new URLSearchParams(), new Map()), sort: choice.sort, order: choice.order, ranking: null,
    };
    const found = grid.show(asked, title);
    const picked = Array.from(grid.picked, (row) => grid.model.ids[row]);
    shown.set(table, { ...found, picked, commit: grid.model.data.commit });
  }
  for (const bar of bars) {
    if (shown.has(bar.table)) bar.show(query, { ...shown.get(bar.table), filters: choice.filters.length });
  }
}

if (bars.length || document.querySelector("[data-view]")) {
  addEventListener("popstate", show);
  printWhole(grids);
  explainCells();
  show();
}
