// @ts-check
// Shades of one hue, the darker the better: they are told apart without seeing colours, too.

/** @import { Column, Key } from "./model.js" */

const SHADES = 7;

/**
 * Value -> class, over the values of the rows that are shown; outliers do not wash out the rest.
 * @param {Column} column
 * @param {number[]} rows
 * @returns {(value: Key) => string}
 */
export function shades(column, rows) {
  const values = rows.map((row) => column.values?.[row] ?? null).filter(isNumber);
  values.sort((a, b) => a - b);
  const [first, third] = [0.25, 0.75].map((share) => values[Math.round((values.length - 1) * share)]);
  const fence = 1.5 * (third - first);
  const low = Math.max(values[0], first - fence);
  const high = Math.min(values[values.length - 1], third + fence);
  if (values.length < 2 || !(high > low)) return () => "";
  return (value) => {
    if (!isNumber(value)) return "";
    const share = Math.min(1, Math.max(0, (value - low) / (high - low)));
    const good = column.sorting === "asc" ? 1 - share : share;
    return `heat-${Math.round(good * (SHADES - 1))}`;
  };
}

/** @type {(value: Key) => value is number} */
const isNumber = (value) => Number.isFinite(value);
