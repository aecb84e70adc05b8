// @ts-check
// How long a phase is still open, by the reader's clock.
import { all } from "./elements.js";

const UNITS = /** @type {const} */ ([["day", 24 * 3600e3], ["hour", 3600e3], ["minute", 60e3]]);

/** @param {number} left milliseconds */
function words(left) {
  if (left <= 0) return "(over since this page was built)";
  const [unit, length] = UNITS.find(([, each]) => left >= 2 * each) ?? UNITS[2];
  const count = Math.floor(left / length);
  return `(${count} ${unit}${count === 1 ? "" : "s"} left)`;
}

for (const place of all(document, "[data-until]", HTMLElement)) {
  place.textContent = words(Date.parse(place.dataset.until ?? "") - Date.now());
  place.hidden = false;
}
