// Columns of the ranking that a reader makes: his tasks, weights, metrics and aggregation.
// ranking.js computes; here are what it is given, and the columns that show what it returns.
import { fixed } from "./number.js";
import { rank, rankMetrics, stability } from "./ranking.js";

const WEIGHTINGS = 500;
const MOST_STABLE = 400;
export const TITLES = {
  mean: "Mean", mean_rank: "Mean rank", median: "Median", borda: "Borda",
  geometric_mean: "Geometric mean", normalised: "Normalised",
};

// Returns no columns where the reader leaves the ranking to the board.
export function readersColumns(model, { ranking }, rows) {
  if (ranking === null || !rows.length) return [];
  const { data } = model;
  const weights = data.tasks.map(({ slug }) => ranking.weights.get(slug) ?? 1);
  const baseline = rows.findIndex((row) => model.id(row) === ranking.baseline);
  const inputs = ranking.metrics.map((key) => {
    const column = model.taskColumns.find((one) => one.key === key);
    return {
      values: data.scores[key].map((values) => rows.map((row) => values[row])),
      weights, ascending: column.sorting === "asc", aggregation: ranking.aggregate,
      baseline: baseline < 0 ? null : baseline, ties: "average",
    };
  });
  const found = inputs.length === 1 ? rank(inputs[0]) : rankMetrics(inputs, inputs.map(() => 1));
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
  return open && inputs.length === 1 && rows.length <= MOST_STABLE
    ? [...columns, span(stability(inputs[0], WEIGHTINGS), at)] : columns;
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
