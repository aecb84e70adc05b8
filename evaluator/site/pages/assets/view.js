// @ts-check
// What the reader chose, kept in the page's address and nowhere else, so that a view can be shared
// and walked back through. Names: search, group, sort, order, show, since, until, within, max.*, hide, add,
// at, those of a ranking of the reader's own, and those of the facets in controls.html.

/** @import { Aggregation } from "./ranking.js" */

/**
 * What an answer has to be, or what it has to contain.
 * @typedef {{ name: string, any: Set<string> } | { name: string, part: string }} Filter
 */

/**
 * A ranking of the reader's own.
 * @typedef {object} ChosenRanking
 * @property {string[]} metrics keys of columns
 * @property {Aggregation} aggregate
 * @property {Map<string, number>} weights by slug of the task, where they are not the board's
 * @property {string} baseline id of a submission; empty for none
 */

/**
 * What a reader's own ranking may be made of.
 * @typedef {object} Rankable
 * @property {string[]} metrics
 * @property {string[]} tasks
 * @property {string} [primary] the metric without another choice; undefined where there is none
 * @property {Aggregation} usual
 * @property {string[]} mixed those of the metrics that are another one on other tasks
 */

/**
 * @typedef {object} Chosen
 * @property {Filter[]} filters
 * @property {string} words
 * @property {string | null} group
 * @property {string} sort id of a column; empty for the usual one
 * @property {"asc" | "desc" | ""} order
 * @property {string} show
 * @property {string} since
 * @property {string} until
 * @property {number | null} within percent of the best
 * @property {Map<string, number>} most of a resource, by its key
 * @property {string[]} hide
 * @property {string[]} add columns that a board does not show without being asked
 */

/** @typedef {Chosen & { ranking: ChosenRanking | null }} Choice */

/** @type {EventTarget | null} */
let typing = null;

export function read() {
  return new URLSearchParams(location.search);
}

/**
 * Letters written in one field are one step of the history; any other choice is a step of its own.
 * @param {URLSearchParams} query
 * @param {EventTarget | null} field the one that is being written in
 */
export function write(query, field) {
  const address = new URL(location.href);
  address.search = query.toString();
  if (address.href === location.href) return;
  const step = field !== null && field === typing ? "replaceState" : "pushState";
  history[step](null, "", address);
  typing = field;
}

export function stopTyping() {
  typing = null;
}

/**
 * @param {URLSearchParams} query
 * @param {Map<string, "one of" | "contains">} kinds whether one of a name's answers is chosen, or a part
 * of the answer written
 * @returns {Chosen}
 */
export function choice(query, kinds) {
  /** @type {Filter[]} */
  const filters = [];
  for (const [name, kind] of kinds) {
    const wanted = query.getAll(name);
    if (kind === "one of" && wanted.length) filters.push({ name, any: new Set(wanted) });
    if (kind === "contains" && wanted.join("").trim()) filters.push({ name, part: folded(wanted[0]) });
  }
  const group = query.get("group");
  const order = query.get("order");
  return {
    filters,
    words: folded(query.get("search") ?? ""),
    group: group !== null && kinds.has(group) ? group : null,
    sort: query.get("sort") ?? "",
    order: order === "asc" || order === "desc" ? order : "",
    show: query.get("show") ?? "",
    since: query.get("since") ?? "",
    until: query.get("until") ?? "",
    within: amount(query.get("within")),
    most: mostOf(query),
    hide: query.getAll("hide"),
    add: query.getAll("add"),
  };
}

/** @param {URLSearchParams} query */
function mostOf(query) {
  /** @type {Map<string, number>} */
  const most = new Map();
  for (const [name, text] of query) {
    const value = name.startsWith("max.") ? amount(text) : null;
    if (value !== null) most.set(name.slice(4), value);
  }
  return most;
}

/** @param {string | null} text */
function amount(text) {
  const value = Number.parseFloat(text ?? "");
  return Number.isFinite(value) && value >= 0 ? value : null;
}

/**
 * The ranking that the reader asks for, null where they ask for none. What makes no sense for the
 * board, such as a metric that it has not, is left out: an address may be old.
 * @param {URLSearchParams} query
 * @param {Rankable} rankable
 * @returns {ChosenRanking | null}
 */
export function ranking(query, { metrics, tasks, primary, usual, mixed }) {
  const chosen = query.getAll("metric").filter((key) => metrics.includes(key));
  /** @type {Map<string, number>} */
  const weights = new Map();
  for (const slug of tasks) {
    const weight = amount(query.get(`weight.${slug}`));
    if (weight !== null) weights.set(slug, weight);
  }
  const asked = query.get("aggregate");
  const aggregate = AGGREGATES.find((name) => name === asked) ?? null;
  if (primary === undefined) return null;
  if (aggregate === null && !weights.size && !chosen.length) return null;
  const used = chosen.length ? [...new Set(chosen)] : [primary];
  // Values of different metrics have neither mean nor median: only ranks, or a scale, compare them.
  const isMixed = used.some((key) => mixed.includes(key)) && OF_VALUES.includes(aggregate ?? usual);
  return {
    metrics: used, aggregate: isMixed ? "mean_rank" : aggregate ?? usual, weights,
    baseline: query.get("baseline") ?? "",
  };
}

/** @type {Choice} what an address asks for that asks for nothing */
export const NOTHING = { ...choice(new URLSearchParams(), new Map()), ranking: null };

/** @type {Aggregation[]} */
const AGGREGATES = ["mean", "mean_rank", "median", "borda", "geometric_mean", "normalised"];

/** @type {Aggregation[]} which take values as they are */
const OF_VALUES = ["mean", "median", "geometric_mean"];

/** @param {string} text */
export function folded(text) {
  return text.trim().toLowerCase();
}
