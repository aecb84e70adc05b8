// @ts-check
// How stable each rank is over random weightings of the tasks, which statistics/stability.py draws,
// too.
import { levelled, range, relative, rounded, sum, taskRanks, TOLERANCE } from "./arithmetic.js";
import { comparison, makeParts, rankMetrics } from "./ranking.js";

/** @import { Aggregation, Input, Parts, Values } from "./ranking.js" */

const STEPS = 2 ** 40;

/**
 * By row, null for rows without a rank.
 * @typedef {object} Stability
 * @property {Values} low the best rank over so many weightings
 * @property {Values} high the worst
 * @property {Values} first the share of them in which it has rank 1
 * @property {Values} same the share of them in which it has the rank that it has now
 */

/**
 * @param {Input[]} inputs one for each metric
 * @param {number[]} weights one for each metric
 * @param {number} count how many weightings
 * @returns {Stability}
 */
export function stability(inputs, weights, count) {
  const { used, shares } = relative(weights);
  const metrics = used.map((metric) => inputs[metric]);
  const { ranks } = rankMetrics(inputs, weights);
  /** @returns {Values} */
  const none = () => ranks.map(() => null);
  const stable = { low: none(), high: none(), first: none(), same: none() };
  const rows = range(ranks.length).filter((row) => ranks[row] !== null);
  if (rows.length === 0) return stable;
  // Those that get no place themselves make the ranks of others.
  const all = rankMetrics(metrics.map((one) => ({ ...one, placed: null, breakers: [] })), shares).ranks;
  const valued = range(all.length).filter((row) => all[row] !== null);
  const positions = positionsOf(valued);
  const placed = rows.map((row) => positions[row]);
  const ties = tieOrder(rows, metrics[0]);
  const seen = rows.map(() => ({ low: Infinity, high: 0, first: 0, same: 0 }));
  for (const keys of joined(metrics, shares, valued, count)) {
    places(placed.map((position) => keys[position]), ties, metrics[0].dense).forEach((place, at) => {
      const one = seen[at];
      if (place < one.low) one.low = place;
      if (place > one.high) one.high = place;
      if (place === 1) one.first += 1;
      if (place === ranks[rows[at]]) one.same += 1;
    });
  }
  seen.forEach(({ low, high, first, same }, at) => {
    stable.low[rows[at]] = low;
    stable.high[rows[at]] = high;
    stable.first[rows[at]] = first / count;
    stable.same[rows[at]] = same / count;
  });
  return stable;
}

/**
 * Row -> where it stands in a list.
 * @param {number[]} rows
 */
function positionsOf(rows) {
  /** @type {number[]} */
  const positions = [];
  rows.forEach((row, position) => { positions[row] = position; });
  return positions;
}

/**
 * What rows are compared by, less being better, by each weighting.
 * @param {Input[]} metrics
 * @param {number[]} shares
 * @param {number[]} rows
 * @param {number} count
 * @returns {Generator<Float64Array, void>}
 */
function* joined(metrics, shares, rows, count) {
  const parts = metrics.map((one) => makeParts(one));
  const drawn = parts.map(({ columns }) => Array.from(weightings(columns.length, count)));
  const weighted = metrics.map(({ aggregation }, metric) => weighting(parts[metric], aggregation, rows));
  const isScaled = metrics.every(({ aggregation }) => aggregation === "normalised");
  const total = sum(shares);
  for (let draw = 0; draw < count; draw += 1) {
    const all = weighted.map((valuesBy, metric) => valuesBy(drawn[metric][draw]));
    const keys = all.map((values, metric) => signed(values, parts[metric].ascending, metrics[metric]));
    if (metrics.length === 1) {
      yield keys[0];
      continue;
    }
    const columns = keys.map((key, metric) => (isScaled ? all[metric] : taskRanks(Array.from(key), true, "average")));
    const values = Float64Array.from(rows, (_, row) => (
      columns.reduce((so, column, metric) => so + shares[metric] * column[row], 0) / total
    ));
    yield signed(values, !isScaled, { ...metrics[0], aggregation: "mean" });
  }
}

/**
 * Less being better; rows stand last that have no value, as where all tasks that count for them have
 * no weight.
 * @param {Float64Array} values
 * @param {boolean} ascending
 * @param {Input} input
 */
function signed(values, ascending, { aggregation, decimals = null }) {
  const sign = ascending ? 1 : -1;
  const digits = aggregation === "geometric_mean" ? null : decimals;
  return levelled(values.map((value) => (Number.isNaN(value) ? Infinity : sign * rounded(value, digits))));
}

/**
 * Rows numbered in the order in which what breaks ties puts them; equal ones alike.
 * @param {number[]} rows
 * @param {Input} input
 */
