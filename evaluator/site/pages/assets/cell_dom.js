// @ts-check
// Cells as elements. Text is text: nothing that a stranger wrote becomes markup.
import { drawn, node, span } from "./elements.js";

/** @import { Cell } from "./cells.js" */
/** @import { Bar } from "./heat.js" */
/** @typedef {{ picked: Set<number>, full: boolean }} Comparing rows that are ticked, and whether no more may be */

/**
 * @param {Cell} cell
 * @param {object} place
 * @param {string} place.up from the page to the benchmark
 * @param {Comparing | null} [place.compare]
 */
export function drawCell(cell, { up, compare = null }) {
  const element = document.createElement(cell.isHead ? "th" : "td");
  if (cell.isHead) element.scope = "row";
  if (cell.classes) element.className = cell.classes;
  if (cell.title) element.title = cell.title;
  if (cell.value !== undefined) element.dataset.value = String(cell.value);
  if (cell.row !== undefined && compare) element.append(picker(cell, cell.row, compare));
  if (cell.href !== undefined) element.append(anchor(up + cell.href, cell.text));
  else if (cell.link !== undefined) element.append(outside(cell.link, cell.text));
  else element.append(cell.text);
  if (cell.aside) element.append(span("dev", cell.aside));
  if (cell.reason) {
    element.append(span("reason", cell.reason));
    element.tabIndex = 0;
  }
  if (cell.whole) element.tabIndex = 0;
  if (cell.who) element.append(" ", whose(cell.who, cell.whose, up));
  for (const [text, title] of cell.marks ?? []) element.append(" ", mark(text, title));
  if (cell.href !== undefined && cell.details) {
    element.append(" ", aside(`${up}${cell.href}#detailed-results-${cell.details}`, "detailed results"));
  }
  if (cell.code) element.append(" ", aside(...cell.code));
  return element;
}

/** @param {Bar} bar behind a value */
export function drawBar({ length, interval }) {
  /** @param {number} share */
  const percent = (share) => `${share.toFixed(1)}%`;
  const parts = [drawn("rect", { width: percent(length) })];
  if (interval) {
    const [from, to] = interval;
    parts.push(
      drawn("rect", { class: "interval", x: percent(from), width: percent(to - from) }),
      ...interval.map((end) => drawn("rect", { class: "end", x: percent(end), width: "2" })),
    );
  }
  return drawn("svg", { class: "bar", "aria-hidden": "true" }, ...parts);
}

/**
 * @param {string} who
 * @param {string | undefined} page
 * @param {string} up
 */
function whose(who, page, up) {
  if (!page) return span("who", who);
  return node("span", { className: "who" }, anchor(up + page, who));
}

/**
 * @param {string} href
 * @param {string} text
 */
function anchor(href, text) {
  return node("a", { href }, text);
}

/**
 * @param {string} href
 * @param {string} text
 */
function aside(href, text) {
  return node("a", { href, className: "details" }, text);
}

/**
 * @param {string} href
 * @param {string} text
 */
function outside(href, text) {
  return node("a", { href, rel: "noopener nofollow ugc", title: href }, text);
}

/**
 * @param {string} text
 * @param {string} title
 */
function mark(text, title) {
  return node("span", { className: "reported", ...(title && { title }) }, text);
}

/**
 * @param {Cell} cell
 * @param {number} row
 * @param {Comparing} compare
 */
function picker(cell, row, { picked, full }) {
  const checked = picked.has(row);
  const box = node("input", {
    type: "checkbox", className: "pick", value: String(row), checked, disabled: full && !checked,
  });
  box.setAttribute("aria-label", `Compare ${cell.text} by ${cell.who ?? ""}`);
  return box;
}
