// @ts-check
// What a reader sees of a board, as a LaTeX or Markdown table. `site/exports/paper_tables.py` writes
// the same of a board as it is; a test holds the two equal. Loaded only when it is asked for.

/** @import { Cell } from "./cells.js" */
/** @import { Item } from "./arrangement.js" */
/** @import { Column, Model } from "./model.js" */
/** @typedef {{ text: string, isNumber?: boolean, isBest?: boolean, isUncounted?: boolean }} Written */
/** @typedef {{ head: Written[], lines: Written[][], notes: string[] }} Table */

const MAX_TEXT = 200;
const MAX_MARKS = 2;
const SPACES = "\u001c\u001d\u001e\u001f\u0085"; // Python's, beside those of \s
const LATEX = new Map([
  ["\\", "\\textbackslash{}"], ["~", "\\textasciitilde{}"], ["^", "\\textasciicircum{}"],
  ["<", "\\textless{}"], [">", "\\textgreater{}"], ["|", "\\textbar{}"], ['"', "\\symbol{34}"], ["`", "\\symbol{96}"],
  ...Array.from("{}$&#_%", (character) => /** @type {const} */ ([character, `\\${character}`])),
  ...Array.from("[]*", (character) => /** @type {const} */ ([character, `{${character}}`])),
  ["–", "--"], ["±", "$\\pm$"], ["…", "\\ldots{}"], ["↑", "$\\uparrow$"], ["↓", "$\\downarrow$"],
]);
const MARKDOWN = new Map([
  ...Array.from("\\`*_{}[]<>#~$|!^", (character) => /** @type {const} */ ([character, `\\${character}`])),
  ["&", "&amp;"],
]);

/**
 * @param {"latex" | "markdown"} form
 * @param {object} view
 * @param {Model} view.model
 * @param {Column[]} view.columns
 * @param {Item[]} view.items
 * @param {string} view.title of the question that groups are made by
 */
export async function written(form, { model, columns, items, title }) {
  const shown = new Set(columns.map(({ metric }) => metric));
  await model.read(model.lacking(({ column, task }) => task === null || shown.has(column ?? "")));
  const table = {
    head: heads(model, columns), lines: items.map((item) => line(model, columns, item, title)), notes: notesOn(model, columns),
  };
  return form === "latex" ? latex(table) : markdown(table);
}

/**
 * @param {Model} model
 * @param {Column[]} columns
 */
function notesOn({ data }, columns) {
  const groups = new Set(columns.map(({ group }) => group));
  return [
    `${data.title}: ${data.phase_name}${data.commit ? `, commit ${data.commit.slice(0, 12)}` : ""}.`,
    ...data.tasks.filter(({ slug, retired }) => retired && groups.has(`task.${slug}`))
      .map(({ name, retired }) => `${name} does not count: ${retired.replace(/\.+$/, "")}.`),
  ];
}

/**
 * @param {Model} model
 * @param {Column[]} columns
 */
function heads({ data, several }, columns) {
  const isByTask = several && new Set(columns.map(({ each }) => each).filter(Boolean)).size < 2;
  return columns.map((column) => {
    const task = several ? data.tasks.find(({ slug }) => column.group === `task.${slug}`) : undefined;
    const band = column.band ? `${column.band}: ` : "";
    const on = task && !isByTask ? `${task.name}: ` : "";
    const name = task && isByTask ? task.name : `${on}${several && !task ? "" : band}${column.title}`;
    const arrow = column.isBetter ? ` ${column.sorting === "asc" ? "↓" : "↑"}` : "";
    const isNumber = column.numeric === true || column.id === "rank" || column.group === "yours";
    return { text: `${name}${arrow}${task?.retired ? " (retired)" : ""}`, isNumber };
  });
}

/**
 * @param {Model} model
 * @param {Column[]} columns
 * @param {Item} item
 * @param {string} title
 */
