// @ts-check
// Two to five submissions side by side. The address says which, in which phase, by which column:
// ?phase=slug&with=participant/name&with=participant/name&column=key. One that names nobody opens on
// the first two rows.
import { tables } from "./compared.js";
import { distances } from "./distances.js";
import { all, button, isolated, node, one } from "./elements.js";
import { load } from "./results.js";
import { differences } from "./samples.js";

/** @import { Results } from "./results.js" */

const MAX_NAME = 100;
const MAX_CANDIDATES = 200;
const MAX_STRANGE = 20;

const root = one(document, "[data-compare]", HTMLElement);
const most = Number(root.dataset.max);
const picker = one(root, ".picker", HTMLElement);
const phase = one(picker, "[name=phase]", HTMLSelectElement);
const find = one(picker, "input", HTMLInputElement);
const candidates = one(picker, "[name=candidate]", HTMLSelectElement);
const adder = one(picker, "[data-add]", HTMLButtonElement);
const status = one(root, "[data-status]", HTMLElement);
/** @type {Results | null} */
let shown = null;
let isOpening = chosen().length === 0;

picker.hidden = false;
one(document, "[data-without]", HTMLElement).hidden = true;
phase.addEventListener("change", () => go((query) => query.set("phase", phase.value)));
find.addEventListener("input", listCandidates);
find.addEventListener("keydown", (event) => { if (event.key === "Enter") add(); });
adder.addEventListener("click", add);
addEventListener("popstate", show);
show();

function chosen() {
  return Array.from(new Set(new URLSearchParams(location.search).getAll("with")));
}

/** @param {(query: URLSearchParams) => void} change */
function go(change) {
  const address = new URL(location.href);
  change(address.searchParams);
  history.pushState(null, "", address);
  show();
}

function add() {
  const id = candidates.value;
  if (!id || chosen().includes(id)) return;
  find.value = "";
  go((query) => query.append("with", id));
}

/** @param {string} id */
function remove(id) {
  go((query) => query.delete("with", id));
  find.focus();
}

/** @param {string} key */
function compareBy(key) {
  go((query) => query.set("column", key));
  all(root, "select[name=column]", HTMLSelectElement)[0]?.focus();
}

function show() {
  const wanted = new URLSearchParams(location.search).get("phase");
  const options = Array.from(phase.options);
  const option = options.find(({ value }) => value === wanted)
    ?? options.find(({ defaultSelected }) => defaultSelected) ?? options[0];
  phase.value = option.value;
  // Another choice may have been made when they come.
  const isWanted = () => phase.value === option.value;
  load(option.dataset.view ?? "", () => true).then(
    (results) => isWanted() && draw(results),
    /** @param {Error} error */
    ({ message }) => isWanted() && say(`The results cannot be read (${message}). Load the page again.`),
  );
}

/** @param {Results} results */
function draw(results) {
  shown = results;
  if (isOpening) {
    isOpening = false;
    const address = new URL(location.href);
    for (const id of results.ids.slice(0, 2)) address.searchParams.append("with", id);
    history.replaceState(null, "", address);
  }
  const ids = chosen();
  const rows = ids.flatMap((id) => results.row(id) ?? []);
  const first = rows.slice(0, most);
  listChosen(results, rows);
  listStrange(ids.filter((id) => results.row(id) === null));
  listCandidates();
  adder.disabled = rows.length >= most;
  const more = rows.length > most ? ` Only the first ${most} are shown; remove one to see another.` : "";
  say(first.length < 2 ? `Choose ${first.length ? "one more" : "two"}.${more}` : more.trim());
  const column = new URLSearchParams(location.search).get("column");
  const parts = first.length < 2 ? [] : tables(results, first, { column, compareBy });
  one(root, "[data-tables]", HTMLElement).replaceChildren(...parts);
  const file = phase.selectedOptions[0].dataset.distances;
  if (parts.length && file) void follow(distances(results, first, file), "distances", parts[0]);
  for (const { dataset, text, href } of all(root, "[data-samples] a", HTMLAnchorElement)) {
    if (parts.length && dataset.phase === phase.value) {
      void follow(differences(results, first, { task: text, file: href }), "samples", parts[parts.length - 1]);
    }
  }
}

/**
 * @param {Promise<HTMLElement | null>} coming
 * @param {string} what
 * @param {HTMLElement} last what it follows, unless others are compared by now
 */
async function follow(coming, what, last) {
  const part = await coming.catch(
    /** @param {Error} error */
    ({ message }) => node("p", {}, `The ${what} cannot be read (${message}). Load the page again.`),
  );
  if (!part || !last.isConnected) return;
  last.after(part);
  // Those that come later push it away again.
  document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

/**
 * Said anew only where it changed: screen readers repeat what is written again.
 * @param {string} text
 */
function say(text) {
  if (status.textContent !== text) status.textContent = text;
}

/**
 * @param {Results} results
 * @param {number[]} rows
 */
function listChosen(results, rows) {
  one(root, ".chosen", HTMLElement).replaceChildren(...rows.map((row) => {
    const title = results.title(row);
    const link = node("a", { href: `../submissions/${results.ids[row]}/` }, isolated(title));
    const who = node("span", { className: "who" }, isolated(results.participant(row)));
    return node("li", {}, link, " ", who, " ", remover(results.ids[row], title));
  }));
}

/** @param {string[]} ids */
function listStrange(ids) {
  const place = one(root, ".missing-ids", HTMLElement);
  place.hidden = ids.length === 0;
  place.replaceChildren(
    node("p", {}, "Not on this board; they may be withdrawn, or of another phase:"),
    node("ul", { className: "chosen" }, ...ids.slice(0, MAX_STRANGE).map((id) => {
      const name = id.slice(0, MAX_NAME) || "an empty name";
      return node("li", {}, isolated(name), " ", remover(id, name));
    })),
  );
}

/**
 * @param {string} id
 * @param {string} name
 */
function remover(id, name) {
  const element = button("Remove", () => remove(id));
  element.setAttribute("aria-label", `Remove ${name.slice(0, MAX_NAME)}`);
  return element;
}

function listCandidates() {
  if (shown === null) return;
  const part = find.value.trim().toLowerCase();
  const taken = new Set(chosen());
  const options = [];
  for (let row = 0; row < shown.ids.length && options.length < MAX_CANDIDATES; row += 1) {
    const id = shown.ids[row];
    if (taken.has(id) || !`${shown.title(row)}\n${id}`.toLowerCase().includes(part)) continue;
    options.push(new Option(shown.name(row).slice(0, MAX_NAME), id));
  }
  candidates.replaceChildren(...options);
}
