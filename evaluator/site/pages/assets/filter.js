// @ts-check
// A list cut down by the fields above it: an entry's data has the words that each field looks for.
// What was chosen is in the address.
const form = document.querySelector("form[data-filter]");
if (form instanceof HTMLFormElement) {
  form.hidden = false;
  const fields = [...form.elements].filter(
    (field) => field instanceof HTMLInputElement || field instanceof HTMLSelectElement,
  );
  const entries = fields[0]
    ? [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`[data-${fields[0].name}]`))]
    : [];
  const count = form.querySelector("[data-count]");
  const asked = new URLSearchParams(location.search);
  for (const field of fields) field.value = asked.get(field.name) ?? "";
  const show = () => {
    let shown = 0;
    for (const entry of entries) {
      entry.hidden = !fields.every(({ type, name, value }) => {
        const text = entry.dataset[name] ?? "";
        const wanted = value.trim();
        if (type === "search") return text.includes(wanted.toLowerCase());
        return wanted === "" || text.split("|").includes(wanted);
      });
      if (!entry.hidden) shown += 1;
    }
    const isCut = fields.some(({ value }) => value.trim() !== "");
    if (count) count.textContent = isCut ? `${shown} of ${entries.length}` : "";
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    const words = new URLSearchParams(fields.filter(({ value }) => value).map(({ name, value }) => [name, value]));
    history.replaceState(null, "", `${location.pathname}${words.size ? `?${words}` : ""}${location.hash}`);
    show();
  });
  show();
}
