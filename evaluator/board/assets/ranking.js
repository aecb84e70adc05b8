// Rankings that a reader chooses. board/choice.py and board/stability.py say what each of them is
// and are the same, operation for operation; shared cases keep the two equal.

const TOLERANCE = 1e-12;
const HUGE = 2 ** 1000;
const SHRINK = 2 ** -64;
const STEPS = 2 ** 40;

// values: for each task, a number for each row (null and NaN are none). weights: one for each task.
// baseline: the row that is 0 with "normalised", or null. ties: "average", "competition" or "dense".
// Returns values (NaN for none), ranks (null for none) and whether a lesser value is better.
export function rank(input) {
  const { rows, columns, weights, ascending } = makeParts(input);
  const values = new Array(height(input.values)).fill(NaN);
  const total = sum(weights);
  rows.forEach((row, position) => {
    const own = columns.map((column) => column[position]);
    values[row] = finite(joined(own, weights, total, input.aggregation));
  });
  const near = input.aggregation === "geometric_mean";
  return { values, ranks: places(near ? snapped(values) : values, ascending), ascending };
}

// inputs: one for each metric, as rank takes them. weights: one for each metric.
export function rankMetrics(inputs, weights) {
  const { used, shares } = relative(weights);
  const found = used.map((metric) => rank(inputs[metric]));
  if (found.length === 1) return found[0];
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
  return { values, ranks: places(values, !scaled), ascending: !scaled };
}

// What each row gets on each task that has a weight.
function makeParts({ values, weights, ascending, aggregation, baseline = null, ties = "average" }) {
  const { used, shares } = relative(weights);
  const tasks = used.map((task) => values[task]);
  const rows = tasks.length === 0
    ? []
    : range(height(values)).filter((row) => tasks.every((column) => Number.isFinite(column[row])));
  const columns = tasks.map((column) => {
    const own = rows.map((row) => column[row]);
    if (aggregation === "mean_rank") return taskRanks(own, ascending, ties);
    if (aggregation === "borda") {
      return taskRanks(own, ascending, "average").map((place) => own.length - place);
    }
    if (aggregation === "geometric_mean") return own.map(Math.log);
    if (aggregation !== "normalised") return own;
    return scaled(own, ascending, baseline === null ? null : (column[baseline] ?? NaN));
  });
  const fixed = { mean_rank: true, borda: false, normalised: false };
  return { rows, columns, weights: shares, ascending: fixed[aggregation] ?? ascending };
}

function relative(weights) {
  if (!weights.every((weight) => Number.isFinite(weight) && weight >= 0)) {
    throw new RangeError("weights are finite numbers that are not negative");
  }
  const used = range(weights.length).filter((index) => weights[index] > 0);
  const own = used.map((index) => weights[index]);
  const greatest = own.reduce((a, b) => Math.max(a, b), 0) || 1;
  let scale = own.every((weight) => weight === greatest) ? greatest : 1;
  while (greatest / scale > 1 && scale < HUGE) scale *= 2;
  while (greatest / scale <= 0.5) scale /= 2;
  return { used, shares: own.map((weight) => weight / scale) };
}

function joined(own, weights, total, aggregation) {
  if (aggregation === "median") return median(own, weights, total);
  const value = mean(own, weights, total);
  return aggregation === "geometric_mean" ? Math.exp(value) : value;
}

function mean(own, weights, total) {
  const terms = new Array(own.length);
  let greatest = 0;
  for (let index = 0; index < own.length; index += 1) {
    terms[index] = weights[index] * own[index];
    greatest = Math.max(greatest, Math.abs(terms[index]));
  }
  if (Number.isNaN(greatest)) return NaN;
  if (greatest === Infinity) return -Infinity;
  if (greatest > HUGE) return sum(terms.map((term) => term * SHRINK)) / total / SHRINK;
  return sum(terms) / total;
}

// A sum that is rounded once, as Python's math.fsum is: what each addition loses is kept, exactly,
// in numbers that do not overlap and grow (Shewchuk 1997).
function sum(terms) {
  const rests = [];
  let count = 0;
  for (let index = 0; index < terms.length; index += 1) {
    let total = terms[index];
    let kept = 0;
    for (let other = 0; other < count; other += 1) {
      const rest = rests[other];
      const next = total + rest;
      const back = next - total;
      const lost = total - (next - back) + (rest - back);
      if (lost !== 0) rests[kept++] = lost;
      total = next;
    }
    rests[kept] = total;
    count = kept + 1;
  }
  let total = count > 0 ? rests[--count] : 0;
  while (count > 0) {
    const rest = rests[--count];
    const next = total + rest;
    const lost = rest - (next - total);
    total = next;
    if (lost === 0) continue;
    // Where this is half of a last digit, what is below it decides on which side the sum is.
    const further = total + 2 * lost;
    const below = count > 0 ? rests[count - 1] : 0;
    if (Math.sign(below) === Math.sign(lost) && further - total === 2 * lost) total = further;
    break;
  }
  return total;
}

