// @ts-check
// Rows of plain tables, the answers that they carry, and whether these are what a reader looks for.
import { all } from "./elements.js";
import { folded } from "./view.js";

/** @import { Chosen } from "./view.js" */
/** @typedef {Map<string, string>} Answers by name, which may be "constructor" */

/** @type {WeakMap<HTMLTableRowElement, Answers>} */
const known = new WeakMap();

/**
 * In the order in which they stand, headings of groups left out.
 * @param {HTMLTableElement} table
 */
export function rowsOf(table) {
  return all(table, ":scope > tbody > tr:not(.group)", HTMLTableRowElement);
}

/**
 * Whether a row is one to choose; others, such as marks between the rows, stay where they are.
 * @param {HTMLTableRowElement} row
 */
export function isChosenFrom(row) {
  return row.dataset.answers !== undefined;
}

/** @param {HTMLTableRowElement} row */
export function answersOf(row) {
  let answers = known.get(row);
  if (answers === undefined) {
    /** @type {unknown} */
    const written = JSON.parse(row.dataset.answers ?? "{}");
    answers = new Map(Object.entries(/** @type {Record<string, string>} */ (written)));
    known.set(row, answers);
  }
  return answers;
}

/**
 * @param {HTMLTableRowElement} row
 * @param {Chosen} choice
 */
export function matches(row, choice) {
  return chosen(answersOf(row), () => textOf(row), choice);
}

/**
 * @param {Answers} answers
 * @param {() => string} text is called only where words are looked for
 * @param {Chosen} choice
 */
export function chosen(answers, text, { filters, words }) {
  const fits = filters.every((filter) => {
    const answer = answers.get(filter.name) ?? "";
    return "any" in filter ? filter.any.has(answer) : answer.toLowerCase().includes(filter.part);
  });
  return fits && (words === "" || text().includes(words));
}

/** @param {HTMLTableRowElement} row */
function textOf(row) {
  const title = row.querySelector("th a")?.textContent ?? "";
  return folded([title, ...answersOf(row).values()].join("\n"));
}
