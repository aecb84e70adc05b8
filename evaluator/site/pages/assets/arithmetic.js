// @ts-check
// Weighted means and medians, ranks of values, and what counts as equal: a reader's arithmetic.
// tests/core/leaderboard/oracle_arithmetic.py is the same, operation for operation.

export const TOLERANCE = 1e-12;
// Two values are equal if they differ by at most this share of the greater: ranking/ranks.py says why.
const NEAR = 2 ** -40;
const HUGE = 2 ** 1000;
const SHRINK = 2 ** -64;

/** @typedef {"average" | "competition" | "dense"} Ties how equal values are ranked */

/**
 * Which weights are not 0, and these in proportion, the greatest about 1.
 * @param {number[]} weights
 */
export function relative(weights) {
  if (!weights.every((weight) => Number.isFinite(weight) && weight >= 0)) {
    throw new RangeError("weights are finite numbers that are not negative");
  }
  const used = range(weights.length).filter((index) => weights[index] > 0);
  const positive = used.map((index) => weights[index]);
  const greatest = positive.reduce((a, b) => Math.max(a, b), 0) || 1;
  let scale = positive.every((weight) => weight === greatest) ? greatest : 1;
  while (greatest / scale > 1 && scale < HUGE) scale *= 2;
  while (greatest / scale <= 0.5) scale /= 2;
  return { used, shares: positive.map((weight) => weight / scale) };
}

/**
 * @param {number[]} values
 * @param {number[]} weights
 * @param {number} total
 */
export function mean(values, weights, total) {
  const terms = values.map((value, index) => weights[index] * value);
  const greatest = terms.reduce((most, term) => Math.max(most, Math.abs(term)), 0);
  if (Number.isNaN(greatest)) return NaN;
  if (greatest === Infinity) return -Infinity;
  if (greatest > HUGE) return sum(terms.map((term) => term * SHRINK)) / total / SHRINK;
  return sum(terms) / total;
}

/**
 * A sum that is rounded once, as Python's math.fsum is: what each addition loses stays, exactly, in
 * numbers that do not overlap and grow (Shewchuk 1997).
 * @param {number[]} terms
 */
export function sum(terms) {
  /** @type {number[]} */
  const rests = [];
  let count = 0;
  for (let index = 0; index < terms.length; index += 1) {
    let total = terms[index];
    let length = 0;
    for (let other = 0; other < count; other += 1) {
      const rest = rests[other];
      const next = total + rest;
      const back = next - total;
      const lost = total - (next - back) + (rest - back);
      if (lost !== 0) rests[length++] = lost;
      total = next;
    }
    rests[length] = total;
    count = length + 1;
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

/**
 * @param {number[]} values
 * @param {number[]} weights
 * @param {number} total
 */
export function median(values, weights, total) {
  const order = range(values.length).sort((a, b) => values[a] - values[b] || a - b);
  const half = total / 2;
  let below = 0;
  for (const [place, index] of order.entries()) {
    below += weights[index];
    if (Math.abs(below - half) <= TOLERANCE * half && place + 1 < order.length) {
      return values[index] / 2 + values[order[place + 1]] / 2;
    }
    if (below > half) return values[index];
  }
  return values[order[order.length - 1]];
}

/**
 * Ranks of values on one task, from 1, the best.
 * @param {number[]} values
 * @param {boolean} ascending whether less is better
 * @param {Ties} ties
 */
export function taskRanks(values, ascending, ties) {
  const keys = ascending ? values : values.map((value) => -value);
  const ordered = new Float64Array(keys).sort();
  const ranks = new Float64Array(ordered.length);
  for (let first = 0, distinct = 1; first < ordered.length; distinct += 1) {
    let next = first + 1;
    while (next < ordered.length && isEqual(ordered[next - 1], ordered[next])) next += 1;
    const shared = { competition: first + 1, average: (first + next + 1) / 2, dense: distinct }[ties];
    ranks.fill(shared, first, next);
    first = next;
  }
  return keys.map((key) => ranks[lowest(ordered, key)]);
}

/**
 * The first place of a value among ordered ones.
 * @param {Float64Array} ordered
 * @param {number} key
 */
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

/**
 * As boards round before they compare: scaled, halves to even; null does not.
 * @param {number} value
 * @param {number | null} decimals
 */
export function rounded(value, decimals) {
  if (decimals === null) return value;
  const scale = 10 ** decimals;
  const scaled = value * scale;
  if (!Number.isFinite(scaled)) return value;
  const below = Math.floor(scaled);
  const rest = scaled - below;
  const isUp = rest > 0.5 || (rest === 0.5 && below % 2 !== 0);
  return (below + (isUp ? 1 : 0)) / scale;
}

/**
 * @param {number} one
 * @param {number} other
 */
export function isEqual(one, other) {
  return one === other || (Math.abs(one - other) <= NEAR * Math.max(Math.abs(one), Math.abs(other))
    && Number.isFinite(one - other));
}

/**
 * Values that can be compared: those that count as equal have the least of them.
 * @template {number[] | Float64Array} T
 * @param {T} values
 * @returns {T}
 */
export function levelled(values) {
  const ordered = Float64Array.from(values).sort();
  const least = Float64Array.from(ordered);
  for (let place = 1; place < ordered.length; place += 1) {
    if (isEqual(ordered[place - 1], ordered[place])) least[place] = least[place - 1];
  }
  const isLevel = least.every((value, place) => value === ordered[place] || Number.isNaN(value));
  return isLevel ? values
    : /** @type {T} */ (values.map((value) => (Number.isNaN(value) ? value : least[lowest(ordered, value)])));
}

/** @type {(value: number | null) => value is number} */
export const isValue = (value) => Number.isFinite(value);
/** @param {number} count */
export const range = (count) => Array.from({ length: count }, (_, index) => index);
