// Which rows and columns of a large board are in sight, by where its region is scrolled to.

const SPARE_ROWS = 8;
const SPARE_PIXELS = 300;
const [RANK, NAME, TEXT, LEAST] = [120, 280, 200, 100];

// Columns of a large board have fixed widths: measuring all rows would take longer than drawing.
export function widths(columns) {
  return columns.map(({ id, isName, numeric, title }) => {
    if (isName) return NAME;
    if (id === "rank") return RANK;
    return Math.max(numeric ? LEAST : TEXT, Math.min(TEXT, 9 * title.length + 50));
  });
}

export class Sight {
  // The first `fixed` columns are always drawn: they hold names, and stay where they are.
  constructor(region, { rows, height, head, widths: all, fixed }) {
    Object.assign(this, { region, rows, height, head, all, fixed });
  }

  // [first row, row after the last, first column, column after the last]
  get range() {
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.region;
    const top = Math.max(0, scrollTop - this.head);
    const first = Math.min(Math.max(0, Math.floor(top / this.height) - SPARE_ROWS), Math.max(0, this.rows - 1));
    const last = Math.min(this.rows, first + Math.ceil(clientHeight / this.height) + 2 * SPARE_ROWS);
    return [first, last, ...this.#columns(scrollLeft - SPARE_PIXELS, scrollLeft + clientWidth + SPARE_PIXELS)];
  }

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
