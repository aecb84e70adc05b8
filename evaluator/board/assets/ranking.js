// Rankings that a reader chooses. board/choice.py says what each of them is and is the same,
// operation for operation; shared cases keep the two equal.
import { isValue, mean, median, range, relative, rounded, snapped, sum, taskRanks } from "./arithmetic.js";

// values: for each task, a number for each row (null and NaN are none). weights: one for each task.
// ascending: whether less is better. baseline: the row that is 0 with "normalised", or null.
// Of the board's rules: ties (as taskRanks takes it), missing ("last", "last+1", "worst", or null),
// decimals (or null), uncounted (for each task, a set of rows), breakers (pairs of values by row and
// whether less is better), dense, and placed (rows that get a place; null for all).
// Returns values (NaN for none), ranks (null for none) and whether a lesser value is better.
export function rank(input) {
  const { rows, columns, weights, ascending, isWhole } = makeParts(input);
  const values = new Array(height(input.values)).fill(NaN);
  const total = sum(weights);
  rows.forEach((row, position) => {
    const own = columns.map((column) => column[position]);
    const counted = isWhole ? null : range(own.length).filter((task) => own[task] !== null);
    values[row] = finite(isWhole
      ? joined(own, weights, total, input.aggregation)
      : joinedOf(counted.map((task) => own[task]), counted.map((task) => weights[task]), input.aggregation));
  });
  return { values, ranks: places(values, ascending, input), ascending };
}

// inputs: one for each metric, as rank takes them. weights: one for each metric.
export function rankMetrics(inputs, weights) {
  const { used, shares } = relative(weights);
  if (used.length === 1) return rank(inputs[used[0]]);
  const found = used.map((metric) => rank({ ...inputs[metric], breakers: [], placed: null }));
  const count = Math.max(0, ...inputs.map((one) => height(one.values)));
  const rows = range(count).filter(
    (row) => found.length > 0 && found.every((one) => (one.ranks[row] ?? null) !== null),
  );
  const scaled = used.every((metric) => inputs[metric].aggregation === "normalised");
  const columns = found.map((one) => scaled
    ? rows.map((row) => one.values[row])
    : taskRanks(rows.map((row) => one.ranks[row]), true, "average"));
  const values = new Array(count).fill(NaN);
  const total = sum(shares);
  rows.forEach((row, position) => {
    values[row] = finite(mean(columns.map((column) => column[position]), shares, total));
  });
  if (!used.length) return { values, ranks: new Array(count).fill(null), ascending: !scaled };
  const rule = { ...inputs[used[0]], aggregation: "mean" };
  return { values, ranks: places(values, !scaled, rule), ascending: !scaled };
}

// What each row gets on each task that has a weight; null where the task does not count for it.
export function makeParts(input) {
  const { values, ascending, aggregation, uncounted } = input;
  const { used, shares } = relative(input.weights);
  const missing = aggregation === "mean_rank" ? input.missing ?? null : null;
  const tasks = used.map((task) => ({
    column: values[task], without: uncounted?.[task] === undefined ? NOBODY : new Set(uncounted[task]),
  }));
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
  const columns = tasks.map(({ column, without }) => {
    const isPlain = missing === null && without.size === 0;
    const some = isPlain ? rows
      : (missing === null ? rows : all).filter((row) => !without.has(row) && isValue(column[row]));
    const own = parts(some.map((row) => column[row]), column, input);
    if (isPlain) return own;
    const found = new Map(some.map((row, position) => [row, own[position]]));
    const given = missing === null ? null : rankOfNone(own, all.length, missing);
    return rows.map((row) => (without.has(row) ? null : found.get(row) ?? given));
  });
  const fixed = { mean_rank: true, borda: false, normalised: false };
  const isWhole = tasks.every(({ without }) => without.size === 0);
  return { rows, columns, weights: shares, ascending: fixed[aggregation] ?? ascending, isWhole };
}

// The parts on one task of rows with these values.
function parts(own, column, { ascending, aggregation, baseline = null, ties = "average", decimals = null }) {
  const near = decimals === null ? own : own.map((value) => rounded(value, decimals));
  if (aggregation === "mean_rank") return taskRanks(near, ascending, ties);
  if (aggregation === "borda") return taskRanks(near, ascending, "average").map((place) => own.length - place);
  if (aggregation === "geometric_mean") return own.map(Math.log);
  if (aggregation !== "normalised") return own;
  return scaled(own, ascending, baseline === null ? null : (column[baseline] ?? NaN));
}

function rankOfNone(ranks, count, missing) {
  const last = ranks.reduce((a, b) => Math.max(a, b), 0);
  return { last: Math.max(last, 1), "last+1": last + 1, worst: count }[missing];
}

function joinedOf(own, weights, aggregation) {
  return joined(own, weights, sum(weights), aggregation);
}

function joined(own, weights, total, aggregation) {
  if (aggregation === "median") return median(own, weights, total);
  const value = mean(own, weights, total);
  return aggregation === "geometric_mean" ? Math.exp(value) : value;
}

function scaled(own, ascending, zero) {
  if (Number.isNaN(zero) || zero === Infinity || zero === -Infinity) return own.map(() => NaN);
  const sign = ascending ? -0.5 : 0.5; // halves keep differences in range
  const signed = own.map((value) => sign * value);
  const best = signed.reduce((a, b) => Math.max(a, b), -Infinity);
  const worst = signed.reduce((a, b) => Math.min(a, b), Infinity);
  const base = zero === null ? worst : sign * zero;
  const span = best > base ? best - base : base - worst;
  return signed.map((value) => (span > 0 ? (value - base) / span : 0));
}

// Ranks of rows, from 1, by the board's rules; null for NaN.
function places(values, ascending, { aggregation, dense = false, placed = null, ...rules }) {
  const near = aggregation === "geometric_mean" ? snapped(values) : values;
  const rows = (placed ?? range(values.length)).filter((row) => !Number.isNaN(values[row]));
  const keys = [near, ...(rules.breakers ?? []).map(([own]) => own)];
  const better = comparison(keys, [ascending, ...(rules.breakers ?? []).map(([, less]) => less)], rules.decimals);
  rows.sort(better);
  const found = new Array(values.length).fill(null);
  let place = 0;
  rows.forEach((row, above) => {
    if (above === 0 || better(rows[above - 1], row) !== 0) place = dense ? place + 1 : above + 1;
    found[row] = place;
  });
  return found;
}

// Of rows, by several keys in turn; what is no value stands last.
export function comparison(keys, ascending, decimals = null) {
  const signed = keys.map((own, key) => {
    const sign = ascending[key] ? 1 : -1;
    return Float64Array.from(own, (value) => (
      value === null || Number.isNaN(value) ? Infinity : sign * rounded(value, decimals)
    ));
  });
  return (a, b) => {
    for (const own of signed) {
      if (own[a] !== own[b]) return own[a] < own[b] ? -1 : 1;
    }
    return 0;
  };
}

const NOBODY = new Set();
const finite = (value) => (Number.isFinite(value) ? value : NaN);
const height = (values) => values[0]?.length ?? 0;
