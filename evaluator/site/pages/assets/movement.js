// @ts-check
// The first rows of a board at one moment of its history, moving to the places of the next.
import { isolated, node, one, span } from "./elements.js";
import { shown } from "./number.js";

/** @import { FormerData, FormerRow } from "forms" */

const MOST_PLACES = 12;
const MILLISECONDS = 400;

/** @param {FormerRow} row */
const nameOf = ({ participant, submission }) => `${participant}/${submission}`;

/**
 * @param {HTMLElement} root
 * @param {HTMLOptionElement[]} moments oldest first
 * @param {(option: HTMLOptionElement) => Promise<FormerData>} boardOf
 */
export function followBoards(root, moments, boardOf) {
  const slider = one(root, "input[type=range]", HTMLInputElement);
  const moment = one(root, "[data-moment]", HTMLElement);
  const list = one(root, "ol", HTMLOListElement);
  const came = one(root, "[data-came]", HTMLElement);
  /** @type {Map<string, HTMLLIElement>} */
  const lines = new Map();

  const show = async () => {
    const place = Number(slider.value);
    const option = moments[place];
    slider.setAttribute("aria-valuetext", option.text);
    moment.textContent = option.text;
    try {
      const board = await boardOf(option);
      const before = place ? await boardOf(moments[place - 1]).catch(() => null) : null;
      if (moment.textContent !== option.text) return;
      draw(board);
      const names = new Set(before?.rows.map(nameOf));
      const fresh = before ? board.rows.filter((row) => row.rank !== null && !names.has(nameOf(row))) : [];
      came.replaceChildren(...fresh.flatMap((row, index) => [
        index ? ", " : "New: ", isolated(row.title), " ", span("who", row.participant),
      ]));
    } catch (error) {
      list.replaceChildren(node("li", {}, error instanceof Error ? error.message : String(error)));
    }
  };

  /** @param {FormerData} board */
  const draw = ({ rows, columns }) => {
    const tops = new Map(Array.from(lines.values(), (line) => [line, line.getBoundingClientRect().top]));
    list.replaceChildren(...rows.filter(({ rank }) => rank !== null).slice(0, MOST_PLACES).map((row) => {
      const id = nameOf(row);
      const line = lines.get(id) ?? node("li", {});
      lines.set(id, line);
      const value = row.overall[columns[0].key] ?? null;
      line.replaceChildren(
        span("rank", String(row.rank)), " ", isolated(row.title), " ", span("who", row.participant),
        span("num", shown(value, columns[0].precision)),
      );
      return line;
    }));
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const [line, top] of tops) {
      const by = top - line.getBoundingClientRect().top;
      if (by && line.isConnected) {
        line.animate({ transform: [`translateY(${by}px)`, "none"] }, { duration: MILLISECONDS, easing: "ease-out" });
      }
    }
  };

  slider.addEventListener("input", () => void show());
  void show();
  return show;
}
