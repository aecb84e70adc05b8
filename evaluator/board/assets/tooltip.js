// The reason of a failure on focus, for those who have no pointer to hover with.

export function explainCells() {
  const tip = document.createElement("div");
  tip.className = "cell-tip";
  tip.hidden = true;
  tip.setAttribute("role", "status");
  document.body.append(tip);
  addEventListener("focusin", ({ target }) => {
    const cell = target.closest?.("td[tabindex][title]");
    tip.hidden = !cell;
    if (!cell) return;
    tip.textContent = cell.title;
    const place = cell.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(place.left, innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${Math.min(place.bottom + 6, innerHeight - tip.offsetHeight - 8)}px`;
  });
  // What appears on focus can be sent away without moving it (WCAG 1.4.13).
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") tip.hidden = true;
  });
  addEventListener("scroll", () => { tip.hidden = true; }, { capture: true, passive: true });
}
