// Numbers as the pages' Python writes them: "%.*f", a half that is exact going to the even digit.

// Digits after the point that toFixed can write; it writes them exactly.
const ALL = 100;

export function fixed(value, precision) {
  if (Math.abs(value) >= 1e21) return large(value, precision);
  const text = value.toFixed(precision);
  const exact = value.toFixed(ALL);
  const rest = exact.slice(exact.indexOf(".") + 1 + precision);
  const isHalf = /^50*$/.test(rest) && precision < ALL;
  if (!isHalf) return text;
  // toFixed takes the larger of two neighbours, Python the one whose last digit is even.
  const cut = exact.slice(0, exact.indexOf(".") + (precision ? 1 + precision : 0));
  return Number(cut.at(-1)) % 2 === 0 ? cut : text;
}

function large(value, precision) {
  const whole = BigInt(value).toString();
  return precision ? `${whole}.${"0".repeat(precision)}` : whole;
}
