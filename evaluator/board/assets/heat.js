// Shades of one hue, the darker the better: they are told apart without seeing colours, too.

const SHADES = 7;

// Value -> class, over the values of the rows that are shown; outliers do not wash out the rest.
export function shades(column, rows) {
  const values = rows.map((row) => column.values[row]).filter(Number.isFinite);
  values.sort((a, b) => a - b);
  const [first, third] = [0.25, 0.75].map((share) => values[Math.round((values.length - 1) * share)]);
  const fence = 1.5 * (third - first);
  const low = Math.max(values[0], first - fence);
  const high = Math.min(values.at(-1), third + fence);
  if (values.length < 2 || !(high > low)) return () => "";
  return (value) => {
    if (!Number.isFinite(value)) return "";
    const share = Math.min(1, Math.max(0, (value - low) / (high - low)));
    const good = column.sorting === "asc" ? 1 - share : share;
    return `heat-${Math.round(good * (SHADES - 1))}`;
  };
}
