// @ts-check
// Panels of the controls are menus: a click elsewhere closes them, and Escape.
import { all, one } from "./elements.js";

/** @param {HTMLElement} bar */
export function asMenus(bar) {
  document.addEventListener("click", ({ target }) => {
    for (const panel of open(bar)) {
      if (target instanceof Node && target.isConnected && !panel.contains(target)) panel.open = false;
    }
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
  return all(bar, ".panels > details[open]", HTMLDetailsElement);
}
