import { formatShortDate } from '#platform/web/format.ts';
import type { SendingPace } from '../contract.ts';

export type WarmUp = SendingPace['warmUps'][number];
export type WarmUpPlan = Pick<WarmUp, 'domain' | 'begunOn' | 'first' | 'doubleEvery' | 'most'>;

/** What is written of a warm-up; the rest follows from it. */
export const planOf = ({ domain, begunOn, first, doubleEvery, most }: WarmUp): WarmUpPlan => ({
  ...{ domain, begunOn, first, doubleEvery, most },
});

/** `24 Nov`. A day has no clock: its noon stands for it, as of another month of its year. */
export function dayInWords(day: string): string {
  const other = day.slice(5, 7) === '01' ? '02' : '01';
  return formatShortDate(`${day}T12:00:00Z`, new Date(`${day.slice(0, 4)}-${other}-01T12:00:00Z`));
}
