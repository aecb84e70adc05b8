// @ts-check
// What opens from the bar over a board: panels beside it, one at a time, which stay open while a reader
// looks at what they do; and menus, which a click elsewhere closes. Escape closes both.
import { all, one } from "./elements.js";

/** @param {HTMLElement} bar */
export function asPanels(bar) {
  bar.addEventListener("toggle", ({ target }) => {
    if (!(target instanceof HTMLDetailsElement) || !target.open) return;
    for (const panel of open(bar)) panel.open = panel === target;
  }, { capture: true });
  bar.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-close]")) closePanels(bar);
  });
  bar.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") closePanels(bar);
  });
}

/**
 * The focus goes to what opens the panel again.
 * @param {HTMLElement} bar
 */
export function closePanels(bar) {
  for (const panel of open(bar)) {
    panel.open = false;
    one(panel, "summary", HTMLElement).focus();
  }
}

/** @param {HTMLElement} bar */
function open(bar) {
  return all(bar, "details[data-panel][open]", HTMLDetailsElement);
}

export function asMenus() {
  /** @param {Node | null} inside what keeps its menu open */
  const close = (inside) => {
    for (const menu of all(document, "details[data-menu][open]", HTMLDetailsElement)) {
      if (!menu.contains(inside)) menu.open = false;
    }
  };
  document.addEventListener("click", ({ target }) => close(target instanceof Node ? target : null));
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") close(null);
  });
}
