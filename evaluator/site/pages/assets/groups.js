// @ts-check
// Puts the rows of a table into groups by one answer, each below a heading with its count.
// Rows keep their order, so the group of the first row stands first; ranks stay what they are.
import { grouped } from "./arrangement.js";
import { all, headOf, isolated, node, span } from "./elements.js";
import { answersOf, isChosenFrom } from "./rows.js";

const NONE = "not answered";

/**
 * Returns how many groups are shown.
 * @param {HTMLTableElement} table
 * @param {HTMLTableRowElement[]} order
 * @param {string | null} name of the question in the address; null for no groups
 * @param {string} title of the question
 */
export function arrange(table, order, name, title) {
  const former = all(table, ":scope > tbody.group", HTMLTableSectionElement);
  if (name === null && !former.length) return 0;
  const first = table.tBodies[0];
  first.append(...(name === null ? order : order.filter((row) => !isChosenFrom(row))));
  const bodies = name === null ? [] : bodiesOf(table, order.filter(isChosenFrom), name, title);
  first.after(...bodies);
  former.forEach((one) => one.remove());
  return bodies.filter((one) => !one.hidden).length;
}

/**
 * @param {HTMLTableElement} table
 * @param {HTMLTableRowElement[]} rows
 * @param {string} name
 * @param {string} title
 */
function bodiesOf(table, rows, name, title) {
  const groups = grouped(rows, (row) => answersOf(row).get(name) ?? "");
  const unanswered = groups.get("");
  if (unanswered && groups.delete("")) groups.set("", unanswered); // it stands last
  return Array.from(groups, ([answer, members]) => body(table, title, answer, members));
}

/**
 * @param {HTMLTableElement} table
 * @param {string} title
 * @param {string} answer
 * @param {HTMLTableRowElement[]} rows
 */
function body(table, title, answer, rows) {
  const shown = rows.filter((row) => !row.hidden).length;
  const { rows: heads } = headOf(table);
  const cell = node("th", { scope: "rowgroup", colSpan: heads[heads.length - 1].cells.length });
  cell.append(groupHeading(title, answer, shown));
  const heading = node("tr", { className: "group" }, cell);
  return node("tbody", { className: "group", hidden: shown === 0 }, heading, ...rows);
}

/**
 * @param {string} title
 * @param {string} answer
 * @param {number} count
 */
export function groupHeading(title, answer, count) {
  return node("span", {}, span("who", `${title}: `), isolated(answer || NONE), span("who", ` ${count} row${count === 1 ? "" : "s"}`));
}
