// @ts-check
// How good a value looks among those of its column: a shade, or the length of a bar. `board_columns.py`
// says the same, for readers without scripts; a test holds the two equal.

/** @import { Key } from "./model.js" */
/** @typedef {{ length: number, interval: [number, number] | null }} Bar in percent of the longest */

const SHADES = 7;
const MOST = 1e300; // numbers further apart have no shades and no bars, since these would overflow

export class Scale {
  /**
   * @param {ArrayLike<Key>} column
   * @param {"asc" | "desc"} sorting
   * @param {[worst: number, best: number]} [range] of all values, where the column has some alone
   */
  constructor(column, sorting, range) {
    this.sign = sorting === "asc" ? -1 : 1;
    const [low, high] = range ?? rangeOf(Float64Array.from(Array.from(column).filter(isNumber), (value) => this.sign * value));
    this.low = low;
    this.high = high;
    this.isFlat = !(this.high > this.low && this.high - this.low < MOST);
  }

  /** @param {Key} value */
  shade(value) {
    if (this.isFlat || !isNumber(value)) return "";
    return `heat-${Math.round(share(this.sign * value, this.low, this.high) * (SHADES - 1))}`;
  }

  /**
   * @param {number} value
   * @param {[number, number] | null} margin how much worse and better than it is it may be
   * @param {boolean} hasMargins whether other rows may have one
   * @returns {Bar}
   */
  bar(value, margin, hasMargins) {
    if (this.isFlat) return { length: 100, interval: null };
    const room = this.high - this.low;
    const [low, high] = [this.low - (hasMargins ? 0.4 : 0.15) * room, this.high + (hasMargins ? 0.4 * room : 0)];
    const good = this.sign * value;
    /** @param {number} one */
    const at = (one) => 100 * share(one, low, high);
    return { length: Math.max(1.5, at(good)), interval: margin ? [at(good - margin[0]), at(good + margin[1])] : null };
  }
}

/**
 * The worst and the best. Outliers do not make all others equal.
 * @param {Float64Array} values the less the worse
 * @returns {[worst: number, best: number]}
 */
function rangeOf(values) {
  values.sort();
  const high = values[values.length - 1];
  const first = values[Math.round((values.length - 1) / 4)];
  const fence = 1.5 * (high - first);
  return [fence ? Math.max(values[0], first - fence) : values[0], high];
}

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
function share(value, low, high) {
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}

/** @type {(value: Key) => value is number} */
const isNumber = (value) => Number.isFinite(value);
