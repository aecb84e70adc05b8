// @ts-check
// How far compared rows are from the first one, and whether that is significant: by the comparison of the whole
// board, whose parts are in confidence.json. `core/ranking/comparison.py` says the same; a test holds them equal.
import { heads, section } from "./compared.js";
import { shown } from "./number.js";

/** @import { ComparisonData, ConfidenceData } from "forms" */
/** @import { Results } from "./results.js" */
/** @typedef {{ distance: number, low: number, high: number }} Distance */

const ABOUT = { tasks: "tasks like these", runs: "other runs on these tasks", samples: "other samples of these tasks" };

/**
 * @param {Results} results
 * @param {number[]} rows
 * @param {string} file
 */
export async function distances(results, rows, file) {
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  /** @type {unknown} */
  const data = await answer.json();
  const { comparisons } = /** @type {ConfidenceData} */ (data);
  const lines = comparisons.map((question) => line(results, rows, question));
  return section("Is the difference real?", "distances", heads(results, rows), lines);
}

/**
 * @param {Results} results
 * @param {number[]} rows
 * @param {ComparisonData} question
 * @returns {[string, string[]]}
 */
function line(results, rows, question) {
  const places = rows.map((row) => question.rows.indexOf(results.ids[row]));
  const column = results.data.columns.find(({ primary }) => primary);
  const flip = column?.sorting === "asc" ? -1 : 1;
  const cells = places.map((place, index) => {
    if (!index) return "–";
    const found = places[0] < 0 || place < 0 ? null : between(question, place, places[0]);
    if (found === null) return "not compared";
    const ends = [found.distance, found.low, found.high].map((end) => (
      question.by_ratio ? `${Math.exp(-end).toFixed(2)} times` : shown(flip * end, column?.precision ?? 2)
    ));
    const [low, high] = flip > 0 && !question.by_ratio ? [ends[1], ends[2]] : [ends[2], ends[1]];
    if (!Number.isFinite(found.low - found.high)) return `${ends[0]}, ${question.units} ${question.noun} are too few`;
    const by = question.tolerated;
    const none = found.low > 0 || found.high < 0 ? "perhaps within the tolerance" : "no significant difference";
    const said = found.low > by ? "better" : found.high < -by ? "worse" : none + seen(question, found, by, column?.precision ?? 2);
    return `${ends[0]} (${low} to ${high}), ${said}`;
  });
  return [`On ${ABOUT[question.about]} (${question.units} ${question.noun})`, cells];
}

/**
 * Say what gap would have been seen, and how many units would show the gap that there is.
 * @param {ComparisonData} question
 * @param {Distance} found
 * @param {number} by what two runs may differ by
 * @param {number} digits
 */
function seen({ by_ratio: byRatio, noun, units }, { distance, low, high }, by, digits) {
  const [least, more] = [0.75 * (high - low), Math.abs(distance) - by];
  const gap = byRatio ? `${Math.round(100 * Math.expm1(least))}%` : shown(by + least, digits);
  const needed = Number((units * (least / more) ** 2).toPrecision(2)).toLocaleString("en");
  return `: a gap of ${gap} would show${more > 0 ? `, this one takes about ${needed} ${noun}` : ""}`;
}

/**
 * How much better one row is than another; null if they share no unit.
 * @param {ComparisonData} question
 * @param {number} one
 * @param {number} other
 * @returns {Distance | null}
 */
export function between({ parts, shares, critical, lent, scale, two }, one, other) {
  if (one === other) return { distance: 0, low: 0, high: 0 };
  if (two) {
    const [distance, low, high] = [two[1] ?? NaN, two[2] ?? -Infinity, two[3] ?? Infinity].map((end) => scale * end);
    return one === 0 ? { distance, low, high } : { distance: -distance, low: -high, high: -low };
  }
  let [sum, share, squares, ofShares, product] = [0, 0, 0, 0, 0];
  shares.forEach((a, unit) => {
    const [mine, theirs] = [parts[one][unit], parts[other][unit]];
    if (mine === null || theirs === null) return;
    const z = mine - theirs;
    sum += z;
    share += a;
    squares += z * z;
    ofShares += a * a;
    product += a * z;
  });
  if (!share) return null;
  squares += Math.min(lent, squares / 2);
  const [distance, c] = [sum / share, ((critical ?? Infinity) / share) ** 2];
  const ends = limits(distance, 1 - c * ofShares, distance - c * product, distance ** 2 - c * squares);
  return { distance: scale * distance, low: scale * ends[0], high: scale * ends[1] };
}

/**
 * Ends of all q with a q^2 - 2 b q + c <= 0.
 * @param {number} distance
 * @param {number} a
 * @param {number} b
 * @param {number} c
 */
function limits(distance, a, b, c) {
  const root = Math.sqrt(Math.max(b * b - a * c, 0));
  if (a > 0) return [(b - root) / a, (b + root) / a];
  if (!(c > 0) || distance === 0) return [-Infinity, Infinity];
  const ends = [(b - root) / a, (b + root) / a];
  return distance > 0 ? [Math.max(...ends), Infinity] : [-Infinity, Math.min(...ends)];
}
