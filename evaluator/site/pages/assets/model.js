// @ts-check
// A board as view.json has it: its rows, its columns, and what stands where they meet.
import { answerCell, resourceCell, factCell, goalCell, nameCell, overallCell, rankCell, taskCell } from "./cells.js";
import { number, Results } from "./results.js";
import { folded } from "./view.js";

/** @import { ViewBlock, ViewColumn, ViewResource, ViewFact, ViewGoal, ViewQuestion } from "forms" */
/** @import { Cell } from "./cells.js" */
/** @import { Answers } from "./rows.js" */
/** @import { Wanted } from "./results.js" */
/** @import { Choice, Rankable } from "./view.js" */
/** @typedef {number | string | null} Key what rows are sorted by; null for none */

/**
 * @typedef {object} Column
 * @property {string} id
 * @property {string} group
 * @property {string} [metric]
 * @property {string} title
 * @property {string} [band] what it stands under with its neighbours
 * @property {"asc" | "desc"} sorting which end is the better one
 * @property {number} [precision]
 * @property {boolean} [numeric]
 * @property {boolean} [isBetter] whether one end is better, which its head says
 * @property {string} [added] by which name readers ask for it; it is not shown else
 * @property {string} [each] by which name it is hidden on all tasks at once
 * @property {boolean} [isMain] whether its values rank, and have bars
 * @property {boolean} [isShaded]
 * @property {boolean} [isEmpty] whether nobody has a value, and none is awaited
 * @property {boolean} [isName]
 * @property {ArrayLike<Key>} [values] of a column of numbers
 * @property {ViewBlock} [block] which numbers these are
 * @property {(row: number) => Cell} cell
 * @property {(row: number) => Key} key
 * @property {(goal: ViewGoal) => Key} [goal]
 */

/** @type {Cell} */
export const WAITING = { text: "…", classes: "num", title: "Not loaded yet." };

export class Model extends Results {
  /** @type {Map<number, Answers>} */
  #answers = new Map();
  /** @type {Map<number, string>} */
  #texts = new Map();

  /** @param {Results} results */
  constructor(results) {
    super(results.data, results.ask, results);
    this.aside = new Set(this.data.aside);
    this.withCode = new Set(this.data.code.rows);
    this.columns = Array.from(this.#columns()).filter(({ isEmpty }) => !isEmpty);
    this.hasMargins = Object.values(this.data.intervals).some((span) => span && span[3] !== null);
  }

  /**
   * Numbers of all rows without which rows cannot stand as a reader asks.
   * @param {Choice} choice
   * @returns {Wanted}
   */
  needed({ sort, ranking, within, most, show }) {
    const by = this.columns.find(({ id }) => id === sort);
    const isOverall = by?.numeric === true || ranking !== null || within !== null || most.size > 0 || show === "best";
    const metrics = new Set(ranking?.metrics);
    if (by?.metric && by.group !== "overall") metrics.add(by.metric);
    if (show === "best") this.data.columns.filter(({ primary }) => primary).forEach(({ key }) => metrics.add(key));
    return ({ column, task }) => (task === null ? isOverall : metrics.has(column ?? ""));
  }

  /**
   * A cell of a column of numbers, once its number is there.
   * @param {ViewBlock} block
   * @param {(row: number) => Cell} cell
   * @returns {(row: number) => Cell}
   */
  #once(block, cell) {
    return (row) => (this.isRead(block, row) ? cell(row) : WAITING);
  }

  // Rows are numbers; goals are objects that stand among them.
  get listed() {
    return Array.from({ length: this.data.listed }, (_, row) => row);
  }

  get all() {
    return Array.from(this.ids.keys());
  }

  /** @param {number} row */
  isBaseline(row) {
    return (this.data.marks[row] ?? []).some(([text]) => text === "baseline");
  }

  /** @returns {Rankable} */
  get rankable() {
    const { data } = this;
    // A board's mean ranks are no metric: they are what ranks by one.
    const none = data.aggregate === "mean_rank" ? "mean_rank" : "";
    const metrics = this.taskColumns.map(({ key }) => key).filter((key) => key !== none);
    return {
      metrics, tasks: data.tasks.map(({ slug }) => slug),
      primary: metrics.includes(data.ranked_by) ? data.ranked_by : metrics[0],
      usual: data.aggregate === "mean" ? "mean" : "mean_rank",
      mixed: this.taskColumns.filter(({ mean }) => !mean).map(({ key }) => key),
    };
  }

