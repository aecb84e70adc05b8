// What the reader chose, kept in the page's address and nowhere else, so that a view can be shared
// and walked back through. Names: search, group, and those of the controls of controls.html.

let typing = null;

export function read() {
  return new URLSearchParams(location.search);
}

// Letters written in one field are one step of the history; any other choice is a step of its own.
export function write(query, field) {
  const address = new URL(location.href);
  address.search = query;
  if (address.href === location.href) return;
  const step = field !== null && field === typing ? "replaceState" : "pushState";
  history[step](null, "", address);
  typing = field;
}

export function stopTyping() {
  typing = null;
}

// `kinds` says of each name whether one of its answers is chosen or a part of the answer written.
export function choice(query, kinds) {
  const filters = [];
  for (const [name, kind] of kinds) {
    const wanted = query.getAll(name);
    if (kind === "one of" && wanted.length) filters.push({ name, any: new Set(wanted) });
    if (kind === "contains" && wanted.join("").trim()) filters.push({ name, part: folded(wanted[0]) });
  }
  const group = query.get("group");
  return { filters, words: folded(query.get("search") ?? ""), group: kinds.has(group) ? group : null };
}

export function folded(text) {
  return text.trim().toLowerCase();
}
