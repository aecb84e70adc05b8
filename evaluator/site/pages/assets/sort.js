// @ts-check
// Sorts tables by a click on a column's head. Without JavaScript tables are in rank order.
// A value is data-value where there is one, else the text; empty and failed cells stay last.
// All rows of a table are sorted together; what arranges them in groups hears "sorted" and does so.
(function () {
  "use strict";

  /**
   * @param {HTMLTableRowElement} row
   * @param {number} column
   * @returns {number | string | null}
   */
  function value(row, column) {
    const cell = row.cells[column];
    if (cell === undefined) return null;
    const raw = cell.dataset.value;
    if (raw !== undefined) return raw === "" ? null : Number(raw);
    return cell.classList.contains("state") && !cell.matches(":only-of-type")
      ? (row.closest("table")?.querySelector("[data-value]") ? null : cell.textContent.trim())
      : cell.textContent.trim();
  }

  /**
   * @param {HTMLTableElement} table
   * @param {number} column
   * @param {"ascending" | "descending"} direction
   */
  function sort(table, column, direction) {
    const body = table.tBodies[0];
    const sign = direction === "ascending" ? 1 : -1;
    /** @type {NodeListOf<HTMLTableRowElement>} */
    const all = table.querySelectorAll(":scope > tbody > tr:not(.group)");
    const rows = Array.from(all, (row, index) => ({ row, index, key: value(row, column) }));
    rows.sort((a, b) => {
      if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null) || a.index - b.index;
      const order = typeof a.key === "number" && typeof b.key === "number"
        ? a.key - b.key
        : String(a.key).localeCompare(String(b.key));
      return sign * order || a.index - b.index;
    });
    body.append(...rows.map((entry) => entry.row));
    table.dispatchEvent(new Event("sorted"));
  }

  /** @param {HTMLTableElement} table */
  function enhance(table) {
    const lines = table.tHead?.rows;
    if (!lines?.length) return;
    const heads = lines[lines.length - 1].cells;
    if (Array.from(heads).some((head) => head.querySelector("button"))) return; // board.js was first
    Array.from(heads).forEach((head, column) => {
      const first = head.dataset.sort;
      if (!first) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const initial = first === "asc" ? "ascending" : "descending";
        const now = head.getAttribute("aria-sort");
        const next = now === null ? initial : now === "ascending" ? "descending" : "ascending";
        Array.from(heads).forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", next);
        sort(table, column, next);
      });
    });
  }

  /** @type {NodeListOf<HTMLTableElement>} */
  const tables = document.querySelectorAll("table[data-sortable]");
  tables.forEach(enhance);
})();
