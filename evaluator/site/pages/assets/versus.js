// @ts-check
// The table of a submission's scores, beside the best of the board or those of any other submission: the
// reader's choice stands in the address, ?with=participant/name.
import { all, headOf, node, one, span } from "./elements.js";
import { better, shown, signed } from "./number.js";
import { load } from "./results.js";

/** @import { ViewColumn } from "forms" */
/** @import { Results } from "./results.js" */
/** @typedef {{ mine: number, other: number | null }} Pair rows; without another it is the best of the board */

const MAX_NAME = 100;

export async function compareScores() {
  const chooser = document.querySelector("[data-versus]");
  const scores = chooser?.parentElement?.querySelector("table.scores");
  if (chooser instanceof HTMLElement && scores instanceof HTMLTableElement) {
    start(await load(chooser.dataset.view ?? "", ({ column: key }) => key !== null), chooser, scores);
  }
}

/**
 * @param {Results} results
 * @param {HTMLElement} bar
 * @param {HTMLTableElement} table
 */
function start(results, bar, table) {
  const mine = results.row(bar.dataset.versus ?? "");
  if (mine === null) return;
  const select = one(bar, "select", HTMLSelectElement);
  select.replaceChildren(
    new Option("best" in bar.dataset ? "the best of the board" : "nobody", ""),
    ...results.ids.flatMap((id, row) => (row === mine ? [] : new Option(results.name(row).slice(0, MAX_NAME), id))),
  );
  const show = () => {
    const asked = new URLSearchParams(location.search).get("with");
    const wanted = asked === null ? null : results.row(asked);
    const other = wanted === mine ? null : wanted;
    select.value = other === null ? "" : results.ids[other];
    one(bar, "[role=status]", HTMLElement).textContent = asked !== null && other === null
      ? `“${asked.slice(0, MAX_NAME)}” is not another submission on this board. `
      : "";
    if (other === null && !("best" in bar.dataset) && !table.querySelector(".other")) return;
    heads(results, table, other === null ? "best" : "other");
    lines(results, table).forEach(([line, task]) => compare(results, table, line, task, { mine, other }));
  };
  lines(results, table).forEach(([line, task]) => update(results, table, line, task, { mine, hasBest: "best" in bar.dataset }));
  bar.hidden = results.size < 2;
  select.addEventListener("change", () => {
    const address = new URL(location.href);
    if (select.value) address.searchParams.set("with", select.value);
    else address.searchParams.delete("with");
    history.pushState(null, "", address);
    show();
  });
  addEventListener("popstate", show);
  show();
}

/**
 * Rows with the task that each is of; null for the row over all tasks, where there are several.
 * @param {Results} results
 * @param {HTMLTableElement} table
 * @returns {[HTMLTableRowElement, number | null][]}
 */
function lines(results, table) {
  const rows = Array.from(table.tBodies[0].rows);
  const above = rows.length - results.data.tasks.length;
  return rows.map((row, place) => [row, place < above ? null : place - above]);
}

/**
 * What others' results change of its own cells: values that are made from ranks, and which are the best.
 * @param {Results} results
 * @param {HTMLTableElement} table
 * @param {HTMLTableRowElement} line
 * @param {number | null} task
 * @param {{ mine: number, hasBest: boolean }} its
 */
function update(results, table, line, task, { mine, hasBest }) {
  const counts = !results.data.aside.includes(mine) && !(task !== null && results.data.uncounted[task]?.[mine]);
  for (const head of all(headOf(table), "[data-column]", HTMLTableCellElement)) {
    const read = column(results, head);
    if (read === null || (task !== null && read.over_tasks)) continue;
    const cell = line.cells[head.cellIndex];
    const value = task === null ? results.overall(read, mine) : results.score(read, task, mine);
    if (value === null) continue;
    if ("relative" in head.dataset) cell.textContent = shown(value, read.precision);
    if (hasBest) cell.classList.toggle("best", counts && value === best(results, read, task));
  }
}

/**
 * @param {Results} results
 * @param {HTMLTableElement} table
 * @param {string} name
 */
function heads(results, table, name) {
  for (const head of all(headOf(table), "[data-column]", HTMLElement)) {
    if (column(results, head) === null) continue;
    const next = head.nextElementSibling;
    if (next?.matches(".other")) next.textContent = name;
    else head.after(node("th", { scope: "col", className: "num other" }, name));
  }
}

/**
 * @param {Results} results
 * @param {HTMLTableElement} table
 * @param {HTMLTableRowElement} line
 * @param {number | null} task
 * @param {Pair} rows
 */
function compare(results, table, line, task, { mine, other }) {
  for (const head of all(headOf(table), "[data-column]", HTMLTableCellElement)) {
    const read = column(results, head);
    if (read === null) continue;
    const cell = cellAfter(line.cells[head.cellIndex]);
    cell.replaceChildren();
    cell.title = "";
    if (task !== null && read.over_tasks) continue;
    if (other === null) {
      cell.textContent = shown(best(results, read, task), read.precision);
      continue;
    }
    /** @param {number} row */
    const number = (row) => (task === null ? results.overall(read, row) : results.score(read, task, row));
    fill(read, cell, number(mine), number(other));
    const failure = task === null || number(other) !== null ? null : results.failure(task, other);
    if (failure) {
      cell.textContent = failure[0];
      cell.title = failure.slice(2).filter(Boolean).join(": ");
    }
  }
}

/**
 * The best value of the board; where rows are data sets, none is.
 * @param {Results} results
 * @param {ViewColumn} read
 * @param {number | null} task
 */
function best(results, read, task) {
  const { overall, tasks } = results.data.best;
  return (task === null ? overall[read.key] : tasks[read.key]?.[task]) ?? null;
}

/**
 * The cell for the other's value, which may stand there from the beginning.
 * @param {HTMLElement} cell
 */
function cellAfter(cell) {
  const next = cell.nextElementSibling;
  if (next instanceof HTMLElement && next.matches(".other")) return next;
  const added = node("td", { className: "other" });
  cell.after(added);
  return added;
}

/**
 * @param {ViewColumn} read
 * @param {HTMLElement} cell
 * @param {number | null} mine
 * @param {number | null} theirs
 */
function fill(read, cell, mine, theirs) {
  cell.textContent = shown(theirs, read.precision);
  const sign = better(read, mine, theirs);
  if (sign === null || mine === null || theirs === null) return;
  const mark = sign > 0 ? "better" : sign < 0 ? "worse" : "equal";
  cell.append(" ", span(`difference ${mark}`, `${signed(mine - theirs, read.precision)} ${mark}`));
}

/**
 * @param {Results} results
 * @param {HTMLElement} cell
 */
function column(results, cell) {
  return results.data.columns.find(({ key }) => key === cell.dataset.column) ?? null;
}
