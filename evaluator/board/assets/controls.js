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
      ["sort", "order", "at"].forEach((name) => query.delete(name));
      changed(query, null);
      this.bar.querySelector("[type=search]").focus();
    });
  }

  get fields() {
    return Array.from(this.bar.querySelectorAll("input, select"));
  }

  // Name -> how its answers are looked for.
  get kinds() {
    const named = Array.from(this.bar.querySelectorAll("[data-facets] input")).filter(({ type }) => type !== "date");
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
      if (name && (type === "checkbox" ? checked : value.trim())) query.append(name, value);
    }
    return query;
  }

  show(query, { shown, all, groups, filters, picked, commit }) {
    this.#addStrange(query);
    for (const field of this.fields) {
      const wanted = query.get(field.name) ?? "";
      if (field.type === "checkbox") field.checked = query.getAll(field.name).includes(field.value);
      else if (field.value.trim() !== wanted.trim()) field.value = wanted;
    }
    const status = shown === all ? `${all} rows` : `${shown} of ${all} rows`;
    this.#say("[data-count]", groups ? `${status} in ${groups} group${groups === 1 ? "" : "s"}` : status);
    this.#say("[data-facets] summary", filters ? `Filters (${filters})` : "Filters");
    this.#compare(picked ?? []);
    this.#link(query, commit);
    const untouched = this.fields.every(({ name }) => !name || !query.has(name));
    this.bar.querySelector("[data-clear]").hidden = untouched;
  }

  #compare(picked) {
    const link = this.bar.querySelector("[data-compare]");
    if (!link) return;
    link.hidden = picked.length < 2;
    const chosen = new URLSearchParams(picked.map((id) => ["with", id]));
    link.href = `${link.dataset.compare}?${chosen}`;
    link.textContent = `Compare the ${picked.length} that are ticked`;
  }

  // The address of this view at this commit: the same address shows another board after the next.
  #link(query, commit) {
    const link = this.bar.querySelector("[data-permalink]");
    if (!link || !commit) return;
    const at = query.get("at");
    query.set("at", commit.slice(0, 12));
    link.hidden = false;
    link.href = `?${query}`;
    link.textContent = `Link to this view at commit ${commit.slice(0, 12)}`;
    const moved = this.bar.querySelector("[data-moved]");
    moved.hidden = !at || commit.startsWith(at);
    moved.querySelector("bdi").textContent = at?.slice(0, 40) ?? "";
    if (at) query.set("at", at);
    else query.delete("at");
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
