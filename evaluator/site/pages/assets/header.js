// @ts-check
// Colours before the page is drawn: those that a reader chose, else those that the system asks for.
// A page without the theme's scripts switches them here. The key / leads to the field for search.
(function () {
  const given = document.currentScript?.dataset ?? {};
  const key = `${new URL(given.base ?? ".", location.href).pathname}.__palette`;
  const inputs = /** @type {HTMLInputElement[]} */ ([
    ...document.querySelectorAll("[data-md-component=palette] input"),
  ]);
  const isDark = matchMedia("(prefers-color-scheme: dark)");

  /** @param {number} index */
  function colours(index) {
    const media = inputs[index]?.dataset.mdColorMedia ?? "";
    const system = `(prefers-color-scheme: ${isDark.matches ? "dark" : "light"})`;
    const shown = inputs.find((input) => input.dataset.mdColorMedia === system);
    const { mdColorScheme, mdColorPrimary, mdColorAccent } =
      (media === "(prefers-color-scheme)" ? shown : inputs[index])?.dataset ?? {};
    return { media, scheme: mdColorScheme, primary: mdColorPrimary, accent: mdColorAccent };
  }

  /** @returns {number} place of the choice among the inputs */
  function chosen() {
    try {
      /** @type {unknown} */
      const parsed = JSON.parse(localStorage.getItem(key) ?? "null");
      const { index } = /** @type {{ index: number }} */ (parsed);
      if (index in inputs) return index;
    } catch {
      // No storage, nothing in it, or nonsense.
    }
    return inputs.findIndex((input) => matchMedia(input.dataset.mdColorMedia ?? "").matches);
  }

  /** @param {number} index */
  function show(index) {
    const { scheme, primary, accent } = colours(index);
    for (const [name, value] of Object.entries({ scheme, primary, accent })) {
      if (value !== undefined) document.body.setAttribute(`data-md-color-${name}`, value);
    }
    if (given.slim === undefined) return;
    for (const [place, input] of inputs.entries()) {
      input.checked = place === index;
      if (input.nextElementSibling instanceof HTMLElement) input.nextElementSibling.hidden = place !== index;
    }
  }

  show(chosen());
  if (given.slim !== undefined) {
    /** @type {NodeListOf<HTMLAnchorElement>} */
    const parts = document.querySelectorAll(".site-pages a:not(.home)");
    const part = [...parts].find(({ pathname }) => location.pathname.startsWith(pathname));
    part?.setAttribute("aria-current", "true");
    isDark.addEventListener("change", () => show(chosen()));
    inputs[0]?.form?.addEventListener("change", () => {
      const index = inputs.findIndex((input) => input.checked);
      try {
        localStorage.setItem(key, JSON.stringify({ index, color: colours(index) }));
      } catch {
        // No storage: the choice holds for this page.
      }
      show(index);
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (target instanceof Element && target.matches("input:not([type=checkbox], [type=radio]), select, textarea")) return;
    const field = document.querySelector("#words") ?? document.querySelector(".site-search input");
    if (!(field instanceof HTMLElement) || !field.checkVisibility()) return;
    event.preventDefault();
    field.focus();
  });
})();
