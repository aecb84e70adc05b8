// The controls above one board: they show what the address says, and say what the reader changes.

const MAX_STRANGE = 20;
const MAX_LENGTH = 200;

export class Controls {
  // `changed` is called with the new query and the field that is being written in, or null.
  constructor(template, { read, changed, stopped }) {
    template.after(template.content.cloneNode(true));
    this.bar = template.nextElementSibling;
    this.table = this.bar.nextElementSibling.querySelector("table");
    this.bar.addEventListener("input", ({ target }) => {
      changed(this.query(read()), target.matches("[type=search], [type=text]") ? target : null);
    });
    this.bar.addEventListener("focusout", stopped);
    this.bar.querySelector("[data-clear]").addEventListener("click", () => {
      const query = read();
      this.fields.forEach(({ name }) => query.delete(name));
      changed(query, null);
      this.bar.querySelector("[type=search]").focus();
    });
  }

  get fields() {
    return Array.from(this.bar.querySelectorAll("input, select"));
  }

  // Name -> how its answers are looked for.
  get kinds() {
    const named = this.fields.filter(({ type }) => type === "checkbox" || type === "text");
    return new Map(named.map(({ name, type }) => [name, type === "checkbox" ? "one of" : "contains"]));
  }

  title(name) {
    const options = Array.from(this.bar.querySelectorAll("[name=group] option"));
    return options.find(({ value }) => value === name)?.textContent;
  }

  // What else stands in the address stays there.
  query(query) {
    this.fields.forEach(({ name }) => query.delete(name));
    for (const { name, type, value, checked } of this.fields) {
      if (type === "checkbox" ? checked : value.trim()) query.append(name, value);
    }
    return query;
  }

  show(query, { shown, all, groups, filters }) {
    this.#addStrange(query);
    for (const field of this.fields) {
      const wanted = query.get(field.name) ?? "";
      if (field.type === "checkbox") field.checked = query.getAll(field.name).includes(field.value);
      else if (field.value.trim() !== wanted.trim()) field.value = wanted;
    }
    const status = shown === all ? `${all} rows` : `${shown} of ${all} rows`;
    this.#say("[data-count]", groups ? `${status} in ${groups} group${groups === 1 ? "" : "s"}` : status);
    this.#say("summary", filters ? `Filters (${filters})` : "Filters");
    const untouched = this.fields.every(({ name }) => !query.has(name));
    this.bar.querySelector("[data-clear]").hidden = untouched;
  }

  // A shared address may ask for an answer that no row has: it is shown, so that it can be taken back.
  #addStrange(query) {
    for (const list of this.bar.querySelectorAll("[data-choices]")) {
      const known = new Set(Array.from(list.querySelectorAll("input"), ({ value }) => value));
      const strange = new Set(query.getAll(list.dataset.choices).filter((value) => !known.has(value)));
      for (const value of Array.from(strange).slice(0, MAX_STRANGE)) {
        const label = list.querySelector("label").cloneNode(true);
        label.querySelector("input").value = value;
        label.querySelector("bdi").textContent = value.slice(0, MAX_LENGTH) || "not answered";
        label.querySelector(".who").textContent = "0";
        list.append(label);
      }
    }
  }

  // Said anew only where it changed: screen readers repeat what is written again.
  #say(selector, text) {
    const place = this.bar.querySelector(selector);
    if (place.textContent !== text) place.textContent = text;
  }
}
