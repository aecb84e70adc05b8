// Rankings that a reader chooses. board/choice.py and board/stability.py say what each of them is
// and are the same, operation for operation; shared cases keep the two equal.

const TOLERANCE = 1e-12;
const HUGE = 2 ** 1000;
const SHRINK = 2 ** -64;

// values: for each task, a number for each row (null and NaN are none). weights: one for each task.
// baseline: the row that is 0 with "normalised", or null. ties: "average", "competition" or "dense".
// Returns values (NaN for none), ranks (null for none) and whether a lesser value is better.
export function rank(input) {
  const parts = makeParts(input);
  const values = new Array(height(input.values)).fill(NaN);
  parts.rows.forEach((row, position) => {
    const own = parts.columns.map((column) => column[position]);
    values[row] = finite(joined(own, parts.weights, input.aggregation));
  });
  const near = input.aggregation === "geometric_mean";
  const ranks = places(near ? snapped(values) : values, parts.ascending);
  return { values, ranks, ascending: parts.ascending };
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
  rows.forEach((row, position) => {
    values[row] = finite(mean(columns.map((column) => column[position]), shares));
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

function joined(own, weights, aggregation) {
  if (aggregation === "median") return median(own, weights);
  const value = mean(own, weights);
  return aggregation === "geometric_mean" ? Math.exp(value) : value;
}

function mean(own, weights) {
  const terms = own.map((value, index) => weights[index] * value);
  if (!terms.every(Number.isFinite)) return terms.some(Number.isNaN) ? NaN : -Infinity;
  if (terms.some((term) => Math.abs(term) > HUGE)) {
    return sum(terms.map((term) => term * SHRINK)) / sum(weights) / SHRINK;
  }
  return sum(terms) / sum(weights);
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

function median(own, weights) {
  const order = range(own.length).sort((a, b) => own[a] - own[b] || a - b);
  const half = sum(weights) / 2;
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

const finite = (value) => (Number.isFinite(value) ? value : NaN);
const height = (values) => values[0]?.length ?? 0;
const range = (count) => Array.from({ length: count }, (_, index) => index);
