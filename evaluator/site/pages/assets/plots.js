// @ts-check
// Plots that answer: a mark says whose it is, leads there, and is highlighted in all plots by its name.
// Without JavaScript plots are pictures with a table and files below them.
import { all, node, one } from "./elements.js";

/** @import { PlotsData } from "forms" */

/** A drawing of a figure, for wide or for narrow places; its marks are in the order of the entries of its points. */
class Plot {
  /**
   * @param {SVGSVGElement} svg
   * @param {PlotsData} data
   */
  constructor(svg, { submissions, figures }) {
    this.svg = svg;
    this.name = svg.closest("figure")?.dataset.plot ?? "";
    this.marks = all(svg, ".marks > *", SVGGraphicsElement);
    const points = figures[this.name];
    this.entries = points?.entries ?? [];
    this.says = points?.says ?? [];
    this.submissions = submissions;
    this.places = this.marks.map(placeOf);
    // If marks are in rows, the arrow keys follow them; else they go from left to right.
    const [top, height] = (svg.dataset.rows ?? "0 Infinity").split(" ").map(Number);
    this.rows = this.places.map(({ y }) => Math.floor((y - top) / height) || 0);
    this.order = this.marks.map((_, index) => index).sort((a, b) =>
      this.rows[a] - this.rows[b] || this.places[a].x - this.places[b].x || this.places[a].y - this.places[b].y);
  }

  /** @param {number} index */
  label(index) {
    const [participant, , title] = this.submissions[this.entries[index]];
    return [title, participant, this.says[index]];
  }

  /** @param {number} index */
  address(index) {
    const [participant, name] = this.submissions[this.entries[index]];
    const compare = this.svg.closest("figure")?.dataset.compare;
    if (compare) { // a square is a submission on a task: where it differs from the first, sample by sample
      const other = this.submissions[this.entries[index] ? 0 : 1];
      const address = new URL(compare, page);
      for (const [who, what] of [other, [participant, name]]) address.searchParams.append("with", `${who}/${what}`);
      address.hash = `samples-${this.says[index].split(": rank ")[0]}`;
      return address;
    }
    return new URL(`${form.dataset.submissions ?? ""}${encodeURIComponent(participant)}/${encodeURIComponent(name)}/`, page);
  }

  /**
   * The mark that is pointed at.
   * @param {MouseEvent} event
   */
  nearest(event) {
    const box = this.svg.getBoundingClientRect();
    const scale = this.svg.viewBox.baseVal.width / box.width;
    const at = { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale };
    /** @type {number | null} */
    let nearest = null;
    let least = 14; // units around a mark that count as pointing at it
    this.places.forEach(({ x, y }, index) => {
      const distance = Math.hypot(x - at.x, y - at.y);
      if (distance < least) [nearest, least] = [index, distance];
    });
    return nearest;
  }

  /**
   * The mark that an arrow key leads to: along the row, or to the nearest one of the next row.
   * @param {number} index
   * @param {string} key
   */
  after(index, key) {
    const place = this.order.indexOf(index);
    const step = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
    if (key === "Home") return this.order[0];
    const end = this.order[this.order.length - 1];
    if (key === "End") return end;
    const last = this.rows[end];
    if (key === "ArrowLeft" || key === "ArrowRight" || last === 0) return this.order[place + step];
    for (let row = this.rows[index] + step; row >= 0 && row <= last; row += step) {
      const there = this.order.filter((other) => this.rows[other] === row);
      /** @param {number} other */
      const distance = (other) => Math.abs(this.places[other].x - this.places[index].x);
      if (there.length) return there.reduce((a, b) => (distance(b) < distance(a) ? b : a));
    }
    return undefined;
  }
}

/**
 * Where a mark is. Its box is not asked, since it has none while the other drawing is shown.
 * @param {Element} mark
 */
function placeOf(mark) {
  const numbers = /-?[\d.]+ -?[\d.]+/.exec(mark.getAttribute("d") ?? "")?.[0].split(" ") ?? [];
  const x = Number(mark.getAttribute("cx") ?? mark.getAttribute("x") ?? numbers[0]);
  const y = Number(mark.getAttribute("cy") ?? mark.getAttribute("y") ?? numbers[1]);
  return { x, y: mark instanceof SVGTextElement ? y - 4 : y };
}

const page = new URL(".", location.href);
const form = one(document, ".plot-search", HTMLFormElement);
const field = one(form, "input", HTMLInputElement);
const tip = node("div", { className: "plot-tip", hidden: true });
tip.setAttribute("aria-hidden", "true"); // the mark's own label says the same
document.body.append(tip);

/** @type {Plot[]} */
let plots = [];

/**
 * @param {Plot} plot
 * @param {number} index
 */
