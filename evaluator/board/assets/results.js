// One board's results, view.json, read once for a page, and what is said of its values.

const MAX_DECIMALS = 20;
const found = new Map();

// The same promise for everybody who asks for the same address.
export function load(address) {
  if (!found.has(address)) found.set(address, fetched(address));
  return found.get(address);
}

async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  const data = await answer.json();
  if (data.version !== 1) throw new Error(`view.json has version ${data.version}`);
  return new Results(data);
}

export class Results {
  constructor(data) {
    this.data = data;
    this.ids = data.rows.submission.map((name, row) => `${data.rows.participant[row]}/${name}`);
    this.places = new Map(this.ids.map((id, row) => [id, row]));
  }

  // Rows of the board; those that its rule leaves out follow them.
  get size() {
    return this.data.listed;
  }

  get several() {
    return this.data.tasks.length > 1;
  }

  // Columns that say something of one task.
  get taskColumns() {
    return this.data.columns.filter((column) => !column.over_tasks);
  }

  get primary() {
    return this.data.columns.find((column) => column.primary) ?? null;
  }

  row(id) {
    return this.places.get(id) ?? null;
  }

  rank(row) {
    return this.data.rows.rank[row];
  }

  title(row) {
    return this.data.rows.title[row];
  }

  participant(row) {
    return this.data.rows.participant[row];
  }

  overall(column, row) {
    return this.data.overall[column.key]?.[row] ?? null;
  }

  score(column, task, row) {
    return this.data.scores[column.key]?.[task]?.[row] ?? null;
  }

  deviation(column, task, row) {
    return this.data.deviations?.[column.key]?.[task]?.[row] ?? null;
  }

  // [state, actor, reason, message] of a cell that is not finished, else null.
  failure(task, row) {
    return this.data.failures?.[task]?.[row] ?? null;
  }

  // Whom a row is compared with by default: the leader; the leader with who comes next.
  rival(row) {
    const first = row === 0 ? 1 : 0;
    return first < this.ids.length ? first : null;
  }

  // "7. A title, by somebody"
  name(row) {
    const rank = this.rank(row);
    return `${rank === null ? "" : `${rank}. `}${this.title(row)}, by ${this.participant(row)}`;
  }
}

export function shown(value, precision) {
  if (value === null) return "–";
  return Math.abs(value) >= 1e15 ? value.toExponential(3) : value.toFixed(Math.min(precision, MAX_DECIMALS));
}

// Above 0 where the first is better, whichever way a column is read.
export function better(column, first, second) {
  if (first === null || second === null) return null;
  const sign = column.sorting === "asc" ? -1 : 1;
  return Math.sign(sign * (first - second));
}

export function signed(value, precision) {
  const text = shown(value, precision);
  return value > 0 ? `+${text}` : text.replace("-", "−");
}
