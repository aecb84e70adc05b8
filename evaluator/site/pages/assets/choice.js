// @ts-check
// Columns of the ranking that a reader makes: their tasks, weights, metrics and aggregation.
// ranking.js computes; here are what it is given, and the columns that show what it returns.
import { range } from "./arithmetic.js";
import { fixed } from "./number.js";
import { rankMetrics } from "./ranking.js";
import { stability } from "./stability.js";

/** @import { ViewColumn } from "forms" */
/** @import { Column, Model } from "./model.js" */
/** @import { Aggregation, Input, Values } from "./ranking.js" */
/** @import { Stability } from "./stability.js" */
/** @import { ChosenRanking, Choice } from "./view.js" */

const WEIGHTINGS = 500;
const MOST_STABLE = 400;
/** @type {Record<Aggregation, string>} */
export const TITLES = {
  mean: "Mean", mean_rank: "Mean rank", median: "Median", borda: "Borda",
  geometric_mean: "Geometric mean", normalised: "Normalised",
};

/**
 * Returns no columns where the reader leaves the ranking to the board.
 * @param {Model} model
 * @param {Choice} choice
 * @param {number[]} shown
 * @returns {Column[]}
 */
export function readersColumns(model, { ranking }, shown) {
  if (ranking === null || !shown.length) return [];
  const weights = model.data.tasks.map(({ slug, weight }) => ranking.weights.get(slug) ?? weight);
  const rows = ranked(model, shown);
  const metrics = ranking.metrics.flatMap((key) => model.taskColumns.filter((column) => column.key === key));
  const inputs = metrics.map((metric) => input(model, ranking, { metric, rows, weights, shown }));
  const shares = inputs.map(() => 1);
  const { ranks, values, ascending } = rankMetrics(inputs, shares);
  const precision = metrics.length === 1 && ["mean", "median", "geometric_mean"].includes(ranking.aggregate)
    ? metrics[0].precision : 3;
  const places = new Map(rows.map((row, place) => [row, place]));
  /** @type {At} */
  const at = (list) => (row) => number(list[places.get(row) ?? -1]);
  const [rankOf, valueOf] = [at(ranks), at(values)];
  /** @type {Column[]} */
  const columns = [
    {
      id: "yours", group: "yours", title: "Your rank", sorting: "asc", numeric: true, key: rankOf,
      cell: (row) => ({ text: String(rankOf(row) ?? "–"), classes: "num rank", value: rankOf(row) ?? "" }),
    },
    {
      id: "yours.value", group: "yours", title: TITLES[ranking.aggregate], sorting: ascending ? "asc" : "desc",
      numeric: true, key: valueOf, isMain: true, values: Array.from(model.ids.keys(), valueOf),
      cell: (row) => {
        const value = valueOf(row);
        return { text: value === null ? "–" : fixed(value, precision), classes: "num", value: value ?? "" };
      },
    },
  ];
  const open = weights.filter((weight) => weight > 0).length > 1;
  return open && rows.length <= MOST_STABLE
    ? [...columns, span(stability(inputs, shares, WEIGHTINGS), at)] : columns;
}

/** @typedef {(list: Values) => (row: number) => number | null} At what a list over ranked rows has for a row */

/**
 * Whose values make ranks: what the reader looks at. What nobody approved has no rank, and makes none.
 * @param {Model} model
 * @param {number[]} shown
 */
function ranked(model, shown) {
  return shown.filter((row) => !model.aside.has(row));
}

/**
 * @param {Model} model
 * @param {ChosenRanking} ranking
 * @param {object} of
 * @param {ViewColumn} of.metric
 * @param {number[]} of.rows
 * @param {number[]} of.weights
 * @param {number[]} of.shown
 * @returns {Input}
 */
function input(model, { aggregate, baseline }, { metric, rows, weights, shown }) {
  const { data } = model;
  const { ties, missing, decimals } = data.ranking;
  /**
   * @param {"scores" | "overall"} of
   * @param {string} key
   * @param {number | null} task
   */
  const values = (of, key, task) => {
    const numbers = model.numbers(of, key, task);
    return rows.map((row) => numbers[row]);
  };
  const first = rows.findIndex((row) => model.ids[row] === baseline);
  const isShown = new Set(shown);
  return {
    values: data.tasks.map((_, task) => values("scores", metric.key, task)),
    weights, aggregation: aggregate, baseline: first < 0 ? null : first,
    ascending: metric.sorting === "asc",
    // Boards of mean ranks say how equal and missing values are ranked on a task.
    ties: missing === null ? "average" : ties, missing,
    decimals, dense: ties === "dense",
    uncounted: data.tasks.map((_, task) => {
      const without = data.uncounted[task];
      return without ? range(rows.length).filter((at) => without[rows[at]]) : [];
    }),
    breakers: data.columns.filter((column) => column.breaks_ties)
      .map((column) => [values("overall", column.key, null), column.sorting === "asc"]),
    placed: range(rows.length).filter((at) => isShown.has(rows[at])),
  };
}

/**
 * @param {Stability} stable
 * @param {At} at
 * @returns {Column}
 */
function span({ low, high, first }, at) {
  const [lowOf, highOf, firstOf] = [low, high, first].map(at);
  return {
    id: "yours.span", group: "yours", title: "Over all weightings", sorting: "asc", numeric: true, key: highOf,
    cell: (row) => {
      const text = lowOf(row) === null ? "–" : `${lowOf(row) ?? ""}–${highOf(row) ?? ""}`;
      const title = `Best and worst rank over ${WEIGHTINGS} weightings of the tasks; first in ${Math.round(100 * (firstOf(row) ?? 0))}% of them.`;
      return { text, classes: "num", value: highOf(row) ?? "", title };
    },
  };
}

/** @param {number | null | undefined} value */
const number = (value) => (value === undefined || !Number.isFinite(value) ? null : value);
