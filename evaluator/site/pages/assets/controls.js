// @ts-check
// The controls above one board: they show what the address says, and say what the reader changes.

import { chipsOf, drawChips } from "./chips.js";
import { all, one } from "./elements.js";
import { asPanels, closePanels } from "./panels.js";

/** @import { Chip, Field } from "./chips.js" */

/**
 * @typedef {object} Shown
 * @property {number} shown rows that are shown
 * @property {number} all rows of the board
 * @property {number} groups
 * @property {number} filters
 * @property {string[]} [picked] ids of those that are ticked
 * @property {string | null} [commit]
 * @property {string} [note] on what is not shown
 * @property {string} [sorted] what rows are sorted by; empty for the usual order
 */

const MAX_STRANGE = 20;
const MAX_LENGTH = 200;

export class Controls {
  /**
   * @param {HTMLTemplateElement} template which stands before the board
   * @param {object} events
   * @param {() => URLSearchParams} events.read
   * @param {(query: URLSearchParams, field: EventTarget | null) => void} events.changed `field` is being
   * written in
   * @param {() => void} events.stopped
   */
  constructor(template, { read, changed, stopped }) {
    const copy = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
    this.bar = one(copy, ".controls", HTMLElement);
    template.after(copy);
    // The bar over a board holds its pages, too, and what is shared.
    this.top = /** @type {HTMLElement} */ (this.bar.closest(".board-top") ?? this.bar);
    const region = this.top.nextElementSibling;
    this.table = region && all(region, "table", HTMLTableElement)[0];
    this.bar.addEventListener("input", ({ target }) => {
      const isText = target instanceof Element && target.matches("[type=search], [type=text], [type=number]");
      changed(this.query(read()), isText ? target : null);
    });
    this.bar.addEventListener("focusout", stopped);
    asPanels(this.top);
    this.bar.addEventListener("click", ({ target }) => {
      if (!(target instanceof HTMLButtonElement)) return;
      if (target.dataset.ask !== undefined) {
        changed(withAsked(read(), target.dataset.ask), null);
        closePanels(this.top);
      }
      if (target.dataset.tick !== undefined) {
        const boxes = all(target.closest("fieldset") ?? this.bar, "input", HTMLInputElement);
        for (const box of boxes) box.checked = target.dataset.tick !== "none";
        changed(this.query(read()), null);
      }
    });
    this.read = read;
    this.changed = changed;
    this.clear = one(this.bar, "[data-clear]", HTMLElement);
    this.clear.addEventListener("click", () => {
      const query = read();
      this.fields.forEach(({ name }) => query.delete(name));
      ["sort", "order", "at"].forEach((name) => query.delete(name));
      changed(query, null);
      one(this.bar, "[type=search]", HTMLElement).focus();
    });
  }

  /** @returns {Field[]} */
  get fields() {
    return Array.from(/** @type {NodeListOf<Field>} */ (this.bar.querySelectorAll("input, select")));
  }

  /**
   * By name, how its answers are looked for.
   * @returns {Map<string, "one of" | "contains">}
   */
  get kinds() {
    const named = all(this.bar, "[data-facets] input", HTMLInputElement)
      .filter(({ type }) => type === "checkbox" || type === "text");
    return new Map(named.map(({ name, type }) => [name, type === "checkbox" ? "one of" : "contains"]));
  }

  /** @param {string | null} name */
  title(name) {
    const options = all(this.bar, "[name=group] option", HTMLOptionElement);
    return options.find(({ value }) => value === name)?.textContent;
  }

  /**
   * What else stands in the address stays there.
   * @param {URLSearchParams} query
   */
  query(query) {
    this.fields.forEach(({ name }) => query.delete(name));
    for (const field of this.fields) {
      if (field.name && (isBox(field) ? field.checked !== isInverse(field) : field.value.trim())) query.append(field.name, field.value);
    }
    return query;
  }

