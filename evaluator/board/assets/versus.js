// The table of a submission's scores, beside those of any other: the reader's choice stands in the
// address, ?with=participant/name. Without JavaScript the page compares with the leader.
import { isolated } from "./build.js";
import { better, load, shown, signed } from "./results.js";

const MAX_NAME = 100;
const bar = document.querySelector("[data-versus]");
const table = bar?.parentElement.querySelector("table.scores");

if (table) {
  load(bar.dataset.view, "scores").then(start, () => {});
}

function start(results) {
  const own = results.row(bar.dataset.versus);
  if (own === null || results.size < 2) return;
  const select = bar.querySelector("select");
  const options = results.ids.flatMap((id, row) => {
    if (row === own) return [];
    const option = new Option(results.name(row).slice(0, MAX_NAME), id);
    return [option];
  });
  select.replaceChildren(...options);
  bar.hidden = false;
  select.addEventListener("change", () => {
    const address = new URL(location.href);
    address.searchParams.set("with", select.value);
    history.pushState(null, "", address);
    show(results, own, select);
  });
  addEventListener("popstate", () => show(results, own, select));
  show(results, own, select);
}

function show(results, own, select) {
  const asked = new URLSearchParams(location.search).get("with");
  const found = asked === null ? null : results.row(asked);
  const other = found === null || found === own ? results.rival(own) : found;
  select.value = results.ids[other];
  const strange = asked !== null && other !== found;
  bar.querySelector("[role=status]").textContent = strange
    ? `“${asked.slice(0, MAX_NAME)}” is not another submission on this board. `
    : "";
  caption(results, other);
  heads(results);
  for (const row of table.tBodies[0].rows) compare(results, row, own, other);
}

function caption(results, other) {
  const link = document.createElement("a");
  const [participant, name] = results.ids[other].split("/");
  link.href = `../../${participant}/${name}/`;
  link.append(isolated(results.title(other)));
  const rank = results.rank(other);
  const place = table.caption ?? table.createCaption();
  place.className = "note";
  place.replaceChildren(
    "Other: ", link, " by ", isolated(participant), rank === null ? "" : `, rank ${rank}`,
    ". Differences are in the unit of their column.",
  );
}

function heads(results) {
  const line = table.tHead.rows[0];
  for (const head of line.querySelectorAll("[data-column]")) {
    if (column(results, head) === null || head.nextElementSibling?.matches(".other")) continue;
    head.after(...["other", "difference"].map((name) => {
      const made = document.createElement("th");
      made.scope = "col";
      made.className = `num ${name}`;
      made.textContent = name;
      return made;
    }));
  }
}

function compare(results, line, own, other) {
  const task = line.dataset.task;
  for (const cell of line.querySelectorAll("[data-column]")) {
    const read = column(results, cell);
    if (read === null) continue;
    let [value, gap] = [cell.nextElementSibling, cell.nextElementSibling?.nextElementSibling];
    if (!value?.matches(".other")) {
      [value, gap] = [document.createElement("td"), document.createElement("td")];
      cell.after(value, gap);
    }
    fill(read, value, gap, task, [own, other].map((row) => number(results, read, task, row)),
      task === "all" ? null : results.failure(task, other));
  }
}

function fill(read, value, gap, task, [mine, theirs], failure) {
  value.className = "num other";
  gap.className = "num difference";
  if (task !== "all" && read.over_tasks) {
    value.textContent = gap.textContent = "";
    return;
  }
  value.textContent = theirs === null && failure ? failure[0] : shown(theirs, read.precision);
  value.title = failure ? failure.slice(2).filter(Boolean).join(": ") : "";
  const sign = better(read, mine, theirs);
  if (sign === null) {
    gap.textContent = "–";
    return;
  }
  const mark = sign > 0 ? "better" : sign < 0 ? "worse" : "equal";
  const word = document.createElement("span");
  word.className = "who";
  word.textContent = mark;
  gap.classList.add(mark);
  gap.replaceChildren(`${signed(mine - theirs, read.precision)} `, word);
}

function number(results, read, task, row) {
  if (task === "all") return results.overall(read, row);
  return read.over_tasks ? null : results.score(read, Number(task), row);
}

function column(results, cell) {
  return results.data.columns.find(({ key }) => key === cell.dataset.column) ?? null;
}