function line(model, columns, item, title) {
  if (typeof item === "number") return columns.map((column) => inWords(column.cell(item)));
  if ("label" in item) return model.goalCells(item, columns).map(inWords);
  const text = `${title}: ${item.answer || "not answered"} (${item.count} row${item.count === 1 ? "" : "s"})`;
  return columns.map(({ isName }) => ({ text: isName ? text : "" }));
}

/**
 * @param {Cell} cell
 * @returns {Written}
 */
function inWords({ text, aside = "", link, who, marks = [], classes = "" }) {
  const whole = aside === "" || aside.startsWith(" ±") ? `${link ?? text}${aside}` : `${text} (${aside.trim()})`;
  const more = [...(who ? [who] : []), ...marks.map(([mark]) => mark)];
  const names = new Set(classes.split(" "));
  return {
    text: more.length ? `${whole} (${more.join("; ")})` : whole,
    isNumber: names.has("num"), isBest: names.has("best"), isUncounted: names.has("uncounted"),
  };
}

/** @param {Table} table */
function latex({ head, lines, notes: [first, ...others] }) {
  return [
    `% ${oneLine(first)}`, "% Needs \\usepackage{booktabs}.",
    `\\begin{tabular}{${head.map(({ isNumber }) => (isNumber ? "r" : "l")).join("")}}`,
    "\\toprule", latexLine(head), "\\midrule", ...lines.map(latexLine), "\\bottomrule", "\\end{tabular}",
    ...others.map((note) => `\\par{\\footnotesize ${escaped(note, LATEX)}\\par}`), "",
  ].join("\n");
}

/** @param {Written[]} cells */
function latexLine(cells) {
  const texts = cells.map(({ text, isNumber, isBest, isUncounted }) => {
    const plain = escaped(text, LATEX);
    const number = isNumber ? plain.replace(/^-(?!-)/, "$$-$$") : plain;
    const counted = isUncounted ? `\\textit{${number}}` : number;
    return isBest ? `\\textbf{${counted}}` : counted;
  });
  return `${texts.join(" & ")} \\\\`;
}

/** @param {Table} table */
function markdown({ head, lines, notes }) {
  return [
    markdownLine(head), ["", ...head.map(({ isNumber }) => (isNumber ? "---:" : ":---")), ""].join("|"),
    ...lines.map(markdownLine), ...notes.map((note) => `\n${inMarkdown(note)}`), "",
  ].join("\n");
}

/** @param {Written[]} cells */
function markdownLine(cells) {
  const texts = cells.map(({ text, isBest, isUncounted }) => {
    const plain = inMarkdown(text);
    const counted = isUncounted ? `_${plain}_` : plain;
    return isBest ? `**${counted}**` : counted;
  });
  return `| ${texts.join(" | ")} |`;
}

/** @param {string} text */
function inMarkdown(text) {
  return escaped(text, MARKDOWN).replaceAll("://", "&#58;//").replace(/(?<![A-Za-z0-9])@/g, "&#64;");
}

/**
 * @param {string} text
 * @param {Map<string, string>} marks
 */
function escaped(text, marks) {
  return Array.from(oneLine(text), (character) => marks.get(character) ?? character).join("");
}

/**
 * Text on one line, without what is invisible or turns its surroundings around.
 * @param {string} text
 */
function oneLine(text) {
  if (/^[ -~]*$/.test(text) && !text.includes("  ")) return cut(text);
  let marks = 0;
  const seen = Array.from(Array.from(text).slice(0, 4 * MAX_TEXT).join("").normalize("NFC")).map((character) => {
    if ((/\s/u.test(character) && character !== "\ufeff") || SPACES.includes(character)) return " ";
    marks = /[\p{Mn}\p{Me}]/u.test(character) ? marks + 1 : 0;
    return /\p{C}/u.test(character) || marks > MAX_MARKS ? "" : character;
  });
  return cut(seen.join("").split(" ").filter(Boolean).join(" "));
}

/** @param {string} text */
function cut(text) {
  const characters = Array.from(text);
  return characters.length <= MAX_TEXT ? text : `${characters.slice(0, MAX_TEXT - 1).join("").trimEnd()}…`;
}
