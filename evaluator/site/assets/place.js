// @ts-check
// Ranks on boards of many rows: pages state none, since each new result would change them all.
// <… data-rank="participant/name" data-view="address of view.json"> is filled with the rank.
import { all } from "./elements.js";
import { load } from "./results.js";

/** @import { Results } from "./results.js" */

for (const place of all(document, "[data-rank][data-view]", HTMLElement)) {
  load(place.dataset.view ?? "").then((results) => say(place, results), () => {});
}

/**
 * @param {HTMLElement} place
 * @param {Results} results
 */
function say(place, results) {
  const row = results.row(place.dataset.rank ?? "");
  const rank = row === null ? null : results.rank(row);
  const words = rank === null ? "not ranked" : `${rank} of ${results.size}`;
  place.textContent = place.dataset.form === "of" || rank === null ? words : `Rank ${words}`;
}
