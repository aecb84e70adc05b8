// @ts-check
// Rankings that a reader chooses. tests/core/leaderboard/oracle.py says what each of them is and is the same,
// operation for operation; shared cases keep the two equal.
import { isValue, levelled, mean, median, range, relative, rounded, sum, taskRanks } from "./arithmetic.js";

/** @import { ViewRanking } from "forms" */
/** @typedef {"mean" | "mean_rank" | "median" | "borda" | "geometric_mean" | "normalised"} Aggregation */
/** @typedef {(number | null)[]} Values by row; null and NaN are none */

/**
 * What a ranking is made of.
 * @typedef {object} Input
 * @property {Values[]} values for each task
 * @property {number[]} weights one for each task
 * @property {boolean} ascending whether less is better
 * @property {Aggregation} aggregation
 * @property {number | null} [baseline] the row that is 0 with "normalised"; null for the worst
 * @property {ViewRanking["ties"]} [ties]
 * @property {ViewRanking["missing"]} [missing]
 * @property {ViewRanking["decimals"]} [decimals]
 * @property {boolean} [dense] whether the place after equal rows is the next number
 * @property {number[][]} [uncounted] for each task, rows for which it does not count
 * @property {[Values, boolean][]} [breakers] what tells equal rows apart, and whether less is better
 * @property {number[] | null} [placed] rows that get a place; null for all
 */

/**
 * @typedef {object} Ranking
 * @property {number[]} values NaN for none
 * @property {Values} ranks
 * @property {boolean} ascending whether a lesser value is better
 */

/**
 * @param {Input} input
 * @returns {Ranking}
 */
export function rank(input) {
  const { rows, columns, weights, ascending, isWhole } = makeParts(input);
  const values = range(height(input.values)).map(() => NaN);
  const total = sum(weights);
  rows.forEach((row, position) => {
    const parts = columns.map((column) => column[position]);
    const counted = parts.filter((part) => part !== null);
    const shares = isWhole ? weights : weights.filter((_, task) => parts[task] !== null);
    values[row] = finite(joined(counted, shares, isWhole ? total : sum(shares), input.aggregation));
  });
  return { values, ranks: places(values, ascending, input), ascending };
}

/**
 * @param {Input[]} inputs one for each metric
 * @param {number[]} weights one for each metric
 * @returns {Ranking}
 */
export function rankMetrics(inputs, weights) {
  const { used, shares } = relative(weights);
  if (used.length === 1) return rank(inputs[used[0]]);
  const rankings = used.map((metric) => rank({ ...inputs[metric], breakers: [], placed: null }));
  const count = Math.max(0, ...inputs.map((one) => height(one.values)));
  const rows = range(count).filter(
    (row) => rankings.length > 0 && rankings.every((one) => (one.ranks[row] ?? null) !== null),
  );
  const isScaled = used.every((metric) => inputs[metric].aggregation === "normalised");
  const columns = rankings.map((one) => isScaled
    ? rows.map((row) => one.values[row])
    : taskRanks(rows.map((row) => one.ranks[row] ?? NaN), true, "average"));
  const values = range(count).map(() => NaN);
  const total = sum(shares);
  rows.forEach((row, position) => {
    values[row] = finite(mean(columns.map((column) => column[position]), shares, total));
  });
  if (!used.length) return { values, ranks: values.map(() => null), ascending: !isScaled };
  /** @type {Input} */
  const rule = { ...inputs[used[0]], aggregation: "mean" };
  return { values, ranks: places(values, !isScaled, rule), ascending: !isScaled };
}

/** @typedef {ReturnType<typeof makeParts>} Parts */

/**
 * What each row gets on each task that has a weight; null where the task does not count for it.
 * @param {Input} input
 */
export function makeParts(input) {
  const { values, ascending, aggregation, uncounted } = input;
  const { used, shares } = relative(input.weights);
  const missing = aggregation === "mean_rank" ? input.missing ?? null : null;
  const tasks = used.map((task) => ({ column: values[task], without: new Set(uncounted?.[task]) }));
  const all = range(height(values));
  const rows = all.filter((row) => {
    let [counted, known] = [0, 0];
    for (const { column, without } of tasks) {
      if (without.has(row)) continue;
      counted += 1;
      if (isValue(column[row])) known += 1;
    }
    return known > 0 && (missing !== null || known === counted);
  });
  /** @type {Values[]} */
  const columns = tasks.map(({ column, without }) => {
    const isPlain = missing === null && without.size === 0;
    const ranked = isPlain ? rows
      : (missing === null ? rows : all).filter((row) => !without.has(row) && isValue(column[row]));
    const parts = taskParts(ranked.map((row) => column[row] ?? NaN), column, input);
    if (isPlain) return parts;
    const partOf = new Map(ranked.map((row, position) => [row, parts[position]]));
    const absent = missing === null ? null : rankOfNone(parts, all.length, missing);
    return rows.map((row) => (without.has(row) ? null : partOf.get(row) ?? absent));
  });
  /** @type {Partial<Record<Aggregation, boolean>>} */
  const fixed = { mean_rank: true, borda: false, normalised: false };
  const isWhole = tasks.every(({ without }) => without.size === 0);
  return { rows, columns, weights: shares, ascending: fixed[aggregation] ?? ascending, isWhole };
}

