// Parts of pages made by scripts. Text becomes text: nothing here reads markup.

export function node(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export function button(text, act) {
  const made = node("button", { type: "button" }, text);
  made.addEventListener("click", act);
  return made;
}

// A stranger's text: it turns nothing around that stands beside it.
export function isolated(text) {
  return node("bdi", {}, text);
}

// A table with heads on both sides. `columns` are lists of nodes; `lines` are a name and its cells,
// each a cell or what stands in one.
export function table(label, columns, lines) {
  const head = node("tr", {}, node("td", {}), ...columns.map(
    (parts) => node("th", { scope: "col" }, ...parts),
  ));
  const body = lines.map(([name, cells]) => node("tr", {},
    node("th", { scope: "row" }, isolated(name)),
    ...cells.map((cell) => (cell instanceof HTMLTableCellElement ? cell : node("td", {}, String(cell)))),
  ));
  const made = node("table", { className: "pullbench beside" }, node("thead", {}, head), node("tbody", {}, ...body));
  const region = node("div", { className: "board" }, made);
  region.setAttribute("role", "region");
  region.setAttribute("aria-label", label);
  region.tabIndex = 0;
  return region;
}
