// @ts-check
// Weighted means and medians, ranks of values, and what counts as equal: a reader's arithmetic.
// tests/leaderboard/oracle_arithmetic.py is the same, operation for operation.

export const TOLERANCE = 1e-12;
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
 * The least of those that are equal within the tolerance, for all of them.
 * @param {number[]} values
 */
export function snapped(values) {
  let first = -Infinity;
  /** @type {Map<number, number>} */
  const least = new Map();
  const known = values.filter((value) => !Number.isNaN(value));
  for (const value of Float64Array.from(known).sort()) {
    if (value - first > TOLERANCE * Math.abs(value)) first = value;
    least.set(value, first);
  }
  return values.map((value) => least.get(value) ?? NaN);
}

/** @type {(value: number | null) => value is number} */
export const isValue = (value) => Number.isFinite(value);
/** @param {number} count */
export const range = (count) => Array.from({ length: count }, (_, index) => index);
