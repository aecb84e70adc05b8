// Which rows of a model stand on the board, and in which order: a function of what the reader chose.
import { chosen } from "./rows.js";

// Rows that fit what is asked for, in the order of the board.
export function chosenRows(model, choice) {
  const { submitted } = model.data.rows;
  const isAny = !choice.filters.length && choice.words === "";
  return shown(model, choice)
    .filter((row) => isAny || chosen(model.answers(row), () => model.text(row), choice))
    .filter((row) => isBetween(submitted[row], choice));
}

// Returns items: numbers of rows, goals, and { answer, count } over each group.
export function arrange(model, rows, columns, choice) {
  const column = columns.find(({ id }) => id === choice.sort) ?? columns[0];
  const goals = choice.show || choice.ranking ? [] : model.data.goals;
  if (choice.group === null) return { items: sorted([...rows, ...goals], column, choice) };
  const ordered = sorted(rows, column, choice);
  const groups = grouped(ordered, (row) => model.answers(row).get(choice.group) ?? "");
  const order = Array.from(groups.keys());
  order.sort((a, b) => (a === "") - (b === "")); // what is not answered stands last
  const items = sorted([...goals], column, choice);
  for (const answer of order) {
    const members = groups.get(answer);
    items.push({ answer, count: members.length }, ...members);
  }
  return { items, groups: order.length };
}

function grouped(rows, keyOf) {
  const found = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(row);
  }
  return found;
}

// What of each participant's submissions is shown: what the board lists, one of them, or all.
function shown(model, { show }) {
  if (show === "all") return model.all;
  if (show !== "best" && show !== "last") return model.listed;
  const { participant, submitted } = model.data.rows;
  const primary = model.columns.find(({ id }) => id === primaryId(model));
  const best = comparison(primary, "best");
  const isBetter = show === "best"
    ? (a, b) => best(a, b) < 0
    : (a, b) => submitted[a] > submitted[b];
  const kept = new Map();
  for (const row of model.all) {
    const known = kept.get(participant[row]);
    if (known === undefined || isBetter(row, known)) kept.set(participant[row], row);
  }
  const rows = new Set(kept.values());
  return model.all.filter((row) => rows.has(row));
}

export function primaryId(model) {
  const { key, over_tasks: overTasks } = model.data.columns.find(({ primary }) => primary) ?? {};
  if (key === undefined) return "rank";
  return model.several || overTasks ? `overall.${key}` : `${model.data.tasks[0].slug}.${key}`;
}

function isBetween(submitted, { since, until }) {
  const day = submitted.slice(0, 10);
  return (!since || day >= since) && (!until || (day !== "" && day <= until));
}

function sorted(items, column, { order }) {
  const compare = keyComparison(column, order || "best");
  return items.map((item, place) => ({ item, place, key: keyOf(column, item) }))
    .sort((a, b) => compare(a.key, b.key) || a.place - b.place)
    .map(({ item }) => item);
}

function keyOf(column, item) {
  return (typeof item === "number" ? column.key(item) : column.goal?.(item)) ?? null;
}

export function comparison(column, order) {
  const compare = keyComparison(column, order);
  return (a, b) => compare(keyOf(column, a), keyOf(column, b));
}

// `order` is "asc", "desc", or "best" for the better end of the column first; empty cells stay last.
function keyComparison(column, order) {
  const sign = (order === "best" ? column.sorting : order) === "asc" ? 1 : -1;
  return (first, second) => {
    if (first === null || second === null) return (first === null) - (second === null);
    if (typeof first === "number" && typeof second === "number") return sign * (first - second);
    return sign * collator.compare(String(first), String(second));
  };
}

const collator = new Intl.Collator();
