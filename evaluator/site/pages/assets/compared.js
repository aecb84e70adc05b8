// @ts-check
// What is said of submissions side by side: their ranks, values, costs, failures and answers.
import { isolated, node } from "./elements.js";
import { better, shown, signed } from "./number.js";

/** @import { ViewColumn } from "forms" */
/** @import { Failure, Results } from "./results.js" */
/** @typedef {string | number | HTMLTableCellElement} Cell a cell, or what stands in one */
/** @typedef {[name: string, cells: Cell[]]} Line */

/**
 * @param {Results} results
 * @param {number[]} rows
 * @param {object} choice
 * @param {string | null} choice.column key of the column that tasks are compared by
 * @param {(key: string) => void} choice.compareBy
 */
export function tables(results, rows, { column: wanted, compareBy }) {
  const columns = results.taskColumns;
  const column = columns.find(({ key }) => key === wanted) ?? columns.find(({ primary }) => primary) ?? columns[0];
  return [
    glance(results, rows, column),
    column ? byTask(results, rows, column, compareBy) : states(results, rows),
    resources(results, rows),
    failures(results, rows),
    sheet(results, rows),
  ].filter((part) => part !== null);
}

/**
 * @param {Results} results
 * @param {number[]} rows
 * @param {ViewColumn | undefined} column
 */
function glance(results, rows, column) {
  const { rows: about, columns } = results.data;
  const [first] = rows;
  /** @type {Line[]} */
  const lines = [
    ["Rank", rows.map((row) => results.rank(row) ?? "not ranked")],
    ...interval(results, rows),
    ["Status", rows.map((row) => about.status[row])],
    ["Submitted", rows.map((row) => about.submitted[row].slice(0, 10) || "–")],
  ];
  for (const each of columns) {
    const values = rows.map((row) => results.overall(each, row));
    if (values.every((value) => value === null)) continue;
    lines.push([results.several ? `${each.title}, all tasks` : each.title, marked(each, values)]);
  }
  if (column && results.several) {
    lines.push([
      `Against the first, by ${column.title}`,
      rows.map((row) => (row === first ? "–" : duel(results, column, first, row))),
    ]);
  }
  return section("At a glance", "glance", heads(results, rows), lines);
}

/**
 * Ranks that are possible at 95%, where there is enough to tell.
 * @param {Results} results
 * @param {number[]} rows
 * @returns {Line[]}
 */
function interval(results, rows) {
  const spans = rows.map((row) => results.data.intervals[row]);
  if (!spans.some(Boolean)) return [];
  return [["Rank interval", spans.map((span) => (span ? (span[0] === span[1] ? String(span[0]) : `${span[0]} to ${span[1]}`) : "–"))]];
}

/**
 * Of the second against the first, on the tasks that both have finished.
 * @param {Results} results
 * @param {ViewColumn} column
 * @param {number} first
 * @param {number} second
 */
function duel(results, column, first, second) {
  const signs = results.data.tasks.map((_, task) => (
    better(column, results.score(column, task, second), results.score(column, task, first))
  ));
  /** @param {number | null} sign */
  const count = (sign) => signs.filter((one) => one === sign).length;
  const rest = count(null) ? `; ${count(null)} not compared` : "";
  return `${count(1)} won, ${count(0)} tied, ${count(-1)} lost${rest}`;
}

/**
 * @param {Results} results
 * @param {number[]} rows
 */
function states(results, rows) {
  /** @type {Line[]} */
  const lines = results.data.tasks.map(({ name }, task) => [
    name, rows.map((row) => results.failure(task, row)?.[0] ?? "finished"),
  ]);
  return section("Task by task", "tasks", heads(results, rows), lines);
}

/**
 * @param {Results} results
 * @param {number[]} rows
 * @param {ViewColumn} column
 * @param {(key: string) => void} compareBy
 */
function byTask(results, rows, column, compareBy) {
  /** @type {Line[]} */
  const lines = results.data.tasks.map(({ name, retired }, task) => {
    const values = rows.map((row) => results.score(column, task, row));
    const cells = marked(column, values, (place) => {
      const failure = results.failure(task, rows[place]);
      return failure ? state(failure) : "–";
    });
    return [retired ? `${name} (retired)` : name, cells];
  });
  const part = section("Task by task", "tasks", heads(results, rows), lines);
  if (results.taskColumns.length > 1) part.firstElementChild?.after(columnChoice(results, column, compareBy));
  return part;
}

/**
 * @param {Results} results
 * @param {ViewColumn} column
 * @param {(key: string) => void} compareBy
 */
function columnChoice(results, column, compareBy) {
  const select = node("select", { name: "column" }, ...results.taskColumns.map(
    ({ key, title }) => new Option(title, key, key === column.key, key === column.key),
  ));
  select.addEventListener("change", () => compareBy(select.value));
  return node("div", { className: "picker" }, node("label", {}, "Column ", select));
}