  /**
   * @param {URLSearchParams} query
   * @param {Shown} shown
   */
  show(query, { shown, all: rows, groups, filters, picked, commit, note, sorted }) {
    this.#addStrange(query);
    for (const field of this.fields) {
      const wanted = query.get(field.name) ?? "";
      if (isBox(field)) field.checked = query.getAll(field.name).includes(field.value) !== isInverse(field);
      else if (field.value.trim() !== wanted.trim()) field.value = wanted;
    }
    const status = shown === rows ? `${rows} rows` : `${shown} of ${rows} rows`;
    const grouped = groups ? `${status} in ${groups} group${groups === 1 ? "" : "s"}` : status;
    this.#say("[data-count]", note ? `${grouped}; ${note}` : grouped);
    this.#say("[data-facets] summary", filters ? `Filter (${filters})` : "Filter");
    this.#compare(picked ?? []);
    this.#link(query, commit ?? null);
    const chips = chipsOf(query, this.fields, sorted ?? "");
    drawChips(one(this.bar, "[data-chips]", HTMLElement), chips, (chip, place) => this.#remove(chip, place));
    this.clear.hidden = this.fields.every(({ name }) => !name || !query.has(name));
  }

  /**
   * @param {Chip} chip
   * @param {number} place
   */
  #remove(chip, place) {
    const query = this.read();
    chip.remove(query);
    this.changed(query, null);
    const left = all(this.bar, "[data-chips] button", HTMLButtonElement);
    (left[Math.min(place, left.length - 1)] ?? one(this.bar, "[type=search]", HTMLElement)).focus();
  }

  /** @param {string[]} picked */
  #compare(picked) {
    const [link] = all(this.bar, "a[data-compare]", HTMLAnchorElement);
    if (!link) return;
    link.hidden = picked.length < 2;
    const chosen = new URLSearchParams(picked.map((id) => ["with", id]));
    link.href = `${link.dataset.compare ?? ""}?${chosen.toString()}`;
    link.textContent = `Compare the ${picked.length} that are ticked`;
  }

  /**
   * The address of this view at this commit: the same address shows another board after the next.
   * @param {URLSearchParams} query
   * @param {string | null} commit
   */
  #link(query, commit) {
    const [link] = all(this.top, "a[data-permalink]", HTMLAnchorElement);
    if (!link || !commit) return;
    const at = query.get("at");
    query.set("at", commit.slice(0, 12));
    link.hidden = false;
    link.href = `?${query.toString()}`;
    link.textContent = "Link to this view";
    link.title = `At commit ${commit.slice(0, 12)}`;
    const moved = one(this.top, "[data-moved]", HTMLElement);
    moved.hidden = !at || commit.startsWith(at);
    one(moved, "bdi", HTMLElement).textContent = at?.slice(0, 40) ?? "";
    if (at) query.set("at", at);
    else query.delete("at");
  }

  /**
   * A shared address may ask for an answer that no row has: it is shown, so that it can be taken back.
   * @param {URLSearchParams} query
   */
  #addStrange(query) {
    for (const list of all(this.bar, "[data-choices]", HTMLElement)) {
      const known = new Set(all(list, "input", HTMLInputElement).map(({ value }) => value));
      const asked = query.getAll(list.dataset.choices ?? "");
      const strange = new Set(asked.filter((value) => !known.has(value)));
      for (const value of Array.from(strange).slice(0, MAX_STRANGE)) {
        const label = /** @type {HTMLElement} */ (one(list, "label", HTMLElement).cloneNode(true));
        one(label, "input", HTMLInputElement).value = value;
        one(label, "bdi", HTMLElement).textContent = value.slice(0, MAX_LENGTH) || "not answered";
        one(label, ".who", HTMLElement).textContent = "0";
        list.append(label);
      }
    }
  }

  /**
   * Said anew only where it changed: screen readers repeat what is written again.
   * @param {string} selector
   * @param {string} text
   */
  #say(selector, text) {
    const place = one(this.bar, selector, HTMLElement);
    if (place.textContent !== text) place.textContent = text;
  }
}

/**
 * A box that is ticked for what the address does not name.
 * @param {Field} field
 */
function isInverse(field) {
  return field.dataset.unticked !== undefined;
}

/**
 * @param {URLSearchParams} query
 * @param {string} asked a query; columns that it adds stand beside those that are there
 */
function withAsked(query, asked) {
  query.delete("order");
  for (const [name, value] of new URLSearchParams(asked)) {
    if (name !== "add") query.set(name, value);
    else if (!query.getAll(name).includes(value)) query.append(name, value);
  }
  return query;
}

/**
 * @param {Field} field
 * @returns {field is HTMLInputElement}
 */
function isBox(field) {
  return field.type === "checkbox";
}
