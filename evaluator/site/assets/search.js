// @ts-check
// The page that searches. pagefind asks for the parts of the index that hold the words.
import { isolated, node, one, span } from "./elements.js";

/**
 * What pagefind tells of one result. In the excerpt, the words stand in <mark>, and < is escaped.
 * @typedef {{ meta: Record<string, string>, excerpt: string }} Found
 * @typedef {{ results: { data: () => Promise<Found> }[] }} Answer
 * @typedef {{ debouncedSearch: (words: string) => Promise<Answer | null> }} Pagefind
 */

const SHOWN = 20;
const ROOT = new URL("../", import.meta.url);
const field = one(document, "#words", HTMLInputElement);
const status = one(document, "p[role=status]", HTMLElement);
const list = one(document, "ol.search-results", HTMLOListElement);
const more = one(document, "button.search-more", HTMLButtonElement);
/** @type {Promise<Pagefind> | undefined} */
let pagefind;
/** @type {Answer["results"]} */
let rest = [];

for (const hint of document.querySelectorAll("[data-without]")) hint.remove();
field.value = new URLSearchParams(location.search).get("q") ?? "";
field.form?.addEventListener("submit", (event) => event.preventDefault());
field.addEventListener("input", () => {
  history.replaceState(null, "", field.value ? `?q=${encodeURIComponent(field.value)}` : "./");
  void search();
});
more.addEventListener("click", () => void show(list.childElementCount));
if (field.value) void search();

async function search() {
  const words = field.value.trim();
  if (!words) {
    rest = [];
    list.replaceChildren();
    status.textContent = "";
    more.hidden = true;
    return;
  }
  try {
    pagefind ??= import(new URL("pagefind/pagefind.js", ROOT).href);
    const answer = await (await pagefind).debouncedSearch(words);
    if (answer === null) return; // more was typed
    rest = answer.results;
  } catch {
    status.textContent = "The index could not be loaded. Load the page again, or look through all benchmarks.";
    return;
  }
  status.textContent = `${rest.length || "No"} result${rest.length === 1 ? "" : "s"} for “${words}”`;
  list.replaceChildren();
  await show(0);
}

/** @param {number} from place of the first result to add */
async function show(from) {
  const results = rest;
  const found = await Promise.all(results.slice(from, from + SHOWN).map((result) => result.data()));
  if (results !== rest) return; // another search was faster
  list.append(...found.map(item));
  more.hidden = rest.length <= list.childElementCount;
}

/** @param {Found} found */
function item({ meta, excerpt }) {
  const link = node("a", { href: new URL(meta.address ?? "", ROOT).href }, isolated(meta.title ?? ""));
  const head = node("div", {}, link, " ", span("reported", meta.kind ?? ""));
  const where = meta.where ? [node("div", { className: "who" }, isolated(meta.where))] : [];
  return node("li", {}, head, ...where, node("p", {}, ...marked(excerpt)));
}

/** @param {string} excerpt */
function marked(excerpt) {
  return excerpt.split(/<mark>(.*?)<\/mark>/s).map((part, place) => {
    const text = part.replaceAll("&lt;", "<").replaceAll("&gt;", ">");
    return place % 2 ? node("mark", {}, text) : text;
  });
}