function median(own, weights, total) {
  const order = range(own.length).sort((a, b) => own[a] - own[b] || a - b);
  const half = total / 2;
  let below = 0;
  for (const [place, index] of order.entries()) {
    below += weights[index];
    if (Math.abs(below - half) <= TOLERANCE * half && place + 1 < order.length) {
      return own[index] / 2 + own[order[place + 1]] / 2;
    }
    if (below > half) return own[index];
  }
  return own[order.at(-1)];
}

function taskRanks(own, ascending, ties) {
  const keys = ascending ? own : own.map((value) => -value);
  const ordered = new Float64Array(keys).sort();
  // Of the first of each run of equal ones, which is where the search below ends.
  const ranks = new Float64Array(ordered.length);
  for (let first = 0, distinct = 1; first < ordered.length; distinct += 1) {
    let next = first + 1;
    while (next < ordered.length && ordered[next] === ordered[first]) next += 1;
    ranks[first] = first + 1;
    if (ties === "average") ranks[first] = (first + next + 1) / 2;
    if (ties === "dense") ranks[first] = distinct;
    first = next;
  }
  return keys.map((key) => ranks[lowest(ordered, key)]);
}

// The first place of a value among ordered ones.
function lowest(ordered, key) {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ordered[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function places(values, ascending) {
  const found = taskRanks(values.filter((value) => !Number.isNaN(value)), ascending, "competition");
  let next = 0;
  return values.map((value) => (Number.isNaN(value) ? null : found[next++]));
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

// The least of those that are equal within the tolerance, for all of them.
function snapped(values) {
  let first = -Infinity;
  const least = new Map();
  const known = values.filter((value) => !Number.isNaN(value));
  for (const value of Float64Array.from(known).sort()) {
    if (value - first > TOLERANCE * Math.abs(value)) first = value;
    least.set(value, first);
  }
  return values.map((value) => least.get(value) ?? NaN);
}


// How stable each rank is over random weightings of the tasks that have a weight, as many as count.
// By row: the best and the worst rank, and the shares of weightings in which it has rank 1 and the
// rank that it has now; null for rows without a rank.
export function stability(input, count) {
  const { ranks } = rank(input);
  const none = () => new Array(ranks.length).fill(null);
  const found = { low: none(), high: none(), first: none(), same: none() };
  const { rows, columns, ascending } = placedParts(input, ranks);
  if (rows.length === 0) return found;
  const now = rows.map((row) => ranks[row]);
  const seen = rows.map(() => ({ low: Infinity, high: 0, first: 0, same: 0 }));
  for (const values of valuesByWeighting(columns, input.aggregation, count)) {
    const keys = ascending ? values : values.map((value) => -value);
    const ordered = keys.slice().sort();
    seen.forEach((one, row) => {
      const place = lowest(ordered, keys[row]) + 1;
      if (place < one.low) one.low = place;
      if (place > one.high) one.high = place;
      if (place === 1) one.first += 1;
      if (place === now[row]) one.same += 1;
    });
  }
  seen.forEach(({ low, high, first, same }, row) => {
    found.low[rows[row]] = low;
    found.high[rows[row]] = high;
    found.first[rows[row]] = first / count;
    found.same[rows[row]] = same / count;
  });
  return found;
}

// Parts of those rows that have a rank.
function placedParts(input, ranks) {
  const { rows, columns, ascending } = makeParts(input);
  const kept = range(rows.length).filter((position) => ranks[rows[position]] !== null);
  const logarithms = input.aggregation === "geometric_mean"; // whose last digits machines choose
  return {
    rows: kept.map((position) => rows[position]),
    columns: columns.map((column) => Float64Array.from(kept, (position) => (
      logarithms ? Math.floor(column[position] * STEPS + 0.5) / STEPS : column[position]
    ))),
    ascending,
  };
}

function* valuesByWeighting(columns, aggregation, count) {
  const values = new Float64Array(columns[0].length);
  const orders = aggregation === "median" ? range(values.length).map(byValue) : [];
  for (const weights of weightings(columns.length, count)) {
    values.fill(0);
    orders.forEach((order, row) => { values[row] = middle(row, order, weights); });
    columns.forEach((column, task) => {
      if (orders.length > 0) return;
      for (let row = 0; row < values.length; row += 1) values[row] += weights[task] * column[row];
    });
    yield values;
  }

  // The tasks of one row, from its least value to its greatest.
  function byValue(row) {
    return range(columns.length).sort((a, b) => columns[a][row] - columns[b][row] || a - b);
  }

  // The weighted median of one row; weights sum to 1.
  function middle(row, order, weights) {
    let below = 0;
    for (let place = 0; place < order.length; place += 1) {
      const own = columns[order[place]][row];
      below += weights[order[place]];
      if (Math.abs(below - 0.5) <= TOLERANCE / 2 && place + 1 < order.length) {
        return own / 2 + columns[order[place + 1]][row] / 2;
      }
      if (below > 0.5) return own;
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

const finite = (value) => (Number.isFinite(value) ? value : NaN);
const height = (values) => values[0]?.length ?? 0;
const range = (count) => Array.from({ length: count }, (_, index) => index);
