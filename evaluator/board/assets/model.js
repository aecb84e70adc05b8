// A board as view.json has it: its rows, its columns, and what stands where they meet.
import { answerCell, factCell, goalCell, nameCell, overallCell, rankCell, taskCell } from "./cells.js";
import { number, Results } from "./results.js";
import { folded } from "./view.js";

export class Model extends Results {
  #answers = new Map();
  #texts = new Map();

  constructor({ data, ask }) {
    super(data, ask);
    this.aside = new Set(data.aside);
    this.columns = Array.from(this.#columns());
  }

  // Rows are numbers; goals are objects that stand among them.
  get listed() {
    return Array.from({ length: this.data.listed }, (_, row) => row);
  }

  get all() {
    return Array.from(this.ids.keys());
  }

  // What a reader's own ranking may be made of.
  get rankable() {
    const { data } = this;
    // A board's mean ranks are no metric: they are what ranks by one.
    const none = data.aggregate === "mean_rank" ? "mean_rank" : "";
    const metrics = this.taskColumns.map(({ key }) => key).filter((key) => key !== none);
    return {
      metrics, tasks: data.tasks.map(({ slug }) => slug),
      primary: metrics.includes(data.ranked_by) ? data.ranked_by : metrics[0],
      usual: data.aggregate === "mean" ? "mean" : "mean_rank",
    };
  }

  // Name in the address -> answer. A Map, since answers may be called "constructor".
  answers(row) {
    if (!this.#answers.has(row)) {
      const found = new Map([["participant", this.data.rows.participant[row]]]);
      for (const { key, name } of this.data.questions) {
        const answer = this.data.sheet[key][row].slice(0, 200).trim();
        if (name && answer) found.set(name, answer);
      }
      found.set("status", this.data.rows.status[row]);
      found.set("kind", this.data.rows.kind[row]);
      this.#answers.set(row, found);
    }
    return this.#answers.get(row);
  }

  // What words are looked for in.
  text(row) {
    if (!this.#texts.has(row)) {
      const { title, submission } = this.data.rows;
      this.#texts.set(row, folded([title[row], submission[row], ...this.answers(row).values()].join("\n")));
    }
    return this.#texts.get(row);
  }

  // Each: id, group, metric, title, sorting ("asc" or "desc" is the better end), cell(row), key(row).
  *#columns() {
    const { data } = this;
    const ranks = data.rows.rank;
    yield {
      id: "rank", group: "", title: "Rank", sorting: "asc",
      cell: (row) => rankCell(this, row), key: (row) => ranks[row], goal: (goal) => goal.after_rank + 0.5,
    };
    yield {
      id: "submission", group: "", title: data.noun === "data set" ? "Data set" : "Submission", sorting: "asc",
      isName: true, cell: (row) => nameCell(this, row), key: (row) => data.rows.title[row], goal: (goal) => goal.label,
    };
    if (this.several) {
      for (const column of data.columns) yield this.#overall(column);
    }
    for (const task of data.tasks.keys()) {
      for (const column of this.taskColumns) yield this.#onTask(column, task);
    }
    for (const question of data.questions.filter(({ shown }) => shown)) yield this.#answer(question);
    for (const fact of data.facts) yield this.#fact(fact);
  }

  #overall(column) {
    const values = this.data.overall[column.key];
    return {
      id: `overall.${column.key}`, group: "overall", metric: column.key, title: column.title, band: column.group,
      sorting: column.sorting, precision: column.precision, numeric: true, values,
      cell: (row) => overallCell(this, column, row),
      key: (row) => number(values[row]),
      goal: (goal) => (goal.column === column.key ? goal.value : null),
    };
  }

  #onTask(column, task) {
    const values = this.data.scores[column.key][task];
    const { slug } = this.data.tasks[task];
    return {
      id: `${slug}.${column.key}`, group: `task.${slug}`, metric: column.key, title: column.title, band: column.group,
      sorting: column.sorting, precision: column.precision, numeric: true, values,
      cell: (row) => taskCell(this, column, task, row),
      key: (row) => number(values[row]),
      goal: (goal) => (!this.several && goal.column === column.key ? goal.value : null),
    };
  }

  #answer(question) {
    const answers = this.data.sheet[question.key];
    return {
      id: `sheet.${question.key}`, group: "sheet", title: question.title, sorting: "asc",
      cell: (row) => answerCell(this, question, row), key: (row) => answers[row] || null, goal: () => null,
    };
  }

  #fact(fact) {
    return {
      id: `fact.${fact.key}`, group: "facts", title: fact.title, sorting: "asc", numeric: fact.number,
      values: fact.number ? fact.values : undefined,
      cell: (row) => factCell(fact, row), key: (row) => fact.values[row], goal: () => null,
    };
  }

  goalCells(goal, columns) {
    return columns.map((column) => goalCell(goal, column));
  }
}
