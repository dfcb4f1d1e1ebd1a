/** What happened in a span, so many hours after the first. */
export interface RateSpan {
  after: number;
  hours: number;
  sent: number;
  opened: number;
  clicked: number;
}

/**
 * How many people a campaign has reached for all that is known. Its rates are shares of them. They
 * are more than those it was delivered to where more have opened it, people or machines: an
 * uncertain message may have arrived.
 */
export const reachedBy = (figures: { delivered: number; opened: number; machineOpened: number }): number =>
  Math.max(figures.delivered, figures.opened + figures.machineOpened);

/** How many people have opened and clicked so many hours after the first. */
export interface RatePoint {
  after: number;
  opened: number;
  clicked: number;
}

/**
 * The corners of the lines from nothing to what is known `until` so many hours. A line rises within
 * a span and is level between spans.
 */
export function ratePoints(spans: readonly RateSpan[], until: number): RatePoint[] {
  const points: RatePoint[] = [{ after: 0, opened: 0, clicked: 0 }];
  let last = points[0] as RatePoint;
  const go = (after: number, opened = 0, clicked = 0) => {
    last = { after, opened: last.opened + opened, clicked: last.clicked + clicked };
    points.push(last);
  };
  for (const { after, hours, opened, clicked } of spans) {
    if (after >= until) break;
    if (after > last.after) go(after);
    go(after + hours, opened, clicked);
  }
  if (last.after < until) go(until);
  return points;
}

/** What is known after so many hours, between corners as the lines are drawn. */
export function rateAt(points: readonly RatePoint[], after: number): RatePoint {
  const next = points.findIndex((point) => point.after >= after);
  const to = points[next] ?? points.at(-1);
  const from = points[next - 1] ?? to;
  if (!to || !from) return { after, opened: 0, clicked: 0 };
  const share = to.after === from.after ? 1 : (after - from.after) / (to.after - from.after);
  const between = (name: 'opened' | 'clicked') => from[name] + Math.min(1, share) * (to[name] - from[name]);
  return { after, opened: between('opened'), clicked: between('clicked') };
}

const steps = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25];

/** Shares from 0 to `most` or a little above, with round steps, at most five of them. */
export function shareTicks(most: number): number[] {
  const step = steps.find((one) => most <= 4 * one) ?? 0.25;
  const count = Math.min(5, Math.max(1, Math.ceil(most / step - 1e-9)) + 1);
  return Array.from({ length: count }, (_, at) => Number((at * step).toFixed(4)));
}

/** Hours from 0 to `until` with round steps, at most `most` of them beside 0. */
export function hourTicks(until: number, most: number): number[] {
  const fits = (step: number) => until / step <= most;
  const step = [1, 2, 3, 6, 12, 24, 48].find(fits) ?? 24 * Math.ceil(until / most / 24);
  return Array.from({ length: Math.floor(until / step) + 1 }, (_, at) => at * step);
}