/**
 * Values in a line: the best is marked, and each but the first says how far it is from the first.
 * @param {ViewColumn} column
 * @param {(number | null)[]} values
 * @param {(place: number) => Cell} absent
 */
function marked(column, values, absent = () => "–") {
  const [first] = values;
  const known = values.filter((value) => value !== null);
  const best = known.length > 1
    ? known.reduce((a, b) => ((better(column, a, b) ?? 0) >= 0 ? a : b))
    : null;
  return values.map((value, place) => {
    if (value === null) return absent(place);
    const cell = node("td", { className: value === best ? "num best" : "num" }, shown(value, column.precision));
    const sign = place ? better(column, value, first) : null;
    if (sign !== null && first !== null) {
      const word = sign > 0 ? "better" : sign < 0 ? "worse" : "equal";
      const gap = signed(value - first, column.precision);
      cell.append(node("span", { className: `dev gap ${word}` }, sign ? ` ${gap} ${word}` : " equal"));
    }
    return cell;
  });
}

/**
 * @param {Results} results
 * @param {number[]} rows
 */
function resources(results, rows) {
  const { tasks } = results.data;
  /** @type {Line[]} */
  const lines = tasks.flatMap(({ name }, task) => {
    if (!rows.some((row) => results.seconds(task, row) !== null)) return [];
    return [[name, rows.map((row) => `${time(results.seconds(task, row))}, ${size(results.memory(task, row))}`)]];
  });
  if (!lines.length || !results.data.columns.length) return null;
  if (results.several) lines.unshift(["All tasks, mean", rows.map((row) => time(results.seconds(null, row)))]);
  return section("Prediction time and peak memory", "resources", heads(results, rows), lines);
}

/**
 * @param {Results} results
 * @param {number[]} rows
 */
function failures(results, rows) {
  const lines = results.data.tasks.flatMap(({ name }, task) => rows.flatMap((row) => {
    const failure = results.failure(task, row);
    if (!failure || failure[0] !== "failed") return [];
    const [, actor, reason, message] = failure;
    return [node("li", {}, `${name}, `, isolated(results.title(row)), `: ${reason}. `,
      message ? isolated(message) : "", ` Who must act: ${actor}.`)];
  }));
  if (!lines.length) return null;
  return node("section", {}, node("h2", { id: "failures" }, "Failures"), node("ul", {}, ...lines));
}

/**
 * @param {Results} results
 * @param {number[]} rows
 */
function sheet(results, rows) {
  /** @type {Line[]} */
  const lines = results.data.questions.flatMap(({ key, title }) => {
    const answers = rows.map((row) => results.answer(key, row));
    if (!answers.some(Boolean)) return [];
    const differ = new Set(answers).size > 1;
    return [[differ ? `${title} (they differ)` : title,
      answers.map((answer) => (answer ? node("td", { className: "reason" }, isolated(answer)) : "not answered"))]];
  });
  return lines.length ? section("Fact sheet", "fact-sheet", heads(results, rows), lines) : null;
}

/**
 * @param {string} title
 * @param {string} id
 * @param {Node[][]} columns what stands in their heads
 * @param {Line[]} lines
 */
export function section(title, id, columns, lines) {
  const head = node("tr", {}, node("td", {}), ...columns.map((parts) => node("th", { scope: "col" }, ...parts)));
  const body = lines.map(([name, cells]) => node("tr", {},
    node("th", { scope: "row" }, isolated(name)),
    ...cells.map((cell) => (cell instanceof HTMLTableCellElement ? cell : node("td", {}, String(cell)))),
  ));
  const table = node("table", { className: "pullbench beside" }, node("thead", {}, head), node("tbody", {}, ...body));
  const region = node("div", { className: "board", tabIndex: 0 }, table);
  region.setAttribute("role", "region");
  region.setAttribute("aria-label", title);
  return node("section", {}, node("h2", { id }, title), region);
}

/**
 * @param {Results} results
 * @param {number[]} rows
 */
export function heads(results, rows) {
  return rows.map((row) => {
    const link = node("a", { href: `../submissions/${results.ids[row]}/` }, isolated(results.title(row)));
    return [link, new Text(" "), node("span", { className: "who" }, isolated(results.participant(row)))];
  });
}

/** @param {Failure} failure */
function state([name, actor, reason, message]) {
  const cell = node("td", { className: `state ${name}`, title: message }, name);
  if (reason) cell.append(node("span", { className: "reason" }, `${reason}; ${actor} must act`));
  return cell;
}

/** @param {number | null} value */
function time(value) {
  if (value === null) return "not measured";
  return value < 100 ? `${value.toFixed(2)} s` : `${Math.round(value)} s`;
}

/** @param {number | null} bytes */
function size(bytes) {
  if (bytes === null) return "memory not measured";
  return bytes < 2 ** 30 ? `${(bytes / 2 ** 20).toFixed(0)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}