function show(plot, index) {
  hide();
  const [title, participant, says] = plot.label(index);
  plot.marks[index].classList.add("near");
  tip.replaceChildren(element("strong", title), element("span", participant), element("span", says));
  tip.hidden = false;
  const box = plot.marks[index].getBoundingClientRect();
  const left = Math.min(box.right + 8, document.documentElement.clientWidth - tip.offsetWidth - 4);
  const below = box.bottom + 8 + tip.offsetHeight < document.documentElement.clientHeight;
  tip.style.left = `${Math.max(4, left)}px`;
  tip.style.top = `${below ? box.bottom + 8 : Math.max(4, box.top - tip.offsetHeight - 8)}px`;
}

function hide() {
  tip.hidden = true;
  for (const plot of plots) for (const mark of plot.svg.querySelectorAll(".near")) mark.classList.remove("near");
}

// Focus may scroll the page: what is said of a mark goes with it.
function follow() {
  const focused = document.activeElement;
  const plot = plots.find(({ marks }) => marks.some((mark) => mark === focused));
  if (plot && !tip.hidden) show(plot, plot.marks.findIndex((mark) => mark === focused));
  else hide();
}

/**
 * @param {"strong" | "span"} kind
 * @param {string} text
 */
function element(kind, text) {
  return node(kind, { dir: "auto" }, text);
}

/** @param {Plot} plot */
function enhance(plot) {
  if (plot.marks.length === 0) return;
  plot.svg.setAttribute("role", "group"); // a picture must not hold what can be focused
  plot.marks.forEach((mark, index) => {
    mark.setAttribute("role", "link");
    mark.setAttribute("aria-label", plot.label(index).join(", "));
    mark.setAttribute("tabindex", index === plot.order[0] ? "0" : "-1");
  });
  /** @param {EventTarget | null} target */
  const indexOf = (target) => plot.marks.findIndex((mark) => mark === target);
  /** @param {number} index */
  const open = (index) => location.assign(plot.address(index));
  // Chromium would make a stop of an SVG that listens to the focus itself.
  plot.svg.parentElement?.addEventListener("focusin", (event) => {
    const index = indexOf(event.target);
    if (index < 0) return;
    plot.svg.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
    plot.marks[index].setAttribute("tabindex", "0");
    show(plot, index);
  });
  plot.svg.parentElement?.addEventListener("focusout", hide);
  plot.svg.addEventListener("keydown", (event) => {
    const index = indexOf(event.target);
    if (index < 0) return;
    if (event.key === "Escape") hide();
    if (event.key === "Enter" || event.key === " ") open(index);
    else if (/^(Arrow|Home|End)/.test(event.key)) plot.marks[plot.after(index, event.key) ?? -1]?.focus();
    else return;
    event.preventDefault();
  });
  plot.svg.addEventListener("pointermove", (event) => {
    const index = plot.nearest(event);
    plot.svg.classList.toggle("pointing", index !== null);
    if (index === null) hide();
    else show(plot, index);
  });
  plot.svg.addEventListener("pointerleave", hide);
  plot.svg.addEventListener("click", (event) => {
    const index = plot.nearest(event);
    if (index !== null) open(index);
  });
}

/**
 * @param {string} text
 * @param {PlotsData} data
 */
function highlight(text, { submissions }) {
  const wanted = text.trim().toLowerCase();
  const exact = submissions.findIndex(([participant, name]) => `${participant}/${name}`.toLowerCase() === wanted);
  /** @type {Set<number>} */
  const matches = new Set();
  submissions.forEach((names, index) => {
    if (exact >= 0 ? index === exact : names.some((name) => name.toLowerCase().includes(wanted))) matches.add(index);
  });
  /** @type {Set<string>} */
  const drawn = new Set();
  for (const plot of plots) {
    plot.svg.parentElement?.classList.toggle("highlighting", wanted !== "" && matches.size > 0);
    const lit = plot.marks.map((mark, index) =>
      mark.classList.toggle("lit", wanted !== "" && matches.has(plot.entries[index])));
    if (lit.includes(true)) drawn.add(plot.name);
  }
  const some = matches.size === 1 ? "1 match" : `${matches.size} matches`;
  one(form, "output", HTMLElement).textContent = wanted === "" ? "" : `${some}, in ${drawn.size} of ${plots.length / 2} figures`;
}

/** @param {PlotsData} data */
function fromAddress(data) {
  field.value = new URLSearchParams(location.search).get("highlight") ?? "";
  highlight(field.value, data);
}

// Names and values come apart from the page, so that a large board's plots are quickly there.
const answer = await fetch(new URL("../plots/marks.json", page));
if (answer.ok) {
  /** @type {unknown} */
  const content = await answer.json();
  const data = /** @type {PlotsData} */ (content);
  plots = all(document, "figure[data-plot] svg", SVGSVGElement).map((svg) => new Plot(svg, data));
  plots.forEach(enhance);
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  field.addEventListener("input", () => {
    const address = new URL(location.href);
    if (field.value.trim()) address.searchParams.set("highlight", field.value);
    else address.searchParams.delete("highlight");
    history.replaceState(null, "", address);
    highlight(field.value, data);
  });
  addEventListener("popstate", () => fromAddress(data));
  addEventListener("keydown", (event) => event.key === "Escape" && hide());
  addEventListener("scroll", follow, { capture: true, passive: true });
  fromAddress(data);
}
