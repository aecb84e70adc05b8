// @ts-check
// What a page knows where it is read: how long a phase is still open, and its own address.
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

// Lines to paste elsewhere; a site whose configuration names no address learns it here.
for (const place of all(document, "[data-address]", HTMLElement)) {
  place.textContent = new URL(place.dataset.address ?? "", location.href).href;
}
