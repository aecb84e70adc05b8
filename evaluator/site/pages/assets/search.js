// @ts-check
// The page that searches. pagefind asks for the parts of the index that hold the words.
// A person of that name comes first, then what is called so, then benchmarks; contributors' pages come last.
import { isolated, node, one, span } from "./elements.js";
import { shown } from "./number.js";
import { load } from "./results.js";

/**
 * What pagefind tells of one result. In the excerpt, the words stand in <mark>, and < is escaped.
 * @typedef {{ meta: Record<string, string>, excerpt: string }} Hit
 * @typedef {{ id: string, data: () => Promise<Hit> }} Result
 * @typedef {{ results: Result[] }} Answer
 * @typedef {{ filters?: Record<string, string> }} Options
 * @typedef {{ debouncedSearch: (words: string) => Promise<Answer | null>, search: (words: string, options: Options) => Promise<Answer> }} Pagefind
 */

const SHOWN = 20;
const FIRST = 10; // people and benchmarks whose names fit best
const SORTED = 40; // hits whose order depends on what they are
const ROOT = new URL("../", import.meta.url);
const field = one(document, "#words", HTMLInputElement);
const status = one(document, "p[role=status]", HTMLElement);
const list = one(document, "ol.search-results", HTMLOListElement);
const more = one(document, "button.search-more", HTMLButtonElement);
/** @type {Promise<Pagefind> | undefined} */
let pagefind;
/** @type {Promise<string[]> | undefined} the words that the index has, the most frequent first */
let known;
/** @type {Result[]} */
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
  /** @type {string} */
  let meant;
  try {
    pagefind ??= import(new URL("pagefind/pagefind.js", ROOT).href);
    const index = await pagefind;
    const typed = await index.debouncedSearch(words);
    if (typed === null) return; // more was typed
    meant = corrected(words, await wordsOfIndex());
    const answer = meant === words ? typed : await index.search(meant, {});
    const named = await index.search(meant, { filters: { named: "yes" } });
    const sorted = await inOrder([...named.results.slice(0, FIRST), ...answer.results.slice(0, SORTED)], meant);
    if (field.value.trim() !== words) return;
    const ids = new Set(sorted.map(({ id }) => id));
    rest = [...sorted, ...answer.results.filter(({ id }) => !ids.has(id))];
  } catch {
    status.textContent = "The index could not be loaded. Load the page again, or look through all benchmarks.";
    return;
  }
  const count = `${rest.length || "No"} result${rest.length === 1 ? "" : "s"} for “${meant}”`;
  status.textContent = meant === words ? count : `${count}, which is close to “${words}”`;
  list.replaceChildren();
  await show(0);
}

/**
 * @param {Result[]} results
 * @param {string} words
 */
async function inOrder(results, words) {
  /** @type {Map<string, Result>} */
  const once = new Map();
  for (const result of results) if (!once.has(result.id)) once.set(result.id, result);
  const hits = await Promise.all(
    [...once.values()].map(async (result) => ({ result, order: group((await result.data()).meta, words) })),
  );
  return hits.sort((left, right) => left.order - right.order).map(({ result }) => result);
}

/**
 * @param {Record<string, string>} meta
 * @param {string} words
 */
function group({ title = "", kind = "", address = "" }, words) {
  if (title.toLowerCase() === words.toLowerCase()) return kind === "Participant" ? 0 : kind === "Benchmark" ? 1 : 2;
  if (kind === "Page" && !address.startsWith("benchmarks/") && title.toLowerCase().startsWith(`${words.toLowerCase()} `)) return 2;
  if (address.startsWith("contributors/")) return 5;
  return kind === "Benchmark" ? 3 : 4;
}

function wordsOfIndex() {
  known ??= fetch(new URL("pagefind/words.json", ROOT)).then(
    (answer) => /** @type {Promise<string[]>} */ (answer.json()),
  );
  return known;
}

/**
 * Words with one typing error become those of the index: a letter too many, too few, another, or two that changed places.
 * @param {string} words
 * @param {string[]} index
 */
function corrected(words, index) {
  return words.replaceAll(/\p{L}{4,}/gu, (/** @type {string} */ typed) => {
    const word = typed.toLowerCase();
    if (index.some((entry) => entry.startsWith(word))) return typed;
    return index.find((entry) => isClose(word, entry)) ?? typed;
  });
}

/**
 * @param {string} typed
 * @param {string} word
 */
function isClose(typed, word) {
  const difference = typed.length - word.length;
  if (Math.abs(difference) > 1) return false;
  let at = 0;
  while (at < typed.length && typed[at] === word[at]) at += 1;
  const [left, right] = [typed.slice(at), word.slice(at)];
  if (difference !== 0) return difference > 0 ? left.slice(1) === right : left === right.slice(1);
  const isSwapped = left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
  return isSwapped || left.slice(1) === right.slice(1);
}

/** @param {number} from place of the first result to add */
async function show(from) {
  const results = rest;
  const hits = await Promise.all(results.slice(from, from + SHOWN).map((result) => result.data()));
  if (results !== rest) return; // another search was faster
  list.append(...hits.map(item));
  more.hidden = rest.length <= list.childElementCount;
}

/** @param {Hit} hit */
function item({ meta, excerpt }) {
  const link = node("a", { href: new URL(meta.address ?? "", ROOT).href }, isolated(meta.title ?? ""));
  const head = node("div", {}, link, " ", span("reported", meta.kind ?? ""));
  const where = node("div", { className: "who" }, isolated(meta.where ?? ""));
  if (meta.kind === "Submission") void addPlace(meta.address ?? "", where).catch(() => {}); // a board may not be public
  return node("li", {}, head, ...(meta.where ? [where] : []), node("p", {}, ...marked(excerpt)));
}

/**
 * Add the rank and the score of a submission, which no index has: they change with each record.
 * @param {string} address of its page
 * @param {HTMLElement} line
 */
async function addPlace(address, line) {
  const [board, id] = address.split("/submissions/");
  const results = await load(new URL(`${board}/view.json`, ROOT).href, ({ of }) => of === "overall");
  const row = results.row((id ?? "").replace(/\/$/, ""));
  const rank = row === null ? null : results.rank(row);
  if (row === null || rank === null) return;
  const column = results.data.columns.find(({ key }) => key === results.data.ranked_by);
  const score = column ? results.overall(column, row) : null;
  line.append(` · rank ${rank} of ${results.size}`);
  if (column && score !== null) line.append(`, ${column.title} ${shown(score, column.precision)}`);
}

/** @param {string} excerpt */
function marked(excerpt) {
  return excerpt.split(/<mark>(.*?)<\/mark>/s).map((part, place) => {
    const text = part.replaceAll("&lt;", "<").replaceAll("&gt;", ">");
    return place % 2 ? node("mark", {}, text) : text;
  });
}
