// @ts-check
// The colours that a reader chose on another page, else those that the system asks for: what the
// theme's own script does, on pages that do without it.
(function () {
  const given = document.currentScript?.dataset ?? {};
  /** @type {{ [name: string]: string } | null} */
  let chosen = null;
  try {
    const scope = new URL(given.base ?? ".", location.href).pathname;
    /** @type {unknown} */
    const parsed = JSON.parse(localStorage.getItem(`${scope}.__palette`) ?? "null");
    const stored = /** @type {{ color?: { [name: string]: string } } | null} */ (parsed);
    chosen = stored?.color ?? null;
  } catch {
    // No storage, or nonsense in it.
  }
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const [scheme, primary, accent] = ((isDark ? given.dark : given.light) ?? "").split(" ");
  /** @type {{ [name: string]: string }} */
  const shown = chosen && chosen.media !== "(prefers-color-scheme)" ? chosen : { scheme, primary, accent };
  for (const name of ["scheme", "primary", "accent"]) {
    if (typeof shown[name] === "string") document.body.setAttribute(`data-md-color-${name}`, shown[name]);
  }
})();
