// @ts-check
// Boards that readers arrange. Without JavaScript they stand in rank order.
// A page has one view: all its boards show the same choice, which stands in the address.
import { Controls } from "./controls.js";
import "./countdown.js";
import { all, node, one } from "./elements.js";
import { Grid } from "./grid.js";
import { arrange } from "./groups.js";
import { Model } from "./model.js";
import { printWhole } from "./print.js";
import { load } from "./results.js";
import { isChosenFrom, matches, rowsOf } from "./rows.js";
import "./scrolling.js";
import { asMenus } from "./panels.js";
import { explainCells } from "./tooltip.js";
import * as view from "./view.js";

/** @import { Shown } from "./controls.js" */
/** @import { Choice } from "./view.js" */

const events = { read: view.read, changed: change, stopped: view.stopTyping };
const bars = all(document, "template[data-controls]", HTMLTemplateElement)
  .map((template) => new Controls(template, events));
const [headline] = all(document, "[data-headline]", HTMLElement);
const usual = Array.from(headline?.childNodes ?? []);
const [concluded] = all(document, "[data-conclusion]", HTMLElement);
/** @type {Map<HTMLTableElement, Grid>} */
const grids = new Map();
// Plain tables; those without controls follow the controls of the others.
/** @type {Map<HTMLTableElement, HTMLTableRowElement[]>} */
const orders = new Map();
for (const table of all(document, "table[data-sortable]", HTMLTableElement)) {
  const region = table.closest("[data-view]");
  if (region instanceof HTMLElement) void takeOver(table, region);
  else follow(table);
}

for (const button of all(document, "[data-paper]", HTMLButtonElement)) {
  button.addEventListener("click", () => void save(button));
}

/** @param {HTMLButtonElement} button */
async function save({ dataset, value }) {
  const [grid] = Array.from(grids.values());
  const { written } = await import("./paper.js");
  const text = await written(dataset.paper === "latex" ? "latex" : "markdown", grid.view);
  const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  node("a", { href, download: value }).click();
  URL.revokeObjectURL(href);
}

/** @param {HTMLTableElement} table */
function follow(table) {
  const rows = rowsOf(table);
  if (!rows.some(isChosenFrom)) return;
  orders.set(table, rows);
  table.addEventListener("sorted", () => {
    orders.set(table, rowsOf(table));
    show();
  });
}

/**
 * @param {HTMLTableElement} table
 * @param {HTMLElement} region
 */
async function takeOver(table, region) {
  try {
    const model = new Model(await load(region.dataset.view ?? "", "first"));
    grids.set(table, new Grid(region, model, { changed: ask, picked: show, filled: show }));
    region.dataset.ready = "";
    all(document, "p:has([data-paper])", HTMLElement).forEach((line) => (line.hidden = false));
  } catch (error) {
    console.warn(error); // such as pages that are looked at as files: the table stays as it is
    follow(table);
  }
  show();
}

/**
 * @param {URLSearchParams} query
 * @param {EventTarget | null} field
 */
function change(query, field) {
  view.write(query, field);
  show();
}

/** @param {Record<string, string>} wanted */
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
  /** @type {Map<HTMLTableElement, Omit<Shown, "filters">>} */
  const shown = new Map();
  for (const [table, rows] of orders) {
    for (const row of rows.filter(isChosenFrom)) row.hidden = !matches(row, choice);
    const groups = arrange(table, rows, choice.group, title);
    const choosable = rows.filter(isChosenFrom);
    shown.set(table, { shown: choosable.filter((row) => !row.hidden).length, all: choosable.length, groups });
  }
  for (const [table, grid] of grids) {
    const ranking = view.ranking(query, grid.model.rankable);
    // Without controls nothing is hidden that a reader could not bring back.
    /** @type {Choice} */
    const asked = bars.some((bar) => bar.table === table) ? { ...choice, ranking } : {
      ...view.NOTHING, sort: choice.sort, order: choice.order,
    };
    const counts = grid.show(asked, title);
    const picked = Array.from(grid.picked, (row) => grid.model.ids[row]);
    shown.set(table, { ...counts, picked, commit: grid.model.data.commit });
    conclude(counts.conclusion);
  }
  for (const bar of bars) {
    const counts = bar.table && shown.get(bar.table);
    if (counts) bar.show(query, { ...counts, filters: choice.filters.length });
  }
}

/**
 * Over the board stands what can be concluded from it, or from the task that its rows are sorted by.
 * @param {string} text empty for the board
 */
function conclude(text) {
  if (!concluded || !headline) return;
  concluded.dataset.conclusion ||= concluded.textContent;
  const wanted = text || concluded.dataset.conclusion;
  if (concluded.textContent === wanted) return;
  concluded.textContent = wanted;
  headline.replaceChildren(...(text ? [text] : usual));
  // What the board's own lead rests on says nothing of another.
  one(document, "[data-evidence]", HTMLElement).hidden = text !== "";
}

if (bars.length || document.querySelector("[data-view]")) {
  addEventListener("popstate", show);
  printWhole(grids);
  explainCells();
  asMenus();
  show();
}
