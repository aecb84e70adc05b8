// Two to five submissions side by side. The address says which, in which phase, by which column:
// ?phase=slug&with=participant/name&with=participant/name&column=key
import { button, isolated, node, table } from "./build.js";
import { better, load, shown, signed } from "./results.js";

const MAX_NAME = 100;
const MAX_CANDIDATES = 200;
const MAX_STRANGE = 20;

const root = document.querySelector("[data-compare]");
const most = Number(root.dataset.max);
const picker = root.querySelector(".picker");
const phase = picker.querySelector("[name=phase]");
const find = picker.querySelector("input");
const candidates = picker.querySelector("[name=candidate]");
const status = root.querySelector("[data-status]");
let results = null;

picker.hidden = false;
document.querySelector("[data-without]").hidden = true;
phase.addEventListener("change", () => go((query) => query.set("phase", phase.value)));
find.addEventListener("input", listCandidates);
find.addEventListener("keydown", (event) => { if (event.key === "Enter") add(); });
picker.querySelector("[data-add]").addEventListener("click", add);
addEventListener("popstate", show);
show();

function chosen() {
  return Array.from(new Set(new URLSearchParams(location.search).getAll("with")));
}

function go(change) {
  const address = new URL(location.href);
  change(address.searchParams);
  history.pushState(null, "", address);
  show();
}

function add() {
  const id = candidates.value;
  if (!id || chosen().includes(id)) return;
  find.value = "";
  go((query) => query.append("with", id));
}

function remove(id) {
  go((query) => query.delete("with", id));
  find.focus();
}

async function show() {
  const wanted = new URLSearchParams(location.search).get("phase");
  const options = Array.from(phase.options);
  const option = options.find(({ value }) => value === wanted)
    ?? options.find(({ defaultSelected }) => defaultSelected) ?? options[0];
  phase.value = option.value;
  try {
    results = await load(option.dataset.view, "scores", "usage");
  } catch (error) {
    say(`The results cannot be read (${error.message}). Load the page again.`);
    return;
  }
  // Another choice may have been made while they were read.
  if (phase.value !== option.value) return;
  const ids = chosen();
  const known = ids.filter((id) => results.row(id) !== null);
  const rows = known.slice(0, most).map((id) => results.row(id));
  listChosen(known);
  listStrange(ids.filter((id) => results.row(id) === null));
  listCandidates();
  picker.querySelector("[data-add]").disabled = known.length >= most;
  const more = known.length > most ? ` Only the first ${most} are shown; remove one to see another.` : "";
  say(rows.length < 2 ? `Choose ${rows.length ? "one more" : "two"}.${more}` : more.trim());
  root.querySelector("[data-tables]").replaceChildren(...(rows.length < 2 ? [] : tables(rows)));
}

// Said anew only where it changed: screen readers repeat what is written again.
function say(text) {
  if (status.textContent !== text) status.textContent = text;
}

function listChosen(ids) {
  root.querySelector(".chosen").replaceChildren(...ids.map((id) => {
    const row = results.row(id);
    return node("li", {}, link(row), " ", who(row), " ", remover(id, results.title(row)));
  }));
}

function listStrange(ids) {
  const place = root.querySelector(".missing-ids");
  place.hidden = ids.length === 0;
  place.replaceChildren(
    node("p", {}, "Not on this board; they may be withdrawn, or of another phase:"),
    node("ul", { className: "chosen" }, ...ids.slice(0, MAX_STRANGE).map((id) => {
      const name = id.slice(0, MAX_NAME) || "an empty name";
      return node("li", {}, isolated(name), " ", remover(id, name));
    })),
  );
}

function remover(id, name) {
  const made = button("Remove", () => remove(id));
  made.setAttribute("aria-label", `Remove ${name.slice(0, MAX_NAME)}`);
  return made;
}

function listCandidates() {
  if (results === null) return;
  const part = find.value.trim().toLowerCase();
  const taken = new Set(chosen());
  const options = [];
  for (let row = 0; row < results.ids.length && options.length < MAX_CANDIDATES; row += 1) {
    const id = results.ids[row];
    if (taken.has(id) || !`${results.title(row)}\n${id}`.toLowerCase().includes(part)) continue;
    options.push(new Option(results.name(row).slice(0, MAX_NAME), id));
  }
  candidates.replaceChildren(...options);
}

function tables(rows) {
  const column = comparedColumn();
  return [
    glance(rows, column),
    ...byTask(rows, column),
    resources(rows),
    failures(rows),
    sheet(rows),
  ].filter(Boolean);
}

function comparedColumn() {
  const wanted = new URLSearchParams(location.search).get("column");
  const of = results.taskColumns;
  return of.find(({ key }) => key === wanted) ?? of.find(({ primary }) => primary) ?? of[0] ?? null;
}

function heads(rows) {
  return rows.map((row) => [link(row), " ", who(row)]);
}

function glance(rows, column) {
  const { rows: about, columns } = results.data;
  const [first] = rows;
  const lines = [
    ["Rank", rows.map((row) => results.rank(row) ?? "not ranked")],
    ["Status", rows.map((row) => about.status[row])],
    ["Submitted", rows.map((row) => about.submitted[row].slice(0, 10) || "–")],
  ];
  for (const one of columns) {
    const values = rows.map((row) => results.overall(one, row));
    lines.push([
      results.several ? `${one.title}, all tasks` : one.title,
      marked(one, values),
    ]);
  }
  if (column !== null && results.several) {
    lines.push([
      `Against the first, by ${column.title}`,
      rows.map((row) => (row === first ? "–" : duel(column, first, row))),
    ]);
  }
  return section("At a glance", "glance", heads(rows), lines);
}

