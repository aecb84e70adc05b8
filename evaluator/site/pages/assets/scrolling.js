// @ts-check
// The theme lets wide tables and code scroll. Whoever has no pointer scrolls with the keyboard, which
// needs a place in the order of focus; the theme gives tables none, and slim pages do without its script.

function open() {
  for (const wrap of document.querySelectorAll(".md-typeset__scrollwrap, pre > code")) {
    if (!(wrap instanceof HTMLElement)) continue;
    const isWide = wrap.scrollWidth > wrap.clientWidth;
    if (!isWide || wrap.hasAttribute("tabindex")) continue;
    wrap.tabIndex = 0;
    if (wrap.localName === "code") continue;
    wrap.setAttribute("role", "region");
    wrap.setAttribute("aria-label", "Table");
  }
}

addEventListener("load", open);
addEventListener("resize", open);