  /**
   * What can be concluded on the task whose main column this is; empty for others.
   * @param {Column} column
   */
  conclusion({ group, metric }) {
    const { tasks, ranked_by: key, columns } = this.data;
    const isMain = metric === key || columns.some((one) => one.primary && one.key === metric);
    const task = isMain ? tasks.find(({ slug }) => group === `task.${slug}`) : null;
    return task?.conclusion ? `On ${task.name}: ${task.conclusion}` : "";
  }

  /**
   * Who is first in the ranking that a reader made.
   * @param {Column} yours its ranks
   */
  leader({ key }) {
    const { title, participant } = this.data.rows;
    const first = this.all.filter((row) => key(row) === 1).map((row) => `\u2068${title[row]}\u2069 (${participant[row]})`);
    const more = first.length > 3 ? ` and ${first.length - 3} more` : "";
    const who = first.length ? `${first.slice(0, 3).join(", ")}${more} ${first.length === 1 ? "leads" : "lead"}` : "nobody has a rank";
    return `In your ranking ${who}. Whether that is certain was not computed.`;
  }

  /**
   * By name in the address.
   * @param {number} row
   */
  answers(row) {
    let answers = this.#answers.get(row);
    if (answers === undefined) {
      answers = new Map([["participant", this.data.rows.participant[row]]]);
      for (const { key, name } of this.data.questions) {
        const answer = this.answer(key, row).slice(0, 200).trim();
        if (name && answer) answers.set(name, answer);
      }
      answers.set("status", this.data.rows.status[row]);
      answers.set("kind", this.data.rows.kind[row]);
      this.#answers.set(row, answers);
    }
    return answers;
  }

  /**
   * What words are looked for in.
   * @param {number} row
   */
  text(row) {
    let text = this.#texts.get(row);
    if (text === undefined) {
      const { title, submission } = this.data.rows;
      text = folded([title[row], submission[row], ...this.answers(row).values()].join("\n"));
      this.#texts.set(row, text);
    }
    return text;
  }