function tieOrder(rows, { breakers = [], decimals = null }) {
  const better = comparison(breakers.map(([column]) => column), breakers.map(([, less]) => less), decimals);
  const order = rows.slice().sort(better);
  /** @type {number[]} */
  const numbers = [];
  order.forEach((row, above) => {
    const isEqual = above > 0 && better(order[above - 1], row) === 0;
    numbers[row] = isEqual ? numbers[order[above - 1]] : above;
  });
  return rows.map((row) => numbers[row]);
}

/**
 * @param {number[]} keys
 * @param {number[]} ties
 */
function places(keys, ties, dense = false) {
  const order = range(keys.length).sort((a, b) => keys[a] - keys[b] || ties[a] - ties[b]);
  const ranks = keys.map(() => 0);
  let place = 0;
  order.forEach((row, above) => {
    const last = order[above - 1];
    const isEqual = above > 0 && keys[last] === keys[row] && ties[last] === ties[row];
    if (!isEqual) place = dense ? place + 1 : above + 1;
    ranks[row] = place;
  });
  return ranks;
}

/**
 * Weights of tasks -> values of rows, which are there until the next call; of geometric means, their
 * logarithms, whose last digits machines choose. The weights of a row are those of the tasks that
 * count for it.
 * @param {Parts} parts
 * @param {Aggregation} aggregation
 * @param {number[]} rows
 * @returns {(weights: number[]) => Float64Array}
 */
function weighting(parts, aggregation, rows) {
  const positions = positionsOf(parts.rows);
  const columns = parts.columns.map((column) => Float64Array.from(rows, (row) => {
    const part = column[positions[row]] ?? NaN;
    return aggregation === "geometric_mean" ? Math.floor(part * STEPS + 0.5) / STEPS : part;
  }));
  const values = new Float64Array(columns[0].length);
  const totals = new Float64Array(values.length);
  const add = parts.isWhole ? addAll : addCounted;
  const orders = aggregation === "median" ? range(values.length).map(byValue) : [];
  return (weights) => {
    values.fill(0);
    orders.forEach((order, row) => { values[row] = middle(row, order, weights); });
    if (orders.length === 0) columns.forEach((column, task) => add(column, weights[task]));
    if (orders.length === 0 && !parts.isWhole) divide();
    return values;
  };

  /**
   * @param {Float64Array} column
   * @param {number} weight
   */
  function addAll(column, weight) {
    for (let row = 0; row < values.length; row += 1) values[row] += weight * column[row];
  }

  /**
   * @param {Float64Array} column
   * @param {number} weight
   */
  function addCounted(column, weight) {
    for (let row = 0; row < values.length; row += 1) {
      if (Number.isNaN(column[row])) continue;
      values[row] += weight * column[row];
      totals[row] += weight;
    }
  }

  function divide() {
    totals.forEach((total, row) => { values[row] /= total; });
    totals.fill(0);
  }

  /**
   * The tasks of one row that count for it, from its least value to its greatest.
   * @param {number} row
   */
  function byValue(row) {
    return range(columns.length).filter((task) => !Number.isNaN(columns[task][row]))
      .sort((a, b) => columns[a][row] - columns[b][row] || a - b);
  }

  /**
   * The weighted median of one row. Of a whole table weights sum to 1.
   * @param {number} row
   * @param {number[]} order
   * @param {number[]} weights
   */
  function middle(row, order, weights) {
    const half = parts.isWhole ? 0.5 : order.reduce((so, task) => so + weights[task], 0) / 2;
    let below = 0;
    for (let place = 0; place < order.length; place += 1) {
      const value = columns[order[place]][row];
      below += weights[order[place]];
      if (Math.abs(below - half) <= TOLERANCE * half && place + 1 < order.length) {
        return value / 2 + columns[order[place + 1]][row] / 2;
      }
      if (below > half) return value;
    }
    return columns[order[order.length - 1]][row];
  }
}

/**
 * Weights from a flat Dirichlet distribution: the gaps between sorted random numbers. These are
 * Marsaglia's xorshift of 128 bits (2003), with his seeds.
 * @param {number} tasks
 * @param {number} count
 */
export function* weightings(tasks, count) {
  let [x, y, z, w] = [123456789, 362436069, 521288629, 88675123];
  for (let draw = 0; draw < count; draw += 1) {
    const points = new Float64Array(tasks - 1);
    for (let index = 0; index < points.length; index += 1) {
      const mixed = x ^ (x << 11);
      [x, y, z] = [y, z, w];
      w = w ^ (w >>> 19) ^ mixed ^ (mixed >>> 8);
      points[index] = (w >>> 0) / 2 ** 32;
    }
    points.sort();
    yield range(tasks).map((task) => (points[task] ?? 1) - (points[task - 1] ?? 0));
  }
}
