// @ts-check
// One board's results, read once for a page: view.json, and of the files of numbers those that are needed.
// No other module knows where these lie or how they are packed.

/** @import { ViewBlock, ViewColumn, ViewData, ViewNumbers } from "forms" */
/** @typedef {[state: string, actor: string, reason: string, message: string]} Failure */
/** @typedef {{ numbers: Float64Array, rows: number }} Block one number for each row, and how many were read */
/** @typedef {(file: string) => Promise<ArrayBuffer>} Ask gets the bytes of a file that lies beside view.json */
/** @typedef {(block: ViewBlock) => boolean} Wanted whether somebody needs this number of all rows */

const VERSION = 5;
const MIXED = new Error("the files are of different boards");
/** @type {Map<string, Promise<Results>>} by address of view.json */
const opened = new Map();
/** @type {Map<string, Promise<ArrayBuffer>>} by address */
const asked = new Map();

/**
 * @param {string} address of view.json
 * @param {Wanted | "first" | "none"} wanted without numbers there are ranks, names and states
 */
export async function load(address, wanted) {
  if (wanted === "first") void askFor(beside(address, "first.bin")); // with view.json, at once
  const results = opened.get(address) ?? open(address);
  opened.set(address, results);
  try {
    return await filled(results, wanted);
  } catch (error) {
    if (error !== MIXED) throw error;
    // The browser kept one of them from before the site changed.
    asked.clear();
    const anew = open(address, "reload");
    opened.set(address, anew);
    return filled(anew, wanted);
  }
}

/**
 * @param {string} address
 * @param {RequestCache} [cache]
 */
async function open(address, cache) {
  /** @type {unknown} */
  const data = await (await fetched(address, cache)).json();
  if (!isView(data)) throw new Error(`view.json is not of version ${VERSION}`);
  return new Results(data, (file) => askFor(beside(address, file), cache));
}

/**
 * @param {unknown} data
 * @returns {data is ViewData}
 */
function isView(data) {
  return typeof data === "object" && data !== null && "version" in data && data.version === VERSION;
}

/**
 * The same promise for everybody who asks for the same address.
 * @param {string} address
 * @param {RequestCache} [cache]
 */
function askFor(address, cache) {
  const bytes = asked.get(address) ?? fetched(address, cache).then((answer) => answer.arrayBuffer());
  asked.set(address, bytes);
  bytes.catch(() => {}); // who awaits it hears of it
  return bytes;
}

/**
 * @param {string} address
 * @param {RequestCache} cache
 */
async function fetched(address, cache = "default") {
  const answer = await fetch(address, { cache });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}

/**
 * @param {string} address
 * @param {string} file
 */
function beside(address, file) {
  return address.replace(/[^/]*$/, file);
}

/**
 * @param {Promise<Results>} promised
 * @param {Wanted | "first" | "none"} wanted
 */
async function filled(promised, wanted) {
  const results = await promised;
  if (wanted === "first") await results.read(results.data.numbers.slice(0, 1));
  else if (wanted !== "none") await results.read(results.lacking(wanted));
  return results;
}

/**
 * The numbers of a file: deflated, the lowest bytes of all of them first, then the next.
 * @param {ArrayBuffer} file
 * @param {number} count
 */
async function unpacked(file, count) {
  const stream = new Blob([file]).stream().pipeThrough(new DecompressionStream("deflate"));
  /** @type {ArrayBuffer} */
  const inflated = await new Response(stream).arrayBuffer().catch(() => new ArrayBuffer(0));
  const bytes = new Uint8Array(inflated);
  if (bytes.length !== 8 * count) throw MIXED;
  const numbers = new Uint8Array(bytes.length);
  for (let place = 0; place < 8; place += 1) {
    for (let index = 0; index < count; index += 1) numbers[8 * index + place] = bytes[place * count + index];
  }
  return new Float64Array(numbers.buffer); // no browser's machine is big-endian
}

export class Results {
  /** @type {Map<string, Block>} */
  #blocks = new Map();

  /**
   * @param {ViewData} data
   * @param {Ask} ask
   * @param {Results} [other] whose numbers these are, too
   */
  constructor(data, ask, other) {
    this.data = data;
    this.ask = ask;
    this.ids = data.rows.submission.map((name, row) => `${data.rows.participant[row]}/${name}`);
    this.places = new Map(this.ids.map((id, row) => [id, row]));
    if (other) this.#blocks = other.#blocks;
  }

