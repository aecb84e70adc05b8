// @ts-check
// The reason of a failure on focus, for those who have no pointer to hover with.

export function explainCells() {
  const tip = document.createElement("div");
  tip.className = "cell-tip";
  tip.hidden = true;
  tip.setAttribute("role", "status");
  document.body.append(tip);
  /** @type {HTMLElement | null} */
  let cell = null;
  const place = () => {
    if (!cell) return;
    const { left, bottom } = cell.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(left, innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${Math.min(bottom + 6, innerHeight - tip.offsetHeight - 8)}px`;
  };
  addEventListener("focusin", ({ target }) => {
    cell = target instanceof Element ? target.closest("td[tabindex][title]") : null;
    tip.hidden = !cell;
    if (!cell) return;
    tip.textContent = cell.title;
    place();
  });
  addEventListener("scroll", () => { if (!tip.hidden) place(); }, { capture: true, passive: true });
  // What appears on focus can be sent away without moving it (WCAG 1.4.13).
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") tip.hidden = true;
  });
}
