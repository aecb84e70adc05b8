// One board of the page: draws what the reader chose. Of many rows only those in sight are elements.
import { arrange } from "./arrangement.js";
import { drawCell, span } from "./cell_dom.js";
import { readersColumns } from "./choice.js";
import { shades } from "./heat.js";

const MANY = 150;
const SPARE = 12;
export const MOST_COMPARED = 5;

export class Grid {
  #items = [];
  #columns = [];
  #shades = new Map();
  #height = 0;
  #drawn = "";
  picked = new Set();

  // `changed` is called with what the reader asks of the view, by name.
  constructor(region, model, { changed, picked }) {
    this.region = region;
    this.model = model;
    this.table = region.querySelector("table");
    this.up = region.dataset.up;
    this.changed = changed;
    region.addEventListener("scroll", () => this.#scroll(), { passive: true });
    addEventListener("resize", () => this.#scroll());
    this.table.addEventListener("change", ({ target }) => {
      if (!target.matches(".pick")) return;
      this.picked[target.checked ? "add" : "delete"](Number(target.value));
      this.#drawn = "";
      this.#draw();
      this.table.querySelector(`.pick[value="${target.value}"]`)?.focus();
      picked(this);
    });
  }

  show(choice, title) {
    this.choice = choice;
    this.groupTitle = title;
    const model = this.model;
    const first = arrange(model, model.columns, { ...choice, sort: "rank", order: "", group: null }).rows;
    const extra = readersColumns(model, choice, first);
    const known = new Set(choice.hide);
    const all = [model.columns[0], ...extra, ...model.columns.slice(1)];
    this.#columns = all.filter(({ id, group, metric }) =>
      id === "submission" || !(known.has(id) || known.has(group) || known.has(`metric.${metric}`)));
    // A ranking of the reader's own is what rows are sorted by, unless he says otherwise.
    const sort = choice.sort || (extra.length ? extra[0].id : "rank");
    const found = arrange(model, all, { ...choice, sort });
    this.#items = found.items;
    this.rows = found.rows;
    this.sort = sort;
    this.#shades = new Map(choice.heat
      ? this.#columns.filter(({ values }) => values).map((column) => [column, shades(column, found.rows)])
      : []);
    this.#drawHead(all.find(({ id }) => id === sort));
    this.#drawn = "";
    const many = this.#items.length > MANY;
    this.table.classList.toggle("many", many);
    this.table.setAttribute("aria-rowcount", many ? this.#items.length : -1);
    if (many && !this.#height) this.#measure();
    this.#draw();
    return { shown: found.rows.length, all: model.data.listed, groups: found.groups };
  }

  #drawHead(sorted) {
    const head = document.createElement("thead");
    const bands = [];
    if (this.model.several) bands.push(this.#band((column) => this.#groupName(column)));
    if (this.#columns.some(({ band }) => band)) bands.push(this.#band(({ group, band }) => (band ? { key: `${group} ${band}`, text: band } : null)));
    const names = document.createElement("tr");
    for (const column of this.#columns) names.append(this.#name(column, column === sorted));
    head.append(...bands, names);
    const focused = this.table.tHead.contains(document.activeElement)
      ? document.activeElement.closest("th")?.dataset.column : undefined;
    this.table.tHead.replaceWith(head);
    if (focused !== undefined) {
      Array.from(names.cells).find(({ dataset }) => dataset.column === focused)?.querySelector("button").focus();
    }
  }

  #groupName({ group }) {
    const { data } = this.model;
    const sets = data.noun === "data set";
    if (group === "overall") return { key: group, text: sets ? "All methods" : "All tasks" };
    if (group === "sheet") return { key: group, text: sets ? "Datasheet" : "Fact sheet" };
    if (group === "yours") return { key: group, text: "Your ranking" };
    const task = data.tasks.find(({ slug }) => group === `task.${slug}`);
    return task ? { key: group, text: task.name, title: task.retired, mark: task.retired && "retired" } : null;
  }

  // A row of headings over neighbouring columns.
  #band(nameOf) {
    const made = document.createElement("tr");
    let last = null;
    for (const column of this.#columns) {
      const found = nameOf(column);
      const key = found?.key ?? "";
      if (last !== null && last.key === key) {
        last.cell.colSpan += 1;
        continue;
      }
      const cell = document.createElement("th");
      cell.colSpan = 1;
      if (found) {
        cell.scope = "colgroup";
        cell.append(found.text);
        if (found.title) cell.title = found.title;
        if (found.mark) cell.append(" ", span("reported", found.mark));
      }
      made.append(cell);
      last = { key, cell };
    }
    return made;
  }

  #name(column, isSorted) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.dataset.sort = column.sorting;
    cell.dataset.column = column.id;
    if (column.numeric) cell.className = "num";
    const order = this.choice.order || column.sorting;
    if (isSorted) cell.setAttribute("aria-sort", order === "asc" ? "ascending" : "descending");
    const button = document.createElement("button");
    button.type = "button";
    button.append(column.title);
    button.addEventListener("click", () => {
      const turned = isSorted ? (order === "asc" ? "desc" : "asc") : column.sorting;
      this.changed({ sort: column.id === "rank" && turned === "asc" ? "" : column.id, order: turned === column.sorting ? "" : turned });
    });
    cell.append(button);
    return cell;
  }

  #measure() {
    this.#fill(this.#items.slice(0, 1), 0, 0);
    this.#height = this.table.tBodies[0].rows[0]?.getBoundingClientRect().height || 36;
  }

