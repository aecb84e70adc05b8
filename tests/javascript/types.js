// @ts-check
// Lines that must not pass: where tsc has nothing to say of one of them, it fails. So the types of
// what scripts read are those of its schema, and hide nothing.
import { better } from "../../evaluator/site/pages/assets/number.js";
import { Results } from "../../evaluator/site/pages/assets/results.js";

/** @import { ViewData } from "forms" */

/**
 * @param {Results} results
 * @param {ViewData} data
 */
export function wrong(results, data) {
  // @ts-expect-error a key of view.json is misspelt
  data.rows.participants;
  // @ts-expect-error a list over rows is no list of texts
  data.rows.rank[0]?.trim();
  // @ts-expect-error few rows have an interval
  data.intervals[0][0];
  // @ts-expect-error a reason has four parts
  data.reasons[0][4];
  // @ts-expect-error a column is better at one of two ends
  data.columns[0].sorting === "up";
  // @ts-expect-error a value may be none
  results.score(data.columns[0], 0, 0).toFixed(2);
  // @ts-expect-error numbers are of what the files have
  results.numbers("score", null, 0);
  // @ts-expect-error what the first is better by may not be known
  better(data.columns[0], 1, null) > 0;
}
