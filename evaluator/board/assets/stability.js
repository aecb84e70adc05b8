// How stable each rank is over random weightings of the tasks. board/stability.py says what that is
// and is the same, operation for operation.
import { range, relative, rounded, sum, taskRanks, TOLERANCE } from "./arithmetic.js";
import { comparison, makeParts, rankMetrics } from "./ranking.js";

const STEPS = 2 ** 40;

// inputs and weights: as rankMetrics takes them. By row: the best and the worst rank over so many
// weightings, and the shares of them in which it has rank 1 and the rank that it has now; null for
// rows without a rank.
export function stability(inputs, weights, count) {
  const { used, shares } = relative(weights);
  const metrics = used.map((metric) => inputs[metric]);
  const { ranks } = rankMetrics(inputs, weights);
  const none = () => new Array(ranks.length).fill(null);
  const found = { low: none(), high: none(), first: none(), same: none() };
  const rows = range(ranks.length).filter((row) => ranks[row] !== null);
  if (rows.length === 0) return found;
  // Those that get no place themselves make the ranks of others.
  const all = rankMetrics(metrics.map((one) => ({ ...one, placed: null, breakers: [] })), shares).ranks;
  const valued = range(all.length).filter((row) => all[row] !== null);
  const positions = new Map(valued.map((row, position) => [row, position]));
  const placed = rows.map((row) => positions.get(row));
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
    found.low[rows[at]] = low;
    found.high[rows[at]] = high;
    found.first[rows[at]] = first / count;
    found.same[rows[at]] = same / count;
  });
  return found;
}

// What rows are compared by, less being better, by each weighting.
function* joined(metrics, shares, rows, count) {
  const parts = metrics.map((one) => makeParts(one));
  const all = metrics.map((one, metric) => valuesByWeighting(parts[metric], one.aggregation, rows, count));
  const scaled = metrics.every(({ aggregation }) => aggregation === "normalised");
  const total = sum(shares);
  for (let made = 0; made < count; made += 1) {
    const found = all.map((each) => each.next().value);
    const keys = found.map((values, metric) => signed(values, parts[metric].ascending, metrics[metric]));
    if (metrics.length === 1) {
      yield keys[0];
      continue;
    }
    const columns = keys.map((own, metric) => (scaled ? found[metric] : taskRanks(Array.from(own), true, "average")));
    const values = rows.map((_, row) => columns.reduce((so, column, metric) => so + shares[metric] * column[row], 0) / total);
    yield signed(values, !scaled, { ...metrics[0], aggregation: "mean" });
  }
}

// Less being better; rows stand last that have no value, as where all tasks that count for them have
// no weight.
function signed(values, ascending, { aggregation, decimals = null }) {
  const sign = ascending ? 1 : -1;
  const own = aggregation === "geometric_mean" ? null : decimals;
  return values.map((value) => (Number.isNaN(value) ? Infinity : sign * rounded(value, own)));
}

// Rows numbered in the order in which what breaks ties puts them; equal ones alike.
function tieOrder(rows, { breakers = [], decimals = null }) {
  const better = comparison(breakers.map(([own]) => own), breakers.map(([, less]) => less), decimals);
  const order = rows.slice().sort(better);
  const numbers = new Map();
  order.forEach((row, above) => {
    const isEqual = above > 0 && better(order[above - 1], row) === 0;
    numbers.set(row, isEqual ? numbers.get(order[above - 1]) : above);
  });
  return rows.map((row) => numbers.get(row));
}

function places(keys, ties, dense = false) {
  const order = range(keys.length).sort((a, b) => keys[a] - keys[b] || ties[a] - ties[b]);
  const found = new Array(keys.length);
  let place = 0;
  order.forEach((row, above) => {
    const last = order[above - 1];
    const isEqual = above > 0 && keys[last] === keys[row] && ties[last] === ties[row];
    if (!isEqual) place = dense ? place + 1 : above + 1;
    found[row] = place;
  });
  return found;
}

// Values of rows; of geometric means, their logarithms, whose last digits machines choose. The weights
// of a row are those of the tasks that count for it.
function* valuesByWeighting(parts, aggregation, rows, count) {
  const positions = new Map(parts.rows.map((row, position) => [row, position]));
  const columns = parts.columns.map((column) => Float64Array.from(rows, (row) => {
    const part = column[positions.get(row)] ?? NaN;
    return aggregation === "geometric_mean" ? Math.floor(part * STEPS + 0.5) / STEPS : part;
  }));
  const values = new Float64Array(columns[0].length);
  const totals = new Float64Array(values.length);
  const add = parts.isWhole ? addAll : addCounted;
  const orders = aggregation === "median" ? range(values.length).map(byValue) : [];
  for (const weights of weightings(columns.length, count)) {
    values.fill(0);
    orders.forEach((order, row) => { values[row] = middle(row, order, weights); });
    if (orders.length === 0) columns.forEach((column, task) => add(column, weights[task]));
    if (orders.length === 0 && !parts.isWhole) divide();
    yield values;
  }

  function addAll(column, weight) {
    for (let row = 0; row < values.length; row += 1) values[row] += weight * column[row];
  }

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

  // The tasks of one row that count for it, from its least value to its greatest.
  function byValue(row) {
    return range(columns.length).filter((task) => !Number.isNaN(columns[task][row]))
      .sort((a, b) => columns[a][row] - columns[b][row] || a - b);
  }

  // The weighted median of one row. Of a whole table weights sum to 1.
  function middle(row, order, weights) {
    const half = parts.isWhole ? 0.5 : order.reduce((sum, task) => sum + weights[task], 0) / 2;
    let below = 0;
    for (let place = 0; place < order.length; place += 1) {
      const own = columns[order[place]][row];
      below += weights[order[place]];
      if (Math.abs(below - half) <= TOLERANCE * half && place + 1 < order.length) {
        return own / 2 + columns[order[place + 1]][row] / 2;
      }
      if (below > half) return own;
    }
    return columns[order.at(-1)][row];
  }
}

// Weights from a flat Dirichlet distribution: the gaps between sorted random numbers. These are
// Marsaglia's xorshift of 128 bits (2003), with his seeds.
export function* weightings(tasks, count) {
  let [x, y, z, w] = [123456789, 362436069, 521288629, 88675123];
  for (let made = 0; made < count; made += 1) {
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
