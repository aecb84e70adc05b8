// Columns of the ranking that a reader makes: his tasks, weights, metrics and aggregation.
// ranking.js computes; here are what it is given, and the columns that show what it returns.
import { range } from "./arithmetic.js";
import { fixed } from "./number.js";
import { rankMetrics } from "./ranking.js";
import { stability } from "./stability.js";

const WEIGHTINGS = 500;
const MOST_STABLE = 400;
export const TITLES = {
  mean: "Mean", mean_rank: "Mean rank", median: "Median", borda: "Borda",
  geometric_mean: "Geometric mean", normalised: "Normalised",
};

// Returns no columns where the reader leaves the ranking to the board.
export function readersColumns(model, { ranking }, shown) {
  if (ranking === null || !shown.length) return [];
  const weights = model.data.tasks.map(({ slug }) => ranking.weights.get(slug) ?? 1);
  const rows = ranked(model, shown);
  const inputs = ranking.metrics.map((key) => input(model, ranking, { key, rows, weights, shown }));
  const shares = inputs.map(() => 1);
  const found = rankMetrics(inputs, shares);
  const precision = ranking.metrics.length === 1 && ["mean", "median", "geometric_mean"].includes(ranking.aggregate)
    ? model.taskColumns.find(({ key }) => key === ranking.metrics[0]).precision : 3;
  const places = new Map(rows.map((row, place) => [row, place]));
  const at = (list) => (row) => (places.has(row) ? list[places.get(row)] ?? null : null);
  const [rankOf, valueOf] = [at(found.ranks), at(found.values)];
  const columns = [
    {
      id: "yours", group: "yours", title: "Your rank", sorting: "asc", numeric: true, key: rankOf,
      cell: (row) => ({ text: rankOf(row) ?? "–", classes: "num rank", value: rankOf(row) ?? "" }),
    },
    {
      id: "yours.value", group: "yours", title: TITLES[ranking.aggregate], sorting: found.ascending ? "asc" : "desc",
      numeric: true, key: (row) => number(valueOf(row)),
      cell: (row) => {
        const value = number(valueOf(row));
        return { text: value === null ? "–" : fixed(value, precision), classes: "num", value: value ?? "" };
      },
    },
  ];
  const open = weights.filter((weight) => weight > 0).length > 1;
  return open && rows.length <= MOST_STABLE
    ? [...columns, span(stability(inputs, shares, WEIGHTINGS), at)] : columns;
}

// Whose values make ranks: what the reader looks at or, where the board says so, all submissions. What
// nobody approved has no rank, and makes none.
function ranked(model, shown) {
  const all = model.data.ranking.among === "all" ? model.all : shown;
  return all.filter((row) => !model.aside.has(row));
}

function input(model, { aggregate, baseline }, { key, rows, weights, shown }) {
  const { data } = model;
  const { ties, missing, decimals } = data.ranking;
  const of = (values) => rows.map((row) => values[row]);
  const first = rows.findIndex((row) => model.ids[row] === baseline);
  const isShown = new Set(shown);
  return {
    values: data.tasks.map((_, task) => of(data.scores[key][task])),
    weights, aggregation: aggregate, baseline: first < 0 ? null : first,
    ascending: model.taskColumns.find((column) => column.key === key).sorting === "asc",
    // Boards of mean ranks say how equal and missing values are ranked on a task.
    ties: missing === null ? "average" : ties, missing,
    decimals, dense: ties === "dense",
    uncounted: data.tasks.map((_, task) => {
      const own = data.uncounted[task];
      return own ? range(rows.length).filter((at) => own[rows[at]]) : [];
    }),
    breakers: data.columns.filter((column) => column.breaks_ties)
      .map((column) => [of(data.overall[column.key]), column.sorting === "asc"]),
    placed: range(rows.length).filter((at) => isShown.has(rows[at])),
  };
}

function span({ low, high, first }, at) {
  const [lowOf, highOf, firstOf] = [low, high, first].map(at);
  return {
    id: "yours.span", group: "yours", title: "Over all weightings", sorting: "asc", numeric: true, key: highOf,
    cell: (row) => {
      const text = lowOf(row) === null ? "–" : `${lowOf(row)}–${highOf(row)}`;
      const title = `Best and worst rank over ${WEIGHTINGS} weightings of the tasks; first in ${Math.round(100 * (firstOf(row) ?? 0))} % of them.`;
      return { text, classes: "num", value: highOf(row) ?? "", title };
    },
  };
}

const number = (value) => (Number.isFinite(value) ? value : null);
