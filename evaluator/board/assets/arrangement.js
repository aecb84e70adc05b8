// Which rows of a model stand on the board, and in which order: a function of what the reader chose.
import { chosen } from "./rows.js";

// Returns items: numbers of rows, goals, and { answer, count } over each group.
export function arrange(model, columns, choice) {
  const rows = shown(model, choice).filter((row) => chosen(model.answers(row), () => model.text(row), choice))
    .filter((row) => isBetween(model.data.rows.submitted[row], choice));
  const column = columns.find(({ id }) => id === choice.sort) ?? columns[0];
  const goals = choice.show || choice.ranking ? [] : model.data.goals;
  if (choice.group === null) return { items: sorted([...rows, ...goals], column, choice), rows };
  const groups = Map.groupBy
    ? Map.groupBy(rows, (row) => model.answers(row).get(choice.group) ?? "")
    : grouped(rows, (row) => model.answers(row).get(choice.group) ?? "");
  const ordered = sorted(rows, column, choice);
  const order = Array.from(new Set(ordered.map((row) => model.answers(row).get(choice.group) ?? "")));
  order.sort((a, b) => (a === "") - (b === "")); // what is not answered stands last
  const items = sorted([...goals], column, choice);
  for (const answer of order) {
    const members = new Set(groups.get(answer));
    items.push({ answer, count: members.size }, ...ordered.filter((row) => members.has(row)));
  }
  return { items, rows, groups: order.length };
}

function grouped(rows, keyOf) {
  const found = new Map();
  for (const row of rows) found.set(keyOf(row), [...(found.get(keyOf(row)) ?? []), row]);
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
  const compare = comparison(column, order || "best");
  return items.map((item, place) => ({ item, place }))
    .sort((a, b) => compare(a.item, b.item) || a.place - b.place)
    .map(({ item }) => item);
}

// `order` is "asc", "desc", or "best" for the better end of the column first; empty cells stay last.
export function comparison(column, order) {
  const sign = (order === "best" ? column.sorting : order) === "asc" ? 1 : -1;
  const keyOf = (item) => (typeof item === "number" ? column.key(item) : column.goal?.(item)) ?? null;
  return (a, b) => {
    const [first, second] = [keyOf(a), keyOf(b)];
    if (first === null || second === null) return (first === null) - (second === null);
    if (typeof first === "number" && typeof second === "number") return sign * (first - second);
    return sign * compareText(String(first), String(second));
  };
}

const collator = new Intl.Collator();

function compareText(a, b) {
  return collator.compare(a, b);
}