  /**
   * Files to read for numbers of all rows that were not read yet.
   * @param {Wanted} wanted
   */
  lacking(wanted) {
    const all = this.ids.length;
    return this.data.numbers.filter(({ rows, columns }) => rows === all && columns.some((block) => (
      wanted(block) && this.#block(block).rows < all
    )));
  }

  /** @param {ViewNumbers[]} files */
  async read(files) {
    await Promise.all(files.map(async ({ file, stamp, rows, columns }) => {
      const numbers = await unpacked(await this.ask(file), 1 + columns.length * rows);
      if (numbers[0] !== stamp) throw MIXED;
      columns.forEach((about, place) => {
        const block = this.#block(about);
        block.numbers.set(numbers.subarray(1 + place * rows, 1 + (place + 1) * rows));
        block.rows = Math.max(block.rows, rows);
      });
    }));
  }

  /**
   * One number for each row; NaN for none, and until it is read.
   * @param {ViewBlock["of"]} of
   * @param {ViewBlock["column"]} column
   * @param {ViewBlock["task"]} task
   */
  numbers(of, column, task) {
    return this.#block({ of, column, task }).numbers;
  }

  /**
   * Whether the number of a row was read, if it has one.
   * @param {ViewBlock} about
   * @param {number} row
   */
  isRead(about, row) {
    return row < this.#block(about).rows;
  }

  /**
   * Range of all values of a number that was read of some rows alone.
   * @param {ViewBlock} about
   */
  range(about) {
    if (this.#block(about).rows >= this.ids.length) return undefined;
    const [{ columns }] = this.data.numbers;
    return columns.find(({ of, column, task }) => of === about.of && column === about.column && task === about.task)?.range;
  }

  /**
   * @param {ViewBlock} about
   * @returns {Block}
   */
  #block({ of, column, task }) {
    const name = `${of} ${task ?? "all"} ${column ?? ""}`;
    const block = this.#blocks.get(name) ?? { numbers: new Float64Array(this.ids.length).fill(NaN), rows: 0 };
    this.#blocks.set(name, block);
    return block;
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

  /** @param {string} id */
  row(id) {
    return this.places.get(id) ?? null;
  }

  /** @param {number} row */
  rank(row) {
    return this.data.rows.rank[row];
  }

  /** @param {number} row */
  title(row) {
    return this.data.rows.title[row];
  }

  /** @param {number} row */
  participant(row) {
    return this.data.rows.participant[row];
  }

  /**
   * Of a question of the fact sheet; empty for none.
   * @param {string} question
   * @param {number} row
   */
  answer(question, row) {
    return this.data.sheet[question]?.[row] ?? "";
  }

  /**
   * @param {ViewColumn} column
   * @param {number} row
   */
  overall(column, row) {
    return number(this.numbers("overall", column.key, null)[row]);
  }

  /**
   * @param {ViewColumn} column
   * @param {number} task
   * @param {number} row
   */
  score(column, task, row) {
    return number(this.numbers("scores", column.key, task)[row]);
  }

  /**
   * @param {ViewColumn} column
   * @param {number} task
   * @param {number} row
   */
  deviation(column, task, row) {
    return number(this.numbers("deviations", column.key, task)[row]);
  }

  /**
   * Of predictions; null is the mean of tasks.
   * @param {number | null} task
   * @param {number} row
   */
  seconds(task, row) {
    return number((task === null ? this.numbers("resource", "time", null) : this.numbers("seconds", null, task))[row]);
  }

  /**
   * @param {number} task
   * @param {number} row
   */
  memory(task, row) {
    return number(this.numbers("memory", null, task)[row]);
  }

  /**
   * Of a cell that is not finished, else null.
   * @param {number} task
   * @param {number} row
   * @returns {Failure | null}
   */
  failure(task, row) {
    const place = this.data.failures[task]?.[row];
    return place === undefined ? null : this.data.reasons[place];
  }

  /**
   * "7. A title, by somebody"
   * @param {number} row
   */
  name(row) {
    const rank = this.rank(row);
    return `${rank === null ? "" : `${rank}. `}${this.title(row)}, by ${this.participant(row)}`;
  }
}

/**
 * A number of a column, or null where it has none.
 * @param {number} value
 */
export function number(value) {
  return Number.isNaN(value) ? null : value;
}
