// @ts-check
// What changed on a board between two points of its history. The address says which:
// ?from=2026-03-01&to=2026-03-04&phase=slug. A day without a point stands for the last one before it.
import { all, isolated, node, one, span } from "./elements.js";
import { followBoards } from "./movement.js";
import { shown } from "./number.js";

/** @import { FormerColumn, FormerData, FormerRow } from "forms" */

/**
 * @typedef {object} Change
 * @property {FormerRow} row as it is, or was at last
 * @property {FormerRow | null} before null for a new one
 * @property {boolean} isGone
 */

const MOST_ROWS = 500;
const MOST_TASKS = 5;

const root = one(document, "[data-changes]", HTMLElement);
const [from, to] = ["from", "to"].map((name) => one(root, `select[name=${name}]`, HTMLSelectElement));
const [phase] = all(root, "select[name=phase]", HTMLSelectElement);
const status = one(root, "[data-status]", HTMLElement);
const place = one(root, "[data-tables]", HTMLElement);

let asked = "";

const showMovement = followBoards(root, Array.from(to.options).reverse(), boardOf);

root.hidden = false;
root.addEventListener("change", () => {
  const address = new URL(location.href);
  address.search = new URLSearchParams({
    from: from.value, to: to.value, ...(phase && { phase: phase.value }),
  }).toString();
  history.pushState(null, "", address);
  void show();
  void showMovement();
});
addEventListener("popstate", () => void show());
void show();

