// @ts-check
// Where compared submissions differ, sample by sample. The values are in a CSV file of one task, as the page
// Samples offers it.
import { heads, section } from "./compared.js";
import { node } from "./elements.js";

/** @import { Results } from "./results.js" */
/** @typedef {{ task: string, file: string }} SampleFile */
/** @typedef {{ name: string, values: number[] }} Sample its values are NaN where there are none */

const MAX_LINES = 200;
const FIELD = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g;

/**
 * Null if fewer than two of the rows have samples.
 * @param {Results} results
 * @param {number[]} rows
 * @param {SampleFile} file
 */
export async function differences(results, rows, { task, file }) {
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  const [names, ...lines] = (await answer.text()).split("\n").filter(Boolean).map(fields);
  const compared = rows.filter((row) => names.includes(results.ids[row]));
  if (compared.length < 2) return null;
  const places = compared.map((row) => names.indexOf(results.ids[row]));
  /** @type {Sample[]} */
  const samples = lines.map((line) => ({
    name: line[0], values: places.map((place) => (line[place] === "" ? NaN : Number(line[place]))),
  }));
  const differ = samples.filter((sample) => spread(sample) > 0).sort((a, b) => spread(b) - spread(a));
  return part(results, compared, { task, count: samples.length, differ });
}

/**
 * @param {string} line of a CSV file; no field holds a line break
 */
function fields(line) {
  return Array.from(line.matchAll(FIELD), ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "");
}

/** @param {Sample} sample */
function spread({ values }) {
  return Math.max(...values) - Math.min(...values);
}

/**
 * @param {Results} results
 * @param {number[]} rows
 * @param {{ task: string, count: number, differ: Sample[] }} samples
 */
function part(results, rows, { task, count, differ }) {
  const title = results.several ? `Sample by sample: ${task}` : "Sample by sample";
  const words = node("input", { type: "search", autocomplete: "off", maxLength: 200 });
  const said = node("p", { className: "note" });
  said.setAttribute("role", "status");
  const whole = section(title, `samples-${task}`, heads(results, rows), []);
  const body = whole.querySelector("tbody");
  const show = () => {
    const wanted = words.value.trim().toLowerCase();
    const chosen = differ.filter(({ name }) => name.toLowerCase().includes(wanted));
    said.textContent = `They differ on ${differ.length.toLocaleString("en")} of ${count.toLocaleString("en")} samples.`
      + (chosen.length > MAX_LINES ? ` The first ${MAX_LINES} are shown.` : "")
      + (wanted ? ` ${chosen.length.toLocaleString("en")} of them match.` : "");
    body?.replaceChildren(...chosen.slice(0, MAX_LINES).map(({ name, values }) => node("tr", {},
      node("th", { scope: "row" }, node("bdi", {}, name)),
      ...values.map((value) => node("td", { className: "num" }, Number(value.toPrecision(4)).toString())),
    )));
  };
  words.addEventListener("input", show);
  whole.firstElementChild?.after(said, node("div", { className: "picker" }, node("label", {}, "Find a sample ", words)));
  show();
  return whole;
}
