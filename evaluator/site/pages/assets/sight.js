// @ts-check
// Which rows and columns of a large board are in sight, by where its region is scrolled to.

/** @import { Column } from "./model.js" */

/**
 * @typedef {object} Measures
 * @property {number} rows how many there are
 * @property {number} height of a row
 * @property {number} head height of the head
 * @property {number[]} widths of all columns
 * @property {number} fixed so many first columns are always drawn: they hold names, and stay where they are
 */

/** @typedef {[firstRow: number, afterRow: number, firstColumn: number, afterColumn: number]} Range */

const SPARE_ROWS = 4;
const SPARE_PIXELS = 100;
// Of a page of A4 or Letter between its margins.
const PAPER = 660;
const [TEXT, LEAST] = [200, 100];

/**
 * Columns of a large board have fixed widths: measuring all rows would take longer than drawing.
 * @param {Column[]} columns
 */
export function widths(columns) {
  const [ranks, names, bars] = innerWidth < 700 ? [48, 144, 148] : [60, Math.min(Math.max(240, innerWidth / 5), 320), 240];
  return columns.map(({ id, isName, numeric, title, isMain }, place) => {
    if (isName) return names;
    if (!place && (id === "rank" || id === "yours")) return ranks;
    if (isMain) return bars;
    return Math.max(numeric ? LEAST : TEXT, Math.min(TEXT, 9 * title.length + 50));
  });
}

/**
 * Columns as they fit on paper: each part begins with those that hold names.
 * @param {Column[]} columns
 * @param {number[]} sizes their widths
 * @param {number} names how many hold names
 */
export function partsOf(columns, sizes, names) {
  const left = sizes.slice(0, names).reduce((sum, width) => sum + width, 0);
  /** @type {Column[][]} */
  const parts = [];
  let free = 0;
  for (let place = names; place < columns.length; place += 1) {
    if (!parts.length || sizes[place] > free) {
      parts.push(columns.slice(0, names));
      free = PAPER - left;
    }
    parts[parts.length - 1].push(columns[place]);
    free -= sizes[place];
  }
  return parts.length ? parts : [columns];
}

export class Sight {
  /**
   * @param {HTMLElement} region
   * @param {Measures} measures
   */
  constructor(region, { rows, height, head, widths: all, fixed }) {
    this.region = region;
    this.rows = rows;
    this.height = height;
    this.head = head;
    this.all = all;
    this.fixed = fixed;
  }

  /** @returns {Range} */
  get range() {
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.region;
    const top = Math.max(0, scrollTop - this.head);
    const first = Math.min(Math.max(0, Math.floor(top / this.height) - SPARE_ROWS), Math.max(0, this.rows - 1));
    const last = Math.min(this.rows, first + Math.ceil(clientHeight / this.height) + 2 * SPARE_ROWS);
    const covered = this.all.slice(0, this.fixed).reduce((sum, width) => sum + width, 0);
    return [first, last, ...this.#columns(scrollLeft + covered - SPARE_PIXELS, scrollLeft + clientWidth + SPARE_PIXELS)];
  }

  /**
   * @param {number} from
   * @param {number} to
   * @returns {[number, number]}
   */
  #columns(from, to) {
    let left = 0;
    let [first, last] = [this.fixed, this.all.length];
    for (const [place, width] of this.all.entries()) {
      if (place >= this.fixed) {
        if (left + width < from) first = place + 1;
        if (left > to) {
          last = place;
          break;
        }
      }
      left += width;
    }
    return [Math.min(first, last), last];
  }
}