/**
 * The parts on one task of rows with these values.
 * @param {number[]} values
 * @param {Values} column
 * @param {Input} input
 */
function taskParts(values, column, { ascending, aggregation, baseline = null, ties = "average", decimals = null }) {
  const near = decimals === null ? values : values.map((value) => rounded(value, decimals));
  if (aggregation === "mean_rank") return taskRanks(near, ascending, ties);
  if (aggregation === "borda") return taskRanks(near, ascending, "average").map((place) => values.length - place);
  if (aggregation === "geometric_mean") return values.map(Math.log);
  if (aggregation !== "normalised") return values;
  return scaled(values, ascending, baseline === null ? null : (column[baseline] ?? NaN));
}

/**
 * @param {number[]} ranks
 * @param {number} count
 * @param {NonNullable<ViewRanking["missing"]>} missing
 */
function rankOfNone(ranks, count, missing) {
  const last = ranks.reduce((a, b) => Math.max(a, b), 0);
  const midrank = (ranks.length + 1 + count) / 2;
  return { last: Math.max(last, 1), "last+1": last + 1, worst: count, midrank }[missing];
}

/**
 * @param {number[]} values
 * @param {number[]} weights
 * @param {number} total
 * @param {Aggregation} aggregation
 */
function joined(values, weights, total, aggregation) {
  if (aggregation === "median") return median(values, weights, total);
  const value = mean(values, weights, total);
  return aggregation === "geometric_mean" ? Math.exp(value) : value;
}

/**
 * @param {number[]} values
 * @param {boolean} ascending
 * @param {number | null} zero
 */
function scaled(values, ascending, zero) {
  if (Number.isNaN(zero) || zero === Infinity || zero === -Infinity) return values.map(() => NaN);
  const sign = ascending ? -0.5 : 0.5; // halves keep differences in range
  const signed = values.map((value) => sign * value);
  const best = signed.reduce((a, b) => Math.max(a, b), -Infinity);
  const worst = signed.reduce((a, b) => Math.min(a, b), Infinity);
  const base = zero === null ? worst : sign * zero;
  const span = best > base ? best - base : base - worst;
  return signed.map((value) => (span > 0 ? (value - base) / span : 0));
}

/**
 * Ranks of rows, from 1, by the board's rules; null for NaN.
 * @param {number[]} values
 * @param {boolean} ascending
 * @param {Input} rules
 */
function places(values, ascending, { breakers = [], decimals, dense = false, placed = null }) {
  const rows = (placed ?? range(values.length)).filter((row) => !Number.isNaN(values[row]));
  const keys = [values, ...breakers.map(([column]) => column)];
  const better = comparison(keys, [ascending, ...breakers.map(([, less]) => less)], decimals);
  rows.sort(better);
  /** @type {Values} */
  const ranks = values.map(() => null);
  let place = 0;
  rows.forEach((row, above) => {
    if (above === 0 || better(rows[above - 1], row) !== 0) place = dense ? place + 1 : above + 1;
    ranks[row] = place;
  });
  return ranks;
}

/**
 * Of rows, by several keys in turn; what is no value stands last.
 * @param {Values[]} keys
 * @param {boolean[]} ascending
 * @param {number | null} decimals
 * @returns {(a: number, b: number) => number}
 */
export function comparison(keys, ascending, decimals = null) {
  const signed = keys.map((column, key) => {
    const sign = ascending[key] ? 1 : -1;
    return levelled(Float64Array.from(column, (value) => (
      value === null || Number.isNaN(value) ? Infinity : sign * rounded(value, decimals)
    )));
  });
  return (a, b) => {
    for (const column of signed) {
      if (column[a] !== column[b]) return column[a] < column[b] ? -1 : 1;
    }
    return 0;
  };
}

/** @param {number} value */
const finite = (value) => (Number.isFinite(value) ? value : NaN);
/** @param {Values[]} values */
const height = (values) => values[0]?.length ?? 0;