async function show() {
  const query = new URLSearchParams(location.search);
  choose(from, query.get("from"));
  choose(to, query.get("to"));
  if (phase && query.has("phase")) choose(phase, query.get("phase"));
  const wanted = asked = [from.value, to.value, phase?.value].join(" "); // another choice may be made meanwhile
  try {
    const boards = await Promise.all([from, to].map((select) => boardOf(select.selectedOptions[0])));
    if (asked === wanted) draw(boards[0], boards[1]);
  } catch (error) {
    if (asked === wanted) say(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @param {HTMLSelectElement} select
 * @param {string | null} wanted
 */
function choose(select, wanted) {
  const options = Array.from(select.options);
  const found = options.find(({ value, dataset }) => value === wanted || dataset.names?.split(" ").includes(wanted ?? ""))
    ?? (wanted && /^\d{4}-\d\d-\d\d$/.test(wanted) ? options.find(({ dataset }) => (dataset.day ?? "") <= wanted) : null)
    ?? options.find(({ defaultSelected }) => defaultSelected) ?? options[0];
  select.value = found.value;
}

/**
 * @param {HTMLOptionElement} option
 * @returns {Promise<FormerData>}
 */
async function boardOf(option) {
  const [first, ...others] = (option.dataset.phases ?? "").split(" ");
  const wanted = phase?.value ?? first;
  if (wanted !== first && !others.includes(wanted)) {
    throw new Error(`${phase?.selectedOptions[0].text ?? wanted} had not begun on ${option.dataset.day ?? ""}.`);
  }
  const answer = await fetch(`${option.value}/${wanted === first ? "" : `phases/${wanted}/`}board.json`);
  if (!answer.ok) throw new Error(`The board of ${option.text} cannot be read (${answer.status}). Load the page again.`);
  /** @type {unknown} */
  const board = await answer.json();
  return /** @type {FormerData} */ (board);
}

/**
 * @param {FormerData} before
 * @param {FormerData} after
 */
function draw(before, after) {
  const changes = changesOf(before, after);
  const count = (/** @type {(change: Change) => boolean} */ fits) => changes.filter(fits).length;
  const kept = (/** @type {Change} */ { before: was, isGone }) => was !== null && !isGone;
  const counts = [
    `${count(({ before: was }) => was === null)} new`,
    `${count(({ isGone }) => isGone)} no longer listed`,
    `${count((change) => kept(change) && change.before?.rank !== change.row.rank)} with another rank`,
    `${count((change) => kept(change) && isRescored(change))} with other values`,
  ];
  const same = after.rows.length - count(({ isGone }) => !isGone);
  const added = after.columns.filter(({ key }) => !before.columns.some((column) => column.key === key));
  const news = added.length ? ` New columns: ${added.map(({ title }) => title).join(", ")}.` : "";
  const rest = changes.length > MOST_ROWS ? ` The first ${MOST_ROWS} are shown.` : "";
  say(changes.length ? `${counts.join(", ")}; ${same} as before.${news}${rest}` : `Nothing changed.${news}`);
  place.replaceChildren(...(changes.length ? [table(after, changes.slice(0, MOST_ROWS))] : []));
}

/** @param {string} text */
function say(text) {
  place.replaceChildren();
  if (status.textContent !== text) status.textContent = text;
}

/** @param {FormerRow} row */
const idOf = ({ participant, submission }) => `${participant}/${submission}`;

/**
 * Rows that are not what they were, as the later board has them; then those that it has no longer.
 * @param {FormerData} before
 * @param {FormerData} after
 * @returns {Change[]}
 */
function changesOf(before, after) {
  const earlier = new Map(before.rows.map((row) => [idOf(row), row]));
  /** @type {Change[]} */
  const changes = after.rows.map((row) => ({ row, before: earlier.get(idOf(row)) ?? null, isGone: false }));
  const listed = new Set(after.rows.map(idOf));
  return [
    ...changes.filter((change) => isRescored(change)
      || change.before?.rank !== change.row.rank || change.before.status !== change.row.status),
    ...before.rows.filter((row) => !listed.has(idOf(row))).map((row) => ({ row, before: row, isGone: true })),
  ];
}

/** @param {Change} change */
function isRescored(change) {
  const { row, before } = change;
  if (before === null) return true;
  const keys = Object.keys(row.overall).filter((key) => key in before.overall);
  return keys.some((key) => row.overall[key] !== before.overall[key]) || tasksOf(change).length > 0;
}

/**
 * Slugs of tasks on which values are others.
 * @param {Change} change
 */
function tasksOf({ row, before }) {
  return Object.entries(row.tasks).filter(([slug, result]) => {
    const was = before?.tasks[slug];
    return was && result && (was.status !== result.status
      || Object.keys(result.scores).some((key) => key in was.scores && was.scores[key] !== result.scores[key]));
  }).map(([slug]) => slug);
}

/**
 * @param {FormerData} after
 * @param {Change[]} changes
 */
function table({ columns, tasks }, changes) {
  const names = new Map(tasks.map(({ slug, name }) => [slug, name]));
  const onTasks = tasks.length > 1 && changes.some((change) => !change.isGone && tasksOf(change).length);
  const heads = ["Rank", "Moved", "Submission"].map((text) => node("th", { scope: "col" }, text));
  heads.push(...columns.map(({ title }) => node("th", { scope: "col", className: "num" }, title)));
  if (onTasks) heads.push(node("th", { scope: "col" }, "Other values on"));
  const lines = changes.map((change) => node(
    "tr", {},
    node("td", { className: "num rank" }, ranks(change)),
    node("td", { className: "moved" }, moved(change)),
    nameCell(change),
    ...columns.map((column) => node("td", { className: "num" }, values(change, column))),
    ...(onTasks ? [node("td", { className: "reason" }, taskNames(change, names))] : []),
  ));
  const region = node(
    "div", { className: "board", tabIndex: 0 },
    node("table", { className: "pullbench" }, node("thead", {}, node("tr", {}, ...heads)), node("tbody", {}, ...lines)),
  );
  region.setAttribute("role", "region");
  region.setAttribute("aria-label", "What changed");
  return region;
}

/**
 * @param {number | null} before
 * @param {number | null} after
 * @param {(value: number) => string} text
 */
function between(before, after, text) {
  const [was, is] = [before, after].map((value) => (value === null ? "–" : text(value)));
  return was === is ? is : `${was} → ${is}`;
}

/** @param {Change} change */
function ranks({ row, before, isGone }) {
  return between(before?.rank ?? null, isGone ? null : row.rank, String);
}

/** @param {Change} change */
function moved({ row, before, isGone }) {
  if (isGone) return "no longer listed";
  if (before === null) return "new";
  if (before.rank === null || row.rank === null) return row.status;
  const places = before.rank - row.rank;
  return places === 0 ? "=" : `${places > 0 ? "▲" : "▼"} ${Math.abs(places)}`;
}

/** @param {Change} change */
function nameCell({ row, isGone }) {
  const title = isolated(row.title);
  const isPresent = !isGone && to.selectedIndex === 0;
  const link = isPresent ? node("a", { href: `../submissions/${idOf(row)}/` }, title) : title;
  const who = span("who", "");
  who.append(isolated(row.participant));
  return node("th", { scope: "row" }, link, " ", who);
}

/**
 * @param {Change} change
 * @param {FormerColumn} column
 */
function values({ row, before, isGone }, { key, precision }) {
  const [was, is] = [before?.overall[key] ?? null, isGone ? null : row.overall[key] ?? null];
  if (before === null || was === is) return shown(is, precision);
  return between(was, is, (value) => shown(value, precision));
}

/**
 * @param {Change} change
 * @param {Map<string, string>} names
 */
function taskNames(change, names) {
  const slugs = change.isGone ? [] : tasksOf(change);
  const more = slugs.length > MOST_TASKS ? ` and ${slugs.length - MOST_TASKS} more` : "";
  return slugs.slice(0, MOST_TASKS).map((slug) => names.get(slug) ?? slug).join(", ") + more;
}
