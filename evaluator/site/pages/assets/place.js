// @ts-check
// What others' results change, on pages that are not written anew with each of them: ranks, and scores beside the
// best of the board. Until view.json is there, or without it, the page says of which commit they are.
// <… data-rank="participant/name" data-view="address of view.json"> holds a rank.
import { all, node } from "./elements.js";
import { shown } from "./number.js";
import { load } from "./results.js";
import { compareScores } from "./versus.js";

/** @import { Results } from "./results.js" */

const ranks = all(document, "[data-rank][data-view]", HTMLElement).map(update);
Promise.all([...ranks, compareScores()]).then(
  () => {
    all(document, "[data-as-of]", HTMLElement).forEach((words) => words.remove());
    all(document, "[data-best-rank]", HTMLElement).forEach(sayBest);
  },
  () => {},
);

/** @param {HTMLElement} place */
function sayBest(place) {
  const ranked = all(document, "td[data-rank]", HTMLElement).map((cell) => Number(cell.dataset.value)).filter(Boolean);
  if (ranked.length) place.textContent = `${Math.min(...ranked)}`;
}

/** @param {HTMLElement} place */
async function update(place) {
  const value = place.closest("tr, dl")?.querySelector("[data-overall]");
  const column = value instanceof HTMLElement ? value.dataset.overall : undefined;
  const address = place.dataset.view ?? "";
  const results = await load(address, column === undefined ? "none" : ({ of }) => of === "overall");
  const row = results.row(place.dataset.rank ?? "");
  if (row === null) return;
  sayRank(place, results, row);
  const read = results.data.columns.find(({ key }) => key === column);
  const number = read ? results.overall(read, row) : null;
  if (value && read && number !== null) value.textContent = shown(number, read.precision);
}

/**
 * @param {HTMLElement} place
 * @param {Results} results
 * @param {number} row
 */
function sayRank(place, results, row) {
  const [rank, isShort] = [results.rank(row), place.dataset.form === "of"];
  if (isShort) place.dataset.value = `${rank ?? ""}`;
  if (rank !== null) {
    const words = isShort ? [`${rank}`] : ["Rank ", node("strong", {}, `${rank}`)];
    place.replaceChildren(...words, ` of ${results.size}`);
  } else if (!/^not ranked/i.test(place.textContent)) {
    place.textContent = isShort ? "not ranked" : "Not ranked";
  }
}
