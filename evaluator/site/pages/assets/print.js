// @ts-check
// Paper has no window to look through: while they are printed, boards of many rows stand there whole.

/** @import { Grid } from "./grid.js" */

/** @param {Map<HTMLTableElement, Grid>} grids */
export function printWhole(grids) {
  addEventListener("beforeprint", () => grids.forEach((grid) => grid.unroll()));
  addEventListener("afterprint", () => grids.forEach((grid) => grid.rollUp()));
}
