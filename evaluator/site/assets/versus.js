// @ts-check
// The table of a submission's scores, beside those of any other: the reader's choice stands in the
// address, ?with=participant/name. Without JavaScript the page compares with the leader.
import { all, headOf, isolated, node, one, span } from "./elements.js";
import { better, shown, signed } from "./number.js";
import { load } from "./results.js";

/** @import { ViewColumn } from "forms" */
/** @import { Failure, Results } from "./results.js" */

const MAX_NAME = 100;

const chooser = document.querySelector("[data-versus]");
const scores = chooser?.parentElement?.querySelector("table.scores");

if (chooser instanceof HTMLElement && scores instanceof HTMLTableElement) {
  load(chooser.dataset.view ?? "", "scores").then((results) => start(results, chooser, scores), () => {});
}

/**
 * @param {Results} results
 * @param {HTMLElement} bar
 * @param {HTMLTableElement} table
 */
function start(results, bar, table) {
  const mine = results.row(bar.dataset.versus ?? "");
  if (mine === null || results.size < 2) return;
  const select = one(bar, "select", HTMLSelectElement);
  select.replaceChildren(...results.ids.flatMap((id, row) => (
    row === mine ? [] : new Option(results.name(row).slice(0, MAX_NAME), id)
  )));
  const show = () => {
    const asked = new URLSearchParams(location.search).get("with");
    const wanted = asked === null ? null : results.row(asked);
    const other = wanted === null || wanted === mine ? results.rival(mine) : wanted;
    select.value = results.ids[other];
    one(bar, "[role=status]", HTMLElement).textContent = asked !== null && other !== wanted
      ? `“${asked.slice(0, MAX_NAME)}” is not another submission on this board. `
      : "";
    caption(results, table, other);
    heads(results, table);
    const rows = Array.from(table.tBodies[0].rows);
    const above = rows.length - results.data.tasks.length; // the row over all tasks, where there are several
    rows.forEach((row, place) => compare(results, table, row, place < above ? null : place - above, [mine, other]));
  };
  bar.hidden = false;
  select.addEventListener("change", () => {
    const address = new URL(location.href);
    address.searchParams.set("with", select.value);
    history.pushState(null, "", address);
    show();
  });
  addEventListener("popstate", show);
  show();
}

/**
 * @param {Results} results
 * @param {HTMLTableElement} table
 * @param {number} other
 */
function caption(results, table, other) {
  const link = document.createElement("a");
  const [participant, name] = results.ids[other].split("/");
  link.href = `../../${participant}/${name}/`;
  link.append(isolated(results.title(other)));
  const rank = results.rank(other);
  const place = table.caption ?? table.createCaption();
  place.className = "note";
  place.replaceChildren(
    "Other: ", link, " by ", isolated(participant), rank === null ? "" : `, rank ${rank}`,
    ". Differences are in the unit of their column.",
  );
}

/**
 * @param {Results} results
 * @param {HTMLTableElement} table
 */
function heads(results, table) {
  for (const head of all(headOf(table), "[data-column]", HTMLElement)) {
    if (column(results, head) === null || head.nextElementSibling?.matches(".other")) continue;
    head.after(...["other", "difference"].map((name) => node("th", { scope: "col", className: `num ${name}` }, name)));
  }
}

/**
 * @param {Results} results
 * @param {HTMLTableElement} table
 * @param {HTMLTableRowElement} line
 * @param {number | null} task
 * @param {[mine: number, other: number]} rows
 */
function compare(results, table, line, task, [mine, other]) {
  for (const head of all(headOf(table), "[data-column]", HTMLTableCellElement)) {
    const read = column(results, head);
    if (read === null) continue;
    const [value, gap] = cellsAfter(line.cells[head.cellIndex]);
    if (task !== null && read.over_tasks) {
      value.textContent = gap.textContent = "";
      continue;
    }
    /** @param {number} row */
    const number = (row) => (task === null ? results.overall(read, row) : results.score(read, task, row));
    fill(read, value, gap, [number(mine), number(other)], task === null ? null : results.failure(task, other));
  }
}

/**
 * The cells for the other's value and the difference, which may stand there from the beginning.
 * @param {HTMLElement} cell
 */
function cellsAfter(cell) {
  const [next, last] = [cell.nextElementSibling, cell.nextElementSibling?.nextElementSibling];
  const isThere = next instanceof HTMLElement && next.matches(".other") && last instanceof HTMLElement;
  const cells = isThere ? [next, last] : [node("td", {}), node("td", {})];
  if (!isThere) cell.after(...cells);
  cells[0].className = "num other";
  cells[1].className = "num difference";
  return cells;
}

/**
 * @param {ViewColumn} read
 * @param {HTMLElement} value
 * @param {HTMLElement} gap
 * @param {[mine: number | null, theirs: number | null]} values
 * @param {Failure | null} failure
 */
function fill(read, value, gap, [mine, theirs], failure) {
  value.textContent = theirs === null && failure ? failure[0] : shown(theirs, read.precision);
  value.title = failure ? failure.slice(2).filter(Boolean).join(": ") : "";
  const sign = better(read, mine, theirs);
  if (sign === null || mine === null || theirs === null) {
    gap.textContent = "–";
    return;
  }
  const mark = sign > 0 ? "better" : sign < 0 ? "worse" : "equal";
  gap.classList.add(mark);
  gap.replaceChildren(`${signed(mine - theirs, read.precision)} `, span("who", mark));
}

/**
 * @param {Results} results
 * @param {HTMLElement} cell
 */
function column(results, cell) {
  return results.data.columns.find(({ key }) => key === cell.dataset.column) ?? null;
}