  /** @returns {Generator<Column, void>} */
  *#columns() {
    const { data } = this;
    const ranks = data.rows.rank;
    const main = data.columns.find(({ primary }) => primary) ?? data.columns[0];
    const unasked = this.several ? this.taskColumns.find(({ key }) => key === data.ranked_by) ?? this.taskColumns[0] : main;
    yield {
      id: "rank", group: "", title: "Rank", sorting: "asc",
      cell: (row) => rankCell(this, row), key: (row) => ranks[row], goal: (goal) => goal.after_rank + 0.5,
    };
    yield {
      id: "submission", group: "", title: data.noun === "data set" ? "Data set" : "Submission", sorting: "asc",
      isName: true, cell: (row) => nameCell(this, row), key: (row) => data.rows.title[row], goal: (goal) => goal.label,
    };
    const whole = foremost(data.columns, main).filter(({ over_tasks: isWhole }) => this.several || isWhole);
    for (const column of whole.filter(({ derived }) => this.several || !derived)) yield this.#overall(column, main);
    if (this.several) {
      for (const resource of data.resources) yield this.#resource(resource);
    }
    for (const task of data.tasks.keys()) {
      for (const column of foremost(this.taskColumns, unasked)) yield this.#onTask(column, task, unasked);
    }
    if (!this.several) {
      for (const column of whole.filter(({ derived }) => derived)) yield this.#overall(column, main);
      for (const resource of data.resources) yield this.#resource(resource);
    }
    for (const question of data.questions.filter(({ shown }) => shown)) yield this.#answer(question);
    for (const fact of data.facts) yield this.#fact(fact);
    if (!data.facts.some(({ key }) => key === "submitted")) yield this.#date();
  }

  /**
   * @param {ViewColumn} column
   * @param {ViewColumn} main
   * @returns {Column}
   */
  #overall(column, main) {
    const { data } = this;
    const values = this.numbers("overall", column.key, null);
    /** @type {ViewBlock} */
    const block = { of: "overall", column: column.key, task: null };
    return {
      id: `overall.${column.key}`, group: "overall", metric: column.key, title: column.title, band: column.group,
      sorting: column.sorting, precision: column.precision, numeric: true, isBetter: true, values, block,
      isMain: column === main, added: column === main || column.derived ? undefined : `overall.${column.key}`,
      isEmpty: this.#isEmpty(block, data.rows.status.every((status) => status === "finished")),
      cell: this.#once(block, (row) => overallCell(this, column, row)),
      key: (row) => number(values[row]),
      goal: (goal) => (goal.column === column.key ? goal.value : null),
    };
  }

  /**
   * @param {ViewColumn} column
   * @param {number} task
   * @param {ViewColumn} unasked the column that is there without being asked for
   * @returns {Column}
   */
  #onTask(column, task, unasked) {
    const values = this.numbers("scores", column.key, task);
    /** @type {ViewBlock} */
    const block = { of: "scores", column: column.key, task };
    const { slug } = this.data.tasks[task];
    const each = `each.${column.key}`;
    return {
      id: `${slug}.${column.key}`, group: `task.${slug}`, metric: column.key, title: column.title, band: column.group,
      sorting: column.sorting, precision: column.precision, numeric: true, isBetter: true, values, block,
      isMain: !this.several && column === unasked, isShaded: this.several && this.data.noun !== "data set",
      each, added: this.several && column !== unasked ? each : undefined,
      isEmpty: this.#isEmpty(block, !(task in this.data.failures)),
      cell: this.#once(block, (row) => taskCell(this, column, task, row)),
      key: (row) => number(values[row]),
      goal: (goal) => (!this.several && goal.column === column.key ? goal.value : null),
    };
  }

  /**
   * @param {ViewQuestion} question
   * @returns {Column}
   */
  #answer(question) {
    return {
      id: `sheet.${question.key}`, group: "sheet", title: question.title, sorting: "asc",
      isEmpty: this.ids.length > 0 && !this.data.sheet[question.key]?.some(Boolean),
      cell: (row) => answerCell(this, question, row), key: (row) => this.answer(question.key, row) || null, goal: () => null,
    };
  }

  /**
   * @param {ViewFact} fact
   * @returns {Column}
   */
  #fact(fact) {
    return {
      id: `fact.${fact.key}`, group: "facts", title: fact.title, sorting: "asc", numeric: fact.number,
      values: fact.number ? fact.values : undefined,
      isEmpty: this.ids.length > 0 && fact.values.every((value) => value === null || value === ""),
      cell: (row) => factCell(fact, row), key: (row) => fact.values[row], goal: () => null,
    };
  }

  /**
   * @param {ViewResource} resource
   * @returns {Column}
   */
  #resource({ key, title }) {
    const values = this.numbers("resource", key, null);
    return {
      id: `resource.${key}`, group: "resources", added: key, title, sorting: "asc", numeric: true, isBetter: true, values,
      cell: this.#once({ of: "resource", column: key, task: null }, (row) => resourceCell(values[row])),
      key: (row) => number(values[row]), goal: () => null,
    };
  }

  /** @returns {Column} */
  #date() {
    const { submitted } = this.data.rows;
    return {
      id: "submitted", group: "facts", added: "submitted", title: "Date", sorting: "desc",
      cell: (row) => ({ text: submitted[row].slice(0, 10) || "–" }), key: (row) => submitted[row] || null, goal: () => null,
    };
  }

  /**
   * @param {ViewBlock} block
   * @param {boolean} isFinished whether each row is
   */
  #isEmpty(block, isFinished) {
    const { length } = this.ids;
    return isFinished && length > 0 && this.isRead(block, length - 1) && this.numbers(block.of, block.column, block.task).every(Number.isNaN);
  }

  /**
   * @param {ViewGoal} goal
   * @param {Column[]} columns
   */
  goalCells(goal, columns) {
    return columns.map((column) => goalCell(goal, column));
  }
}

/**
 * @param {ViewColumn[]} columns
 * @param {ViewColumn} first
 */
function foremost(columns, first) {
  return [...columns.filter((one) => one === first), ...columns.filter((one) => one !== first)];
}
