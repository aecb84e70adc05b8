// @ts-check
// One board of the page: draws what the reader chose. Of many rows only those in sight are elements.
import { arrange, chosenRows } from "./arrangement.js";
import { drawBar, drawCell } from "./cell_dom.js";
import { readersColumns } from "./choice.js";
import { all, headOf, node, one } from "./elements.js";
import { groupHeading } from "./groups.js";
import { drawHead, lastHead, sortText } from "./heads.js";
import { Scale } from "./heat.js";
import { WAITING } from "./model.js";
import { partsOf, Sight, widths } from "./sight.js";
import { NOTHING } from "./view.js";

/** @import { Comparing } from "./cell_dom.js" */
/** @import { Group, Item } from "./arrangement.js" */
/** @import { ViewNumbers } from "forms" */
/** @import { Column, Model } from "./model.js" */
/** @import { Choice } from "./view.js" */

const MANY = 150;
const FEW = 40;
// Of more rows than few, as many cells as can be drawn without a reader's notice.
const MOST_CELLS = 2000;
const NOTES = { "": "", loading: "loading numbers …", failed: "some numbers could not be loaded, load the page again" };
// Some fifty pages of paper.
const MOST_PRINTED = 30000;
export const MOST_COMPARED = 5;

export class Grid {
  /** @type {Item[]} */
  #items = [];
  /** @type {Column[]} */
  #columns = [];
  /** @type {Map<Column, Scale>} */
  #scales = new Map();
  #height = 0;
  /** @type {Map<string, HTMLTableRowElement>} */
  #lines = new Map(); // those that are drawn, by place and columns
  #isMany = false;
  /** @type {Sight | null} */
  #sight = null; // of many rows, once they are drawn
  #waits = false;
  #isWaiting = false; // for numbers of a row that was drawn
  #isUnrolled = false;
  /** @type {Set<number>} */
  picked = new Set();
  /** @type {Choice} */
  #choice = NOTHING;
  #title = "";
  #sort = "rank";
  #count = 0;
  /** @type {"" | "loading" | "failed"} */
  #numbers = "";

