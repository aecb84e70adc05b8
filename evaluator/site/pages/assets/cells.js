// @ts-check
// What stands in the cells of a board. The same cells, for readers without scripts and for the first
// paint, come from macros.html; a test holds the two equal.
import { fixed } from "./number.js";

/** @import { ViewColumn, ViewFact, ViewGoal, ViewQuestion } from "forms" */
/** @import { Column, Model } from "./model.js" */
/** @import { Failure } from "./results.js" */

/**
 * @typedef {object} Cell
 * @property {string} text
 * @property {string} [classes]
 * @property {string} [title]
 * @property {number | string} [value] what it is sorted by; empty for none
 * @property {boolean} [isHead]
 * @property {number} [row] which may be ticked
 * @property {string} [href] of a page of the benchmark
 * @property {string} [link] to elsewhere
 * @property {string} [aside] what stands small behind the text
 * @property {string} [reason] of a failure
 * @property {boolean} [whole] whether the title has the whole of a text that may be cut
 * @property {string} [who]
 * @property {string} [whose] their page
 * @property {[string, string][]} [marks] short texts, each with an explanation
 * @property {[href: string, text: string] | null} [code] where the files are
 * @property {string} [details] slug of the first task with detailed results
 */

const STALE = "Its record is of other content; it will be evaluated again.";
const MISSING = "Not evaluated yet.";
// Characters of an answer from which its cell may cut it.
const LONG = 60;
/** @type {Cell} */
const ABSENT = { text: "–", classes: "num state absent", title: "There is no such value." };

/**
 * @param {Model} model
 * @param {number} row
 * @returns {Cell}
 */
export function rankCell({ data }, row) {
  const rank = data.rows.rank[row];
  const cell = { text: rank === null ? "–" : String(rank), classes: "num rank", value: rank ?? "" };
  const span = data.intervals[row];
  return span === undefined ? cell : { ...cell, aside: ` ${span[0] === span[1] ? span[0] : `${span[0]}–${span[1]}`}`, title: meaning(span) };
}

/** @param {[number, number, number, [number, number] | null]} interval */
function meaning([low, high, group]) {
  return `Its rank is between ${low} and ${high} (95% confidence). Group ${group}: no `
    + "significant difference from the first of the group.";
}

/**
 * @param {Model} model
 * @param {number} row
 * @returns {Cell}
 */
export function nameCell(model, row) {
  const { participant, submission, title } = model.data.rows;
  const marks = [...(model.data.marks[row] ?? [])];
  if (row >= model.data.listed) marks.push(["not listed", "The rule of this board leaves it out."]);
  return {
    isHead: true, text: title[row], href: `submissions/${participant[row]}/${submission[row]}/`,
    who: participant[row], whose: `../../people/${participant[row]}/`, marks, details: model.data.details[row], row,
    code: codeOf(model, row),
  };
}

/**
 * @param {Model} model
 * @param {number} row
 * @returns {[href: string, text: string] | null}
 */
function codeOf({ data, ids, withCode }, row) {
  if (!withCode.has(row)) return null;
  return [`${data.code.folder}${ids[row]}`, data.rows.kind[row] === "code" ? "code" : "files"];
}

/**
 * @param {Model} model
 * @param {ViewColumn} column
 * @param {number} row
 * @returns {Cell}
 */
export function overallCell(model, column, row) {
  const { data } = model;
  const value = model.overall(column, row);
  const status = data.rows.status[row];
  if (value === null) return status === "finished" ? ABSENT : { text: status, classes: `state ${status}` };
  const isBest = !model.aside.has(row) && value === data.best.overall[column.key];
  const [low, high] = [model.numbers("low", column.key, null)[row], model.numbers("high", column.key, null)[row]];
  const aside = column.derived && Number.isFinite(low) ? ` ${fixed(low, column.precision)}–${fixed(high, column.precision)}` : undefined;
  return { text: fixed(value, column.precision), classes: isBest ? "num best" : "num", value, aside };
}

/**
 * @param {Model} model
 * @param {ViewColumn} column
 * @param {number} task
 * @param {number} row
 * @returns {Cell}
 */
export function taskCell(model, column, task, row) {
  const { data, aside } = model;
  const value = model.score(column, task, row);
  if (value === null) return withoutValue(model.failure(task, row));
  const why = data.uncounted[task]?.[row];
  const best = data.best.methods[column.key]?.[row] ?? data.best.tasks[column.key]?.[task];
  const deviation = model.deviation(column, task, row);
  return {
    text: fixed(value, column.precision), value, title: why,
    classes: ["num", !aside.has(row) && value === best && "best", why && "uncounted"].filter(Boolean).join(" "),
    aside: deviation === null ? undefined : ` ± ${fixed(deviation, column.precision)}`,
  };
}

/**
 * @param {Failure | null} failure
 * @returns {Cell}
 */
function withoutValue(failure) {
  if (failure === null) return ABSENT;
  const [state, actor, reason, message] = failure;
  if (actor) return { text: "failed", classes: "state failed", title: message || undefined, reason };
  return { text: state, classes: `state ${state}`, title: state === "stale" ? STALE : MISSING };
}

/**
 * @param {Model} model
 * @param {ViewQuestion} question
 * @param {number} row
 * @returns {Cell}
 */
export function answerCell(model, question, row) {
  const text = model.answer(question.key, row);
  const claim = model.data.claims[question.key]?.[row];
  /** @type {Cell} */
  const cell = { classes: "answer", text, marks: claim ? [[claim, ""]] : [] };
  if (question.type === "url") return text ? { ...cell, text: linkText(text), link: text } : cell;
  return Array.from(text).length > LONG ? { ...cell, title: text, whole: true } : cell;
}

/**
 * @param {ViewFact} fact
 * @param {number} row
 * @returns {Cell}
 */
export function factCell(fact, row) {
  const text = fact.texts[row] || "–";
  return fact.number ? { text, classes: "num", value: fact.values[row] ?? "" } : { text };
}

/**
 * @param {number} value NaN for none
 * @returns {Cell}
 */
export function resourceCell(value) {
  if (Number.isNaN(value)) return { text: "–", classes: "num", value: "" };
  return { text: value < 100 ? String(Number(value.toPrecision(3))) : fixed(value, 0), classes: "num", value };
}

/**
 * @param {ViewGoal} goal
 * @param {Column} column
 * @returns {Cell}
 */
export function goalCell(goal, column) {
  if (column.isName) return { isHead: true, text: goal.label, who: "goal, no submission" };
  if (column.id === "rank") return { text: "–", classes: "num rank", value: goal.after_rank + 0.5 };
  const value = column.goal?.(goal);
  if (typeof value === "number") return { text: fixed(value, column.precision ?? 0), classes: "num", value };
  return { text: "", value: column.numeric && column.group === "facts" ? "" : undefined };
}

/** @param {string} url */
function linkText(url, length = 40) {
  const text = url.slice(url.indexOf("://") + 3).replace(/^www\./, "").replace(/\/+$/, "");
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}