  #scroll() {
    if (this.#items.length > MANY) requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    const items = this.#items;
    if (items.length <= MANY) return this.#fill(items, 0, 0);
    const top = Math.max(0, this.region.scrollTop - this.table.tHead.offsetHeight);
    const first = Math.max(0, Math.floor(top / this.#height) - SPARE);
    const last = Math.min(items.length, first + Math.ceil(this.region.clientHeight / this.#height) + 2 * SPARE);
    const drawn = `${first} ${last}`;
    if (drawn === this.#drawn) return undefined;
    this.#drawn = drawn;
    return this.#fill(items.slice(first, last), first * this.#height, (items.length - last) * this.#height, first);
  }

  #fill(items, above, below, first = 0) {
    const full = this.picked.size >= MOST_COMPARED;
    const compare = this.model.size > 1 ? { picked: this.picked, full } : null;
    const made = items.map((item, place) => this.#row(item, compare, first + place));
    if (this.sort === "rank" && !this.choice.order) this.#separate(items, made);
    if (!this.rows.length) made.unshift(this.#nothing());
    const space = (height) => {
      if (!height) return [];
      const row = document.createElement("tr");
      row.className = "space";
      row.setAttribute("aria-hidden", "true");
      row.style.height = `${height}px`;
      return [row];
    };
    const body = document.createElement("tbody");
    body.append(...space(above), ...made, ...space(below));
    Array.from(this.table.tBodies).slice(1).forEach((one) => one.remove());
    this.table.tBodies[0].replaceWith(body);
  }

  #row(item, compare, place) {
    const made = document.createElement("tr");
    made.setAttribute("aria-rowindex", place + 1);
    if (typeof item === "number") {
      if (this.model.aside.has(item)) made.className = "unapproved";
      for (const column of this.#columns) {
        const cell = drawCell(column.cell(item), { up: this.up, compare });
        const shade = this.#shades.get(column)?.(column.values[item]);
        if (shade) cell.classList.add(shade);
        made.append(cell);
      }
    } else if (item.label !== undefined) {
      made.className = "goal";
      made.append(...this.model.goalCells(item, this.#columns).map((cell) => drawCell(cell, { up: this.up })));
    } else {
      made.className = "group";
      made.append(this.#groupHeading(item));
    }
    return made;
  }

  // A line where a group of ranks ends that nothing separates.
  #separate(items, made) {
    const groupOf = (item) => (typeof item === "number" ? this.model.data.intervals[item]?.[2] : undefined);
    for (let place = 1; place < items.length; place += 1) {
      const [above, here] = [groupOf(items[place - 1]), groupOf(items[place])];
      if (above !== undefined && here !== undefined && above !== here) made[place].classList.add("apart");
    }
  }

  #groupHeading({ answer, count }) {
    const cell = document.createElement("th");
    cell.scope = "rowgroup";
    cell.colSpan = this.#columns.length;
    const label = document.createElement("span");
    const value = document.createElement("bdi");
    value.textContent = answer || "not answered";
    label.append(span("who", `${this.groupTitle}: `), value, span("who", ` ${count} row${count === 1 ? "" : "s"}`));
    cell.append(label);
    return cell;
  }

  #nothing() {
    const row = document.createElement("tr");
    const cell = row.insertCell();
    cell.colSpan = this.#columns.length;
    cell.textContent = this.model.size ? "No row fits what is asked for." : "No submissions yet.";
    return row;
  }
}

