// @ts-check
// The theme lets wide tables of plain pages scroll. Whoever has no pointer scrolls with the keyboard,
// which needs a place in the order of focus; the theme gives none.

function open() {
  for (const wrap of document.querySelectorAll(".md-typeset__scrollwrap")) {
    if (!(wrap instanceof HTMLElement)) continue;
    const isWide = wrap.scrollWidth > wrap.clientWidth;
    if (isWide && !wrap.hasAttribute("tabindex")) {
      wrap.tabIndex = 0;
      wrap.setAttribute("role", "region");
      wrap.setAttribute("aria-label", "Table");
    }
  }
}

addEventListener("load", open);
addEventListener("resize", open);
