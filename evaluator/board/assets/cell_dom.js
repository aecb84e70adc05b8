// Cells as elements. Text is text: nothing that a stranger wrote becomes markup.

export function drawCell(cell, { up, compare }) {
  const made = document.createElement(cell.isHead ? "th" : "td");
  if (cell.isHead) made.scope = "row";
  if (cell.classes) made.className = cell.classes;
  if (cell.title) made.title = cell.title;
  if (cell.value !== undefined) made.dataset.value = cell.value;
  if (cell.row !== undefined && compare) made.append(picker(cell, compare));
  if (cell.href !== undefined) made.append(anchor(up + cell.href, cell.text));
  else if (cell.link !== undefined) made.append(outside(cell.link, cell.text));
  else made.append(cell.text);
  if (cell.aside) made.append(span("dev", cell.aside));
  if (cell.reason) {
    made.append(span("reason", cell.reason));
    made.tabIndex = 0;
  }
  if (cell.whole) made.tabIndex = 0;
  if (cell.who) made.append(" ", whose(cell, up));
  for (const [text, title] of cell.marks ?? []) made.append(" ", mark(text, title));
  if (cell.details) {
    const link = anchor(`${up}${cell.href}#detailed-results-${cell.details}`, "detailed results");
    link.className = "details";
    made.append(" ", link);
  }
  return made;
}

function whose({ who, whose: page }, up) {
  if (!page) return span("who", who);
  const made = span("who", "");
  made.append(anchor(up + page, who));
  return made;
}

function anchor(href, text) {
  const made = document.createElement("a");
  made.href = href;
  made.textContent = text;
  return made;
}

function outside(href, text) {
  const made = anchor(href, text);
  made.rel = "noopener nofollow ugc";
  made.title = href;
  return made;
}

function mark(text, title) {
  const made = span("reported", text);
  if (title) made.title = title;
  return made;
}

function picker(cell, { picked, full }) {
  const made = document.createElement("input");
  made.type = "checkbox";
  made.className = "pick";
  made.value = cell.row;
  made.checked = picked.has(cell.row);
  made.disabled = full && !made.checked;
  made.setAttribute("aria-label", `Compare ${cell.text} by ${cell.who}`);
  return made;
}

export function span(name, text) {
  const made = document.createElement("span");
  made.className = name;
  made.textContent = text;
  return made;
}
