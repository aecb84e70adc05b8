// Rows of plain tables, the answers that they carry, and whether these are what a reader looks for.
import { folded } from "./view.js";

const known = new WeakMap();

// In the order in which they stand, headings of groups left out.
export function rowsOf(table) {
  return Array.from(table.querySelectorAll(":scope > tbody > tr:not(.group)"));
}

// Whether a row is one to choose; others, such as marks between the rows, stay where they are.
export function isChosenFrom(row) {
  return row.dataset.answers !== undefined;
}

// Name -> answer. A Map, since answers may be called "constructor".
export function answersOf(row) {
  if (!known.has(row)) known.set(row, new Map(Object.entries(JSON.parse(row.dataset.answers))));
  return known.get(row);
}

export function matches(row, choice) {
  return chosen(answersOf(row), () => textOf(row), choice);
}

// `textOf` is called only where words are looked for.
export function chosen(answers, textOf, { filters, words }) {
  const fits = filters.every(({ name, any, part }) => {
    const answer = answers.get(name) ?? "";
    return any ? any.has(answer) : answer.toLowerCase().includes(part);
  });
  return fits && (words === "" || textOf().includes(words));
}

function textOf(row) {
  const title = row.querySelector("th a")?.textContent ?? "";
  return folded([title, ...answersOf(row).values()].join("\n"));
}
