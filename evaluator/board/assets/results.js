// One board's results, read once for a page: view.json, and the files of numbers that the page needs.

const VERSION = 2;
const MAX_DECIMALS = 20;
const MIXED = new Error("the files are of different boards");
const found = new Map();
const asked = new Map();

// `files` are of "scores" and "usage"; without them there are ranks, names and states.
export async function load(address, ...files) {
  files.forEach((name) => ask(beside(address, `${name}.bin`), "arrayBuffer")); // beside view.json, at once
  if (!found.has(address)) found.set(address, open(address));
  try {
    return await filled(found.get(address), files);
  } catch (error) {
    if (error !== MIXED) throw error;
    // The browser kept one of them from before the site changed.
    asked.clear();
    found.set(address, open(address, "reload"));
    return filled(found.get(address), files);
  }
}

async function open(address, cache) {
  const data = await ask(address, "json", cache);
  if (data.version !== VERSION) throw new Error(`view.json has version ${data.version}`);
  return new Results(data, (file) => ask(beside(address, file), "arrayBuffer", cache));
}

// The same promise for everybody who asks for the same address.
function ask(address, form, cache = "default") {
  if (!asked.has(address)) asked.set(address, fetched(address, cache).then((answer) => answer[form]()));
  asked.get(address).catch(() => {}); // who awaits it is told
  return asked.get(address);
}

async function fetched(address, cache) {
  const answer = await fetch(address, { cache });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}

function beside(address, file) {
  return address.replace(/[^/]*$/, file);
}

async function filled(opened, files) {
  const results = await opened;
  await Promise.all(files.map((name) => results.read(name)));
  return results;
}

export class Results {
  #read = new Map();

  // `ask` gets the bytes of a file that lies beside view.json.
  constructor(data, ask) {
    this.data = data;
    this.ask = ask;
    this.ids = data.rows.submission.map((name, row) => `${data.rows.participant[row]}/${name}`);
    this.places = new Map(this.ids.map((id, row) => [id, row]));
  }

  read(name) {
    if (!this.#read.has(name)) this.#read.set(name, this.#fill(this.data.numbers[name]));
    return this.#read.get(name);
  }

  // Puts columns of numbers into the data; NaN stands for none.
  async #fill({ file, stamp, columns }) {
    const bytes = await this.ask(file);
    const rows = this.ids.length;
    if (bytes.byteLength !== 8 * (1 + columns.length * rows)) throw MIXED;
    const numbers = new Float64Array(bytes); // as the file has them: no browser's machine is big-endian
    if (numbers[0] !== stamp) throw MIXED;
    columns.forEach(({ of, column, task }, place) => {
      let within = this.data;
      const path = [of, column, task].filter((part) => part !== null);
      const last = path.pop();
      // Without prototypes, for columns may be called "__proto__".
      for (const part of path) within = within[part] ??= Object.create(null);
      within[last] = numbers.subarray(1 + place * rows, 1 + (place + 1) * rows);
    });
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
    return number(this.data.overall?.[column.key]?.[row]);
  }

  score(column, task, row) {
    return number(this.data.scores?.[column.key]?.[task]?.[row]);
  }

  deviation(column, task, row) {
    return number(this.data.deviations?.[column.key]?.[task]?.[row]);
  }

  seconds(task, row) {
    return number(this.data.seconds?.[task][row]);
  }

  memory(task, row) {
    return number(this.data.memory?.[task][row]);
  }

  // [state, actor, reason, message] of a cell that is not finished, else null.
  failure(task, row) {
    return this.data.reasons[this.data.failures[task]?.[row]] ?? null;
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

// A number of a column, or null where it has none.
export function number(value) {
  return Number.isNaN(value) ? null : value ?? null;
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