// Of the second against the first, on the tasks that both have finished.
function duel(column, first, second) {
  const count = { "-1": 0, 0: 0, 1: 0 };
  let open = 0;
  results.data.tasks.forEach((_, task) => {
    const sign = better(column, results.score(column, task, second), results.score(column, task, first));
    if (sign === null) open += 1;
    else count[sign] += 1;
  });
  const rest = open ? `; ${open} not compared` : "";
  return `${count[1]} won, ${count[0]} tied, ${count[-1]} lost${rest}`;
}

function byTask(rows, column) {
  const { tasks } = results.data;
  if (column === null) {
    const lines = tasks.map(({ name }, task) => [
      name, rows.map((row) => results.failure(task, row)?.[0] ?? "finished"),
    ]);
    return [section("Task by task", "tasks", heads(rows), lines)];
  }
  const lines = tasks.map(({ name, retired }, task) => {
    const values = rows.map((row) => results.score(column, task, row));
    const cells = marked(column, values, (place) => {
      const failure = results.failure(task, rows[place]);
      return failure ? state(failure) : "–";
    });
    return [retired ? `${name} (retired)` : name, cells];
  });
  const made = section("Task by task", "tasks", heads(rows), lines);
  const choice = columnChoice(column);
  if (choice) made.querySelector("h2").after(choice);
  return [made];
}

function columnChoice(column) {
  if (results.taskColumns.length < 2) return null;
  const select = node("select", { name: "column" }, ...results.taskColumns.map(
    ({ key, title }) => new Option(title, key, key === column.key, key === column.key),
  ));
  select.addEventListener("change", () => {
    go((query) => query.set("column", select.value));
    root.querySelector("[name=column]")?.focus();
  });
  return node("div", { className: "picker" }, node("label", {}, "Column ", select));
}

// Values in a line: the best is marked, and each but the first says how far it is from the first.
function marked(column, values, absent = () => "–") {
  const known = values.filter((value) => value !== null);
  const best = known.length > 1
    ? known.reduce((a, b) => (better(column, a, b) >= 0 ? a : b))
    : null;
  return values.map((value, place) => {
    if (value === null) return absent(place);
    const made = node("td", { className: value === best ? "num best" : "num" }, shown(value, column.precision));
    const sign = place ? better(column, value, values[0]) : null;
    if (sign !== null) {
      const word = sign > 0 ? "better" : sign < 0 ? "worse" : "equal";
      const gap = signed(value - values[0], column.precision);
      made.append(node("span", { className: `dev gap ${word}` }, sign ? ` ${gap} ${word}` : " equal"));
    }
    return made;
  });
}

function resources(rows) {
  const { tasks } = results.data;
  const lines = tasks.flatMap(({ name }, task) => {
    if (!rows.some((row) => results.seconds(task, row) !== null)) return [];
    return [[name, rows.map((row) => `${time(results.seconds(task, row))}, ${size(results.memory(task, row))}`)]];
  });
  if (!lines.length || !results.data.columns.length) return null;
  const all = rows.map((row) => {
    const known = tasks.map((_, task) => results.seconds(task, row));
    return known.includes(null) ? "–" : time(known.reduce((a, b) => a + b, 0));
  });
  if (results.several) lines.unshift(["All tasks, wall clock", all]);
  return section("Wall clock and peak memory", "resources", heads(rows), lines);
}

function failures(rows) {
  const lines = results.data.tasks.flatMap(({ name }, task) => rows.flatMap((row) => {
    const failure = results.failure(task, row);
    if (!failure || failure[0] !== "failed") return [];
    const [, actor, reason, message] = failure;
    return [node("li", {}, `${name}, `, isolated(results.title(row)), `: ${reason}. `,
      message ? isolated(message) : "", ` Who must act: ${actor}.`)];
  }));
  if (!lines.length) return null;
  return node("section", {}, node("h2", { id: "failures" }, "Failures"), node("ul", {}, ...lines));
}

function sheet(rows) {
  const lines = (results.data.questions ?? []).flatMap(({ key, title }) => {
    const answers = rows.map((row) => results.data.sheet[key]?.[row] ?? "");
    if (!answers.some(Boolean)) return [];
    const differ = new Set(answers).size > 1;
    return [[differ ? `${title} (they differ)` : title,
      answers.map((answer) => (answer ? node("td", { className: "reason" }, isolated(answer)) : "not answered"))]];
  });
  return lines.length ? section("Fact sheet", "fact-sheet", heads(rows), lines) : null;
}

function section(title, id, columns, lines) {
  return node("section", {}, node("h2", { id }, title), table(title, columns, lines));
}

function state([name, actor, reason, message]) {
  const made = node("td", { className: `state ${name}`, title: message }, name);
  if (reason) made.append(node("span", { className: "reason" }, `${reason}; ${actor} must act`));
  return made;
}

function link(row) {
  const made = node("a", { href: `../submissions/${results.ids[row]}/` }, isolated(results.title(row)));
  return made;
}

function who(row) {
  return node("span", { className: "who" }, isolated(results.participant(row)));
}

function time(value) {
  if (value === null) return "not measured";
  return value < 100 ? `${value.toFixed(2)} s` : `${Math.round(value)} s`;
}

function size(bytes) {
  if (bytes === null) return "memory not measured";
  return bytes < 2 ** 30 ? `${(bytes / 2 ** 20).toFixed(0)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}
