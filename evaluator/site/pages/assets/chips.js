// @ts-check
// What a reader asked for, as chips over the board, each of which takes one thing back.
import { all, isolated, node, span } from "./elements.js";

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

/**
 * @typedef {object} Chip
 * @property {string} text
 * @property {(query: URLSearchParams) => void} remove
 */

/**
 * @param {URLSearchParams} query
 * @param {Field[]} fields of the controls
 * @param {string} sorted what the rows are sorted by; empty for the usual order
 * @returns {Chip[]}
 */
export function chipsOf(query, fields, sorted) {
  /** @type {Chip[]} */
  const chips = [];
  if (sorted) chips.push({ text: sorted, remove: (asked) => ["sort", "order"].forEach((name) => asked.delete(name)) });
  for (const field of fields) {
    const { name, value, type } = field;
    const isBox = type === "checkbox";
    const text = (isBox ? query.getAll(name).includes(value) : query.has(name) && value.trim()) && textOf(field);
    if (text) chips.push({ text, remove: (others) => (isBox ? others.delete(name, value) : others.delete(name)) });
  }
  const ranking = Array.from(query.keys()).filter((name) => isOfRanking(name));
  if (ranking.length) {
    chips.push({ text: "Your own ranking", remove: (others) => ranking.forEach((name) => others.delete(name)) });
  }
  return chips;
}

/** @param {string} name */
function isOfRanking(name) {
  return ["aggregate", "baseline", "metric"].includes(name) || name.startsWith("weight.");
}

/**
 * Empty for what hides nothing, such as columns.
 * @param {Field} field
 */
function textOf(field) {
  const form = field.dataset.chip;
  const value = field instanceof HTMLSelectElement ? field.selectedOptions[0]?.text ?? "" : field.value.trim();
  if (form) return form.replace("*", () => value);
  if (!field.closest("[data-facets]")) return "";
  const title = field.closest("fieldset")?.querySelector("legend")?.textContent ?? "";
  return `${title}: ${value || "not answered"}`;
}

/**
 * Drawn anew only where they changed, so that the focus stays where it is.
 * @param {HTMLElement} list
 * @param {Chip[]} chips
 * @param {(chip: Chip, place: number) => void} removed
 */
export function drawChips(list, chips, removed) {
  const before = all(list, "bdi", HTMLElement).map(({ textContent }) => textContent).join("\n");
  if (before !== chips.map(({ text }) => text).join("\n")) {
    list.replaceChildren(...chips.map((chip, place) => {
      const button = node("button", { type: "button" }, isolated(chip.text), " ", cross());
      button.addEventListener("click", () => removed(chip, place));
      return node("li", {}, button);
    }));
  }
  list.hidden = !chips.length;
}

function cross() {
  const mark = span("cross", "×");
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", "remove");
  return mark;
}