  /**
   * @param {HTMLElement} region
   * @param {Model} model
   * @param {object} events
   * @param {(wanted: Record<string, string>) => void} events.changed what the reader asks of the view, by name
   * @param {() => void} events.picked
   * @param {() => void} events.filled there are more numbers to show
   */
  constructor(region, model, { changed, picked, filled }) {
    this.region = region;
    this.model = model;
    this.table = one(region, "table", HTMLTableElement);
    this.up = region.dataset.up ?? "";
    this.changed = changed;
    this.filled = filled;
    region.addEventListener("scroll", () => this.#scroll(), { passive: true });
    addEventListener("resize", () => this.#scroll());
    this.table.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement) || !target.matches(".pick")) return;
      this.picked[target.checked ? "add" : "delete"](Number(target.value));
      this.#lines.clear();
      this.#draw();
      all(this.table, `.pick[value="${target.value}"]`, HTMLInputElement)[0]?.focus();
      picked();
    });
  }

  /**
   * @param {Choice} asked
   * @param {string} title of the question that groups are made by
   */
  show(asked, title) {
    const model = this.model;
    // Until the numbers are there, rows stand as the board has them.
    const late = model.lacking(model.needed(asked));
    const choice = late.length ? { ...NOTHING, hide: asked.hide, add: asked.add } : asked;
    this.#choice = choice;
    this.#title = title;
    const rows = chosenRows(model, choice);
    const extra = readersColumns(model, choice, rows);
    const [rank, name, ...others] = model.columns;
    // A ranking that the reader made comes first; then the ranks of the board.
    const columns = extra.length ? [extra[0], name, ...extra.slice(1), rank, ...others] : model.columns;
    this.#columns = columns.filter((column) => isShown(column, choice));
    // A ranking that the reader made is what rows are sorted by, unless they say otherwise.
    const sort = choice.sort || (extra.length ? extra[0].id : "rank");
    const { items, groups } = arrange(model, rows, columns, { ...choice, sort });
    this.#items = items;
    this.#count = rows.length;
    this.#sort = sort;
    this.#scales.clear();
    this.#head();
    this.#lines.clear();
    const { length } = items;
    const many = length > MANY || (length > FEW && length * this.#columns.length > MOST_CELLS);
    this.#isMany = many;
    this.table.classList.toggle("many", many);
    this.table.setAttribute("aria-rowcount", String(many ? length : -1));
    this.#widths(many);
    if (many && !this.#height) this.#measure();
    this.#sight = null;
    if (many) requestAnimationFrame(() => this.#draw()); // what came before it may have taken long
    else this.#draw();
    this.#scroll(); // once there are rows, the region may show more of them than before
    void this.#read(late);
    const by = columns.find(({ id }) => id === choice.sort || (choice.order && id === sort));
    const conclusion = choice.sort && by ? model.conclusion(by) : "";
    // What is concluded from the board's own ranks says nothing of a ranking that the reader made.
    const leader = extra.length ? model.leader(extra[0]) : "";
    const note = late.length || this.#numbers === "failed" ? NOTES[this.#numbers] : "";
    return { shown: rows.length, all: model.size, groups, conclusion: conclusion || leader, note, sorted: by ? sortText(model, by, choice.order) : "" };
  }

  get view() {
    return { model: this.model, columns: this.#columns, items: this.#items, title: this.#title };
  }

  /**
   * Reads numbers behind what is shown already.
   * @param {ViewNumbers[]} files
   */
  async #read(files) {
    if (!files.length || this.#numbers) return;
    this.#numbers = "loading";
    this.#numbers = await this.model.read(files).then(() => "", () => "failed");
    this.filled();
  }

  // Reads the other rows' numbers once a reader sees some of them.
  #readRest() {
    const shown = new Set(this.#columns.map(({ metric }) => metric));
    void this.#read(this.model.lacking(({ column, task }) => column !== null && (task === null || shown.has(column))));
  }

  // Draws all rows, or as many as one would print, and columns in tables as wide as paper, one below
  // the other; `rollUp` draws what is in sight again.
  unroll() {
    if (this.#isUnrolled) return;
    const most = Math.min(Math.ceil(MOST_PRINTED / this.#columns.length), this.#readRows());
    const items = this.#items.slice(0, most);
    this.#sight = null;
    this.#isMany = false;
    this.#isUnrolled = true;
    this.table.classList.remove("many");
    this.table.classList.add("paper");
    this.#widths(false);
    this.#drawWhole(items);
    const names = this.#columns.findIndex(({ isName }) => isName) + 1;
    const parts = partsOf(this.#columns, Array.from(lastHead(this.table).cells, (cell) => cell.offsetWidth), names);
    const copies = parts.slice(1).map((columns) => this.#copy(items, columns));
    if (parts.length > 1) {
      this.#columns = parts[0];
      this.#drawWhole(items);
    }
    this.table.after(...copies);
  }

  // Nothing can be read while a page is printed.
  #readRows() {
    const { model } = this;
    const place = this.#items.findIndex((item) => typeof item === "number" && this.#columns.some(({ block }) => (
      block && !model.isRead(block, item)
    )));
    return place < 0 ? this.#items.length : place;
  }

  /**
   * @param {Item[]} items
   * @param {Column[]} columns
   */
  #copy(items, columns) {
    this.#columns = columns;
    this.#drawWhole(items);
    const copy = /** @type {HTMLTableElement} */ (this.table.cloneNode(true));
    copy.classList.add("copy");
    return copy;
  }

  /** @param {Item[]} items */
  #drawWhole(items) {
    this.#head();
    this.#lines.clear();
    this.#fill(items, 0, 0);
    const { length } = this.#items;
    if (items.length < length) this.table.tBodies[0].append(this.#only(`The first ${items.length} of ${length} rows.`));
  }

  #head() {
    const { order } = this.#choice;
    drawHead(this.table, this.model, this.#columns, { sort: this.#sort, order, changed: this.changed });
  }

  rollUp() {
    if (!this.#isUnrolled) return;
    this.#isUnrolled = false;
    this.table.classList.remove("paper");
    all(this.region, "table.copy", HTMLTableElement).forEach((copy) => copy.remove());
    // In the next frame, in which the page has the size of the screen again.
    requestAnimationFrame(() => this.show(this.#choice, this.#title));
  }

  /** @param {boolean} many */
  #widths(many) {
    this.table.querySelector("colgroup")?.remove();
    this.table.style.width = "";
    if (!many) return;
    const group = document.createElement("colgroup");
    const each = widths(this.#columns);
    for (const width of each) {
      const column = document.createElement("col");
      column.style.width = `${width}px`;
      group.append(column);
    }
    this.table.prepend(group);
    this.table.style.width = `${each.reduce((sum, width) => sum + width, 0)}px`;
  }

  #measure() {
    this.#fill(this.#items.slice(0, 2), 0, 0); // the first may be the heading of a group
    this.#height = [...this.table.tBodies[0].rows].at(-1)?.getBoundingClientRect().height || 36;
  }

  #look() {
    return new Sight(this.region, {
      rows: this.#items.length, height: this.#height, head: headOf(this.table).offsetHeight,
      widths: widths(this.#columns), fixed: this.#columns.findIndex(({ isName }) => isName) + 1,
    });
  }

  // Drawn once for each frame, however often the region says that it moved.
  #scroll() {
    if (!this.#isMany || this.#waits) return;
    this.#waits = true;
    requestAnimationFrame(() => {
      this.#waits = false;
      this.#draw();
    });
  }

  #draw() {
    const items = this.#items;
    if (!this.#isMany) {
      this.#fill(items, 0, 0);
      return;
    }
    this.#sight ??= this.#look();
    const [first, last, from, to] = this.#sight.range;
    this.#fill(items.slice(first, last), first * this.#height, (items.length - last) * this.#height, first, [from, to]);
  }

  /**
   * Rows that were drawn before stay where they are.
   * @param {Item[]} items
   * @param {number} above height of the rows that are not drawn
   * @param {number} below
   * @param {number} first place of the first of the items among all
   * @param {[from: number, to: number]} columns
   */
  #fill(items, above, below, first = 0, columns = [0, this.#columns.length]) {
    const full = this.picked.size >= MOST_COMPARED;
    const compare = this.model.ids.length > 1 ? { picked: this.picked, full } : null;
    const keys = items.map((_, place) => `${first + place} ${columns.join(" ")}`);
    const lines = items.map((item, place) => this.#lines.get(keys[place]) ?? this.#row(item, compare, first + place, columns));
    this.#lines = new Map(lines.map((line, place) => [keys[place], line]));
    if (this.#sort === "rank" && !this.#choice.order) this.#separate(items, lines);
    if (!this.#count) {
      lines.unshift(this.#only(this.model.ids.length ? "No row fits what is asked for." : "No submissions yet."));
    }
    /** @param {number} height */
    const space = (height) => {
      if (!height) return [];
      const row = document.createElement("tr");
      row.className = "space";
      row.setAttribute("aria-hidden", "true");
      row.style.height = `${height}px`;
      return [row];
    };
    const [body, ...others] = this.table.tBodies;
    others.forEach((other) => other.remove());
    const kept = new Set(lines);
    for (const row of Array.from(body.rows)) if (!kept.has(row)) row.remove();
    let next = body.firstChild;
    for (const row of [...space(above), ...lines, ...space(below)]) {
      if (row === next) next = next.nextSibling;
      else body.insertBefore(row, next);
    }
    if (this.#isWaiting) this.#readRest();
    this.#isWaiting = false;
  }

  /**
   * @param {Item} item
   * @param {Comparing | null} compare
   * @param {number} place
   * @param {[from: number, to: number]} columns
   */
  #row(item, compare, place, columns) {
    const line = document.createElement("tr");
    line.setAttribute("aria-rowindex", String(place + 1));
    if (typeof item === "number") {
      if (this.model.aside.has(item)) line.className = "unapproved";
      else if (this.model.isBaseline(item)) line.className = "baseline";
      line.append(...this.#cells(item, compare, columns));
    } else if ("label" in item) {
      line.className = "goal";
      line.append(...this.model.goalCells(item, this.#columns).map((cell, index) => {
        const drawn = drawCell(cell, { up: this.up });
        if (this.#columns[index].isMain && cell.value !== undefined) drawn.classList.add("main");
        return drawn;
      }));
    } else {
      line.className = "group";
      line.append(this.#groupHeading(item));
    }
    return line;
  }

  /**
   * Cells of the columns in sight; one wide cell stands for those at either side.
   * @param {number} row
   * @param {Comparing | null} compare
   * @param {[from: number, to: number]} columns
   */
  #cells(row, compare, [from, to]) {
    const fixed = this.#sight ? this.#sight.fixed : 0;
    /** @param {Column} column */
    const draw = (column) => {
      const about = column.cell(row);
      if (about === WAITING) this.#isWaiting = true;
      const cell = drawCell(about, { up: this.up, compare });
      this.#decorate(cell, column, row);
      return cell;
    };
    /** @param {number} count */
    const gap = (count) => (count > 0 ? [node("td", { colSpan: count })] : []);
    return [
      ...this.#columns.slice(0, fixed).map(draw), ...gap(from - fixed),
      ...this.#columns.slice(Math.max(from, fixed), to).map(draw), ...gap(this.#columns.length - to),
    ];
  }

  /**
   * Shades a value, or draws its bar.
   * @param {HTMLElement} cell
   * @param {Column} column
   * @param {number} row
   */
  #decorate(cell, column, row) {
    const value = column.values?.[row] ?? NaN;
    if (!(column.isMain || column.isShaded) || typeof value !== "number" || Number.isNaN(value)) return;
    let scale = this.#scales.get(column);
    if (!scale) {
      const range = column.block && this.model.range(column.block);
      scale = new Scale(Array.from(column.values ?? []).slice(0, this.model.data.listed), column.sorting, range);
      this.#scales.set(column, scale);
    }
    const shade = column.isShaded && scale.shade(value);
    if (shade) cell.classList.add(shade);
    if (!column.isMain) return;
    const isOfBoard = column.group !== "yours";
    const margin = isOfBoard ? this.model.data.intervals[row]?.[3] ?? null : null;
    cell.classList.add("main");
    cell.prepend(drawBar(scale.bar(value, margin, isOfBoard && this.model.hasMargins)));
  }

  /**
   * A line where a group of ranks ends that nothing separates.
   * @param {Item[]} items
   * @param {HTMLTableRowElement[]} lines
   */
  #separate(items, lines) {
    /** @param {Item} item */
    const groupOf = (item) => (typeof item === "number" ? this.model.data.intervals[item]?.[2] : undefined);
    for (let place = 1; place < items.length; place += 1) {
      const [above, here] = [groupOf(items[place - 1]), groupOf(items[place])];
      if (above !== undefined && here !== undefined && above !== here) lines[place].classList.add("apart");
    }
  }

  /** @param {Group} group */
  #groupHeading({ answer, count }) {
    const cell = node("th", { scope: "rowgroup", colSpan: this.#columns.length });
    cell.append(groupHeading(this.#title, answer, count));
    return cell;
  }

  /**
   * A row that says something of all of them.
   * @param {string} text
   */
  #only(text) {
    const row = document.createElement("tr");
    const cell = row.insertCell();
    cell.colSpan = this.#columns.length;
    cell.textContent = text;
    return row;
  }
}

/**
 * @param {Column} column
 * @param {Choice} choice
 */
function isShown({ id, group, metric, each, added, isName }, { hide, add, sort }) {
  if (isName) return true;
  const names = [id, group, `metric.${metric ?? ""}`, each ?? ""];
  return !names.some((name) => hide.includes(name)) && (!added || add.includes(added) || sort === id);
}
