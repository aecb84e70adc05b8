// @ts-check
// The head of a board: names of columns, which sort, below what neighbours have in common.
import { headOf, isolated, node, one, span } from "./elements.js";

/** @import { Column, Model } from "./model.js" */
/** @typedef {{ key: string, text: string, title?: string, mark?: string } | null} Heading over columns of one key */
/** @typedef {(wanted: { sort: string, order: string }) => void} Sort what the reader asks for */

/**
 * @param {HTMLTableElement} table
 * @param {Model} model
 * @param {Column[]} columns
 * @param {object} sorting
 * @param {string} sorting.sort id of the column that rows are sorted by
 * @param {"asc" | "desc" | ""} sorting.order empty for the better end first
 * @param {Sort} sorting.changed
 */
export function drawHead(table, model, columns, { sort, order, changed }) {
  const bands = [];
  // One column a task has the name of its task.
  const isByTask = model.several && new Set(columns.map(({ each }) => each).filter(Boolean)).size < 2;
  if (model.several && !isByTask) bands.push(band(columns, ({ group }) => groupHeading(model, group)));
  if (!isByTask && columns.some((column) => column.band)) bands.push(band(columns, bandHeading));
  const names = node("tr", {}, ...columns.map((column) => {
    const heading = isByTask && column.each ? groupHeading(model, column.group) : null;
    const margin = column.isMain && model.hasMargins ? [" ", span("margin", "95% margin to the first")] : [];
    return name(column, heading, { isSorted: column.id === sort, order: order || column.sorting, changed, margin });
  }));
  const former = headOf(table);
  const focused = former.contains(document.activeElement)
    ? document.activeElement?.closest("th")?.dataset.column : undefined;
  former.replaceWith(node("thead", {}, ...bands, names));
  const again = Array.from(names.cells).find(({ dataset }) => dataset.column === focused);
  if (again) one(again, "button", HTMLButtonElement).focus();
}

/**
 * The row with the names of columns.
 * @param {HTMLTableElement} table
 */
export function lastHead(table) {
  const { rows } = headOf(table);
  return rows[rows.length - 1];
}

/**
 * @param {Model} model
 * @param {string} group
 * @returns {Heading}
 */
function groupHeading({ data }, group) {
  const sets = data.noun === "data set";
  if (group === "overall") return { key: group, text: sets ? "All methods" : "All tasks" };
  if (group === "sheet") return { key: group, text: sets ? "Datasheet" : "Fact sheet" };
  if (group === "yours") return { key: group, text: "Your ranking" };
  const task = data.tasks.find(({ slug }) => group === `task.${slug}`);
  return task ? { key: group, text: task.name, title: task.retired, mark: task.retired ? "retired" : "" } : null;
}

/**
 * @param {Column} column
 * @returns {Heading}
 */
function bandHeading({ group, band: text }) {
  return text ? { key: `${group} ${text}`, text } : null;
}

/**
 * A row of headings over neighbouring columns.
 * @param {Column[]} columns
 * @param {(column: Column) => Heading} headingOf
 */
function band(columns, headingOf) {
  const line = document.createElement("tr");
  /** @type {{ key: string, cell: HTMLTableCellElement } | null} */
  let last = null;
  for (const column of columns) {
    const heading = headingOf(column);
    const key = heading?.key ?? "";
    if (last !== null && last.key === key) {
      last.cell.colSpan += 1;
      continue;
    }
    const cell = node("th", { colSpan: 1 });
    if (heading) {
      cell.scope = "colgroup";
      cell.append(isolated(heading.text));
      if (heading.title) cell.title = heading.title;
      if (heading.mark) cell.append(" ", span("reported", heading.mark));
    }
    line.append(cell);
    last = { key, cell };
  }
  return line;
}

/**
 * What rows are sorted by, in words.
 * @param {Model} model
 * @param {Column} column
 * @param {"asc" | "desc" | ""} order
 */
export function sortText(model, column, order) {
  const on = groupHeading(model, column.group)?.text;
  const isUp = (order || column.sorting) === "asc";
  const first = column.numeric ? (isUp ? "lowest" : "highest") : (isUp ? "first" : "last");
  return `Sorted by ${column.title}${on && column.metric ? `, ${on}` : ""}: ${first} first`;
}

/** @param {"asc" | "desc"} sorting */
function arrow(sorting) {
  const title = sorting === "asc" ? "lower is better" : "higher is better";
  const mark = node("span", { className: "better", title }, sorting === "asc" ? "↓" : "↑");
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", title);
  return mark;
}

/**
 * @param {Column} column
 * @param {Heading} heading of its task; null for its own title
 * @param {object} sorting
 * @param {boolean} sorting.isSorted
 * @param {"asc" | "desc"} sorting.order
 * @param {Sort} sorting.changed
 * @param {(Node | string)[]} sorting.margin what the lines on bars are
 */
function name(column, heading, { isSorted, order, changed, margin }) {
  const { id, title, sorting, isBetter } = column;
  const mark = heading?.mark ? [" ", span("reported", heading.mark)] : [];
  const button = node("button", { type: "button" }, isolated(heading?.text ?? title), ...(isBetter ? [" ", arrow(sorting)] : []), ...mark);
  button.addEventListener("click", () => {
    const turned = isSorted ? (order === "asc" ? "desc" : "asc") : sorting;
    changed({ sort: id === "rank" && turned === "asc" ? "" : id, order: turned === sorting ? "" : turned });
  });
  const cell = node("th", { scope: "col", className: headClass(column), title: heading?.title ?? "" }, button, ...margin);
  cell.dataset.sort = sorting;
  cell.dataset.column = id;
  if (isSorted) cell.setAttribute("aria-sort", order === "asc" ? "ascending" : "descending");
  return cell;
}

/** @param {Column} column */
function headClass({ id, isName, numeric, isMain }) {
  if (isName) return "name";
  if (id === "rank" || id === "yours") return "rank";
  return numeric ? (isMain ? "num main" : "num") : "";
}
