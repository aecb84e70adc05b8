// Puts the rows of a table into groups by one answer, each below a heading with its count.
// Rows keep their order, so the group of the first row stands first; ranks stay what they are.
import { answersOf, isChosenFrom } from "./rows.js";

const NONE = "not answered";

// Returns how many groups are shown; `title` is the question, `name` null for no groups.
export function arrange(table, order, name, title) {
  const former = table.querySelectorAll(":scope > tbody.group");
  if (name === null && !former.length) return 0;
  const first = table.tBodies[0];
  first.append(...(name === null ? order : order.filter((row) => !isChosenFrom(row))));
  const bodies = name === null ? [] : grouped(table, order.filter(isChosenFrom), name, title);
  first.after(...bodies);
  former.forEach((one) => one.remove());
  return bodies.filter((one) => !one.hidden).length;
}

function grouped(table, rows, name, title) {
  const groups = new Map();
  for (const row of rows) {
    const answer = answersOf(row).get(name) ?? "";
    if (!groups.has(answer)) groups.set(answer, []);
    groups.get(answer).push(row);
  }
  const unanswered = groups.get("");
  if (groups.delete("")) groups.set("", unanswered);
  return Array.from(groups, ([answer, members]) => body(table, title, answer || NONE, members));
}

function body(table, title, answer, rows) {
  const shown = rows.filter((row) => !row.hidden).length;
  const made = document.createElement("tbody");
  made.className = "group";
  made.hidden = shown === 0;
  const heading = made.insertRow();
  heading.className = "group";
  const cell = document.createElement("th");
  cell.scope = "rowgroup";
  cell.colSpan = table.tHead.rows[table.tHead.rows.length - 1].cells.length;
  const label = document.createElement("span");
  const value = document.createElement("bdi");
  value.textContent = answer;
  label.append(muted(`${title}: `), value, muted(` ${shown} row${shown === 1 ? "" : "s"}`));
  cell.append(label);
  heading.append(cell);
  made.append(...rows);
  return made;
}

function muted(text) {
  const made = document.createElement("span");
  made.className = "who";
  made.textContent = text;
  return made;
}
