// What the reader chose, kept in the page's address and nowhere else, so that a view can be shared
// and walked back through. Names: search, group, sort, order, show, since, until, hide, heat, at, those
// of a ranking of the reader's own, and those of the facets in controls.html.

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
  const order = query.get("order");
  return {
    filters,
    words: folded(query.get("search") ?? ""),
    group: kinds.has(group) ? group : null,
    sort: query.get("sort") ?? "",
    order: order === "asc" || order === "desc" ? order : "",
    show: query.get("show") ?? "",
    since: query.get("since") ?? "",
    until: query.get("until") ?? "",
    hide: query.getAll("hide"),
    heat: query.has("heat"),
  };
}

// The ranking that the reader asks for, null where he asks for none. What makes no sense for the
// board, such as a metric that it has not, is left out: an address may be old.
export function ranking(query, { metrics, tasks, primary, usual }) {
  const chosen = query.getAll("metric").filter((key) => metrics.includes(key));
  const weights = new Map();
  for (const slug of tasks) {
    const weight = Number.parseFloat(query.get(`weight.${slug}`) ?? "");
    if (Number.isFinite(weight) && weight >= 0) weights.set(slug, weight);
  }
  const asked = query.get("aggregate");
  const aggregate = AGGREGATES.includes(asked) ? asked : null;
  if (aggregate === null && !weights.size && !chosen.length) return null;
  return {
    metrics: chosen.length ? [...new Set(chosen)] : [primary],
    aggregate: aggregate ?? usual, weights, baseline: query.get("baseline") ?? "",
  };
}

const AGGREGATES = ["mean", "mean_rank", "median", "borda", "geometric_mean", "normalised"];

export function folded(text) {
  return text.trim().toLowerCase();
}
