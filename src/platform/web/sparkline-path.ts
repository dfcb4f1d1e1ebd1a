/**
 * A line through the values as an SVG path, `width` wide, with the lowest value at `height` and the
 * highest 2 below the top. Between points it bends but never overshoots. Equal values lie at the
 * bottom. Empty for fewer than two values.
 */
export function sparklinePath(values: readonly number[], width: number, height: number): string {
  if (values.length < 2) return '';
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const step = width / (values.length - 1);
  const x = (index: number) => round(index * step);
  const y = (value: number) => round(span === 0 ? height : height - ((value - low) / span) * (height - 2));
  let path = `M${x(0)},${y(values[0] ?? 0)}`;
  for (let index = 1; index < values.length; index += 1) {
    const middle = round((index - 0.5) * step);
    const from = y(values[index - 1] ?? 0);
    const to = y(values[index] ?? 0);
    path += ` C${middle},${from} ${middle},${to} ${x(index)},${to}`;
  }
  return path;
}

const round = (value: number): number => Math.round(value * 100) / 100;
