// @ts-check
// Which rows of a model stand on the board, and in which order: a function of what the reader chose.
import { chosen } from "./rows.js";

/** @import { ViewGoal } from "forms" */
/** @import { Column, Key, Model } from "./model.js" */
/** @import { Choice } from "./view.js" */
/** @typedef {{ answer: string, count: number }} Group stands over its rows */
/** @typedef {number | ViewGoal | Group} Item a row by its number, or what stands among rows */

/**
 * Rows that fit what is asked for, in the order of the board.
 * @param {Model} model
 * @param {Choice} choice
 */
export function chosenRows(model, choice) {
  const { submitted } = model.data.rows;
  const isAny = !choice.filters.length && choice.words === "";
  const most = Array.from(choice.most, ([key, value]) => ({ values: model.numbers("resource", key, null), value }));
  const rows = shown(model, choice)
    .filter((row) => isAny || chosen(model.answers(row), () => model.text(row), choice))
    .filter((row) => most.every(({ values, value }) => values[row] <= value))
    .filter((row) => isBetween(submitted[row], choice));
  return near(model, rows, choice.within);
}

/**
 * Rows within so many percent of the best of them that counts.
 * @param {Model} model
 * @param {number[]} rows
 * @param {number | null} within
 */
function near(model, rows, within) {
  const column = model.data.columns.find(({ key }) => key === model.data.near);
  if (within === null || !column) return rows;
  const sign = column.sorting === "asc" ? -1 : 1;
  const values = model.numbers("overall", column.key, null);
  const best = rows.filter((row) => !model.aside.has(row) && !Number.isNaN(values[row]))
    .reduce((most, row) => Math.max(most, sign * values[row]), -Infinity);
  const least = best - (within / 100) * Math.abs(best);
  return rows.filter((row) => sign * values[row] >= least);
}

/**
 * @param {Model} model
 * @param {number[]} rows
 * @param {Column[]} columns
 * @param {Choice} choice
 * @returns {{ items: Item[], groups: number }}
 */
export function arrange(model, rows, columns, choice) {
  const column = columns.find(({ id }) => id === choice.sort) ?? columns[0];
  const goals = choice.show || choice.ranking ? [] : model.data.goals;
  const { group } = choice;
  if (group === null) return { items: sorted([...rows, ...goals], column, choice), groups: 0 };
  const ordered = sorted(rows, column, choice);
  const groups = grouped(ordered, (row) => model.answers(row).get(group) ?? "");
  const order = Array.from(groups);
  order.sort(([a], [b]) => Number(a === "") - Number(b === "")); // what is not answered stands last
  /** @type {Item[]} */
  const items = sorted([...goals], column, choice);
  for (const [answer, members] of order) {
    items.push({ answer, count: members.length }, ...members);
  }
  return { items, groups: order.length };
}

/**
 * @template Row
 * @param {Row[]} rows
 * @param {(row: Row) => string} answerOf
 */
export function grouped(rows, answerOf) {
  /** @type {Map<string, Row[]>} */
  const groups = new Map();
  for (const row of rows) {
    const answer = answerOf(row);
    const members = groups.get(answer);
    if (members) members.push(row);
    else groups.set(answer, [row]);
  }
  return groups;
}

/**
 * What of each participant's submissions is shown: what the board lists, one of them, or all.
 * @param {Model} model
 * @param {Choice} choice
 */
function shown(model, { show }) {
  if (show === "all") return model.all;
  if (show !== "best" && show !== "last") return model.listed;
  const { participant, submitted } = model.data.rows;
  const best = comparison(primary(model), "best");
  /** @type {(a: number, b: number) => boolean} */
  const isBetter = show === "best"
    ? (a, b) => best(a, b) < 0
    : (a, b) => submitted[a] > submitted[b];
  /** @type {Map<string, number>} */
  const first = new Map();
  for (const row of model.all) {
    const known = first.get(participant[row]);
    if (known === undefined || isBetter(row, known)) first.set(participant[row], row);
  }
  const rows = new Set(first.values());
  return model.all.filter((row) => rows.has(row));
}

/**
 * What the board is ranked by; ranks where no such column is shown.
 * @param {Model} model
 */
function primary({ columns, data, several }) {
  const column = data.columns.find((one) => one.primary);
  const on = several || column?.over_tasks ? "overall" : data.tasks[0]?.slug;
  return columns.find(({ id }) => id === `${on}.${column?.key}`) ?? columns[0];
}

/**
 * @param {string} submitted
 * @param {Choice} choice
 */
function isBetween(submitted, { since, until }) {
  const day = submitted.slice(0, 10);
  return (!since || day >= since) && (!until || (day !== "" && day <= until));
}

/**
 * @template {number | ViewGoal} Sorted
 * @param {Sorted[]} items
 * @param {Column} column
 * @param {Choice} choice
 */
function sorted(items, column, { order }) {
  const compare = keyComparison(column, order || "best");
  return items.map((item, place) => ({ item, place, key: keyOf(column, item) }))
    .sort((a, b) => compare(a.key, b.key) || a.place - b.place)
    .map(({ item }) => item);
}

/**
 * @param {Column} column
 * @param {number | ViewGoal} item
 */
function keyOf(column, item) {
  return (typeof item === "number" ? column.key(item) : column.goal?.(item)) ?? null;
}

/**
 * @param {Column} column
 * @param {"asc" | "desc" | "best"} order
 * @returns {(a: number, b: number) => number}
 */
function comparison(column, order) {
  const compare = keyComparison(column, order);
  return (a, b) => compare(keyOf(column, a), keyOf(column, b));
}

/**
 * Empty cells stay last.
 * @param {Column} column
 * @param {"asc" | "desc" | "best"} order which end of the column comes first
 * @returns {(first: Key, second: Key) => number}
 */
function keyComparison(column, order) {
  const sign = (order === "best" ? column.sorting : order) === "asc" ? 1 : -1;
  return (first, second) => {
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    if (typeof first === "number" && typeof second === "number") return sign * (first - second);
    return sign * collator.compare(String(first), String(second));
  };
}

const collator = new Intl.Collator();
