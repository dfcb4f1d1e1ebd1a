import { reachedBy } from './rate.ts';
import { spansOf } from './report-spans.ts';

/** A campaign that was sent before: how many got it, and who opened it in which hour. */
export interface EarlierCampaign {
  delivered: number;
  firstAt: Date;
  hours: readonly { hour: Date; opened: number; machines: { opened: number } }[];
}

/** In so many hours after the first, the mean share of those reached who opened a campaign. */
export interface EarlierSpan {
  after: number;
  hours: 1 | 24;
  opened: number;
  machines: { opened: number };
}

const hourMs = 3_600_000;

/**
 * The mean of earlier campaigns, each with the same weight, in the spans of a report. What was not
 * delivered to anybody is no part of it.
 */
export function meanOpens(
  campaigns: readonly EarlierCampaign[],
): { campaigns: number; hours: EarlierSpan[] } | null {
  const compared = campaigns.filter(({ delivered }) => delivered > 0);
  if (compared.length === 0) return null;
  const sums = new Map<number, EarlierSpan>();
  for (const { delivered, firstAt, hours: told } of compared) {
    const first = new Date(Math.floor(firstAt.getTime() / hourMs) * hourMs);
    const opens = told.reduce(
      (sum, { opened, machines }) => ({
        opened: sum.opened + opened,
        machineOpened: sum.machineOpened + machines.opened,
      }),
      { opened: 0, machineOpened: 0 },
    );
    const weight = 1 / (reachedBy({ delivered, ...opens }) * compared.length);
    const spans = spansOf([
      { hour: first },
      ...told.map(({ hour, opened, machines }) => ({ hour, opened, machines: { ...machines, clicked: 0 } })),
    ]);
    const begin = spans[0]?.start.getTime() ?? 0;
    for (const { start, hours, opened, machines } of spans) {
      const after = Math.round((start.getTime() - begin) / hourMs);
      const sum = sums.get(after) ?? { after, hours, opened: 0, machines: { opened: 0 } };
      sum.opened += opened * weight;
      sum.machines.opened += machines.opened * weight;
      sums.set(after, sum);
    }
  }
  const hours = [...sums.values()].filter(({ opened, machines }) => opened > 0 || machines.opened > 0);
  return { campaigns: compared.length, hours: hours.sort((one, other) => one.after - other.after) };
}
