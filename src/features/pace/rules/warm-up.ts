/** How a new domain begins: few messages a day, and twice as many every so many days. */
export interface WarmUpPlan {
  /** The first day, in the calendar of London. */
  begunOn: string;
  /** Messages on the first day. */
  first: number;
  /** Days after which it is twice as many. */
  doubleEvery: number;
  /** From this many a day on, the domain is warm, and nothing is held back. */
  most: number;
}

/** What may leave on a day; null when the domain is warm. Before its first day it is as on that. */
export function warmUpDay({ begunOn, first, doubleEvery, most }: WarmUpPlan, today: string): number | null {
  const days = Math.max(0, Math.round((Date.parse(today) - Date.parse(begunOn)) / 86_400_000));
  const doubled = Math.floor(days / doubleEvery);
  // Beyond 2^31 nobody counts.
  const allowance = doubled > 31 ? Number.POSITIVE_INFINITY : first * 2 ** doubled;
  return allowance >= most ? null : allowance;
}

/** The steps of a warm-up: from which day on how many, until the domain is warm. */
export function warmUpSteps(plan: WarmUpPlan): { day: string; messages: number }[] {
  const steps: { day: string; messages: number }[] = [];
  for (let step = 0; steps.length < 32; step++) {
    const day = new Date(Date.parse(plan.begunOn) + step * plan.doubleEvery * 86_400_000);
    const messages = warmUpDay(plan, day.toISOString().slice(0, 10));
    if (messages === null) break;
    steps.push({ day: day.toISOString().slice(0, 10), messages });
  }
  return steps;
}

/** The first day on which the domain is warm. */
export function warmFrom(plan: WarmUpPlan): string {
  const steps = warmUpSteps(plan).length;
  return new Date(Date.parse(plan.begunOn) + steps * plan.doubleEvery * 86_400_000)
    .toISOString()
    .slice(0, 10);
}
