// @ts-check
// Numbers as the pages' Python writes them: "%.*f", a half that is exact going to the even digit;
// from LONG on in short, since they could take three hundred digits.

/** @import { ViewColumn } from "forms" */

// Digits after the point that toFixed can write; it writes them exactly.
const ALL = 100;
const LONG = 1e15;
const DIGITS = 4;

/**
 * @param {number} value
 * @param {number} precision
 */
export function fixed(value, precision) {
  // A difference may be too large for a float; the page without scripts says the largest one then.
  if (Math.abs(value) >= LONG) return short(Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value)));
  const text = value.toFixed(precision);
  const exact = value.toFixed(ALL);
  const rest = exact.slice(exact.indexOf(".") + 1 + precision);
  const isHalf = /^50*$/.test(rest) && precision < ALL;
  if (!isHalf) return text;
  // toFixed takes the larger of two neighbours, Python the one whose last digit is even.
  const cut = exact.slice(0, exact.indexOf(".") + (precision ? 1 + precision : 0));
  return Number(cut.at(-1)) % 2 === 0 ? cut : text;
}

/**
 * Whole numbers, as all of that size are.
 * @param {number} value
 */
function short(value) {
  const text = value.toExponential(DIGITS - 1);
  const digits = BigInt(Math.abs(value)).toString();
  const isHalf = /^50*$/.test(digits.slice(DIGITS));
  if (!isHalf || Number(digits[DIGITS - 1]) % 2 === 1) return text;
  return `${value < 0 ? "-" : ""}${digits[0]}.${digits.slice(1, DIGITS)}e+${digits.length - 1}`;
}

/**
 * @param {number | null} value
 * @param {number} precision
 */
export function shown(value, precision) {
  return value === null ? "–" : fixed(value, precision);
}

/**
 * Above 0 where the first is better, whichever way a column is read.
 * @param {ViewColumn} column
 * @param {number | null} first
 * @param {number | null} second
 */
export function better(column, first, second) {
  if (first === null || second === null) return null;
  const sign = column.sorting === "asc" ? -1 : 1;
  return Math.sign(sign * (first - second));
}

/**
 * @param {number} value
 * @param {number} precision
 */
export function signed(value, precision) {
  const text = shown(value, precision);
  return value > 0 ? `+${text}` : text.replace("-", "−");
}
