import { IconAlertCircle, IconBan, IconCircleCheck, IconWorld } from '@tabler/icons-react';
import type { getStats } from '#features/rollups/contract.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import type { Stat } from '#platform/web/components/stat-strip.tsx';
import { formatChange, formatNumber, formatShortDate } from '#platform/web/format.ts';

export type Stats = ResponseOf<typeof getStats>;
type Change = NonNullable<Stat['change']>;
type Series = Exclude<keyof Stats['history'], 'days'>;

const directionOf = (change: number): Change['direction'] =>
  change > 0 ? 'up' : change < 0 ? 'down' : 'flat';

/**
 * How a figure has changed since the end of the oldest day in the history. `upIsGood` sets the
 * colour; leave it out when more is neither good nor bad. Undefined while there is nothing to
 * compare.
 */
export function changeOver(stats: Stats, series: Series, now: Date, upIsGood?: boolean): Change | undefined {
  const { history } = sinceFirstContact(stats);
  const values = history[series];
  const first = values[0];
  const last = values.at(-1);
  const day = history.days[0];
  if (first === undefined || last === undefined || day === undefined || values.length < 2) return undefined;
  if (values.every((value) => value === 0)) return undefined;
  const change = last - first;
  const judged = upIsGood !== undefined && change !== 0;
  return {
    text: change === 0 ? 'No change' : formatChange(change),
    // Noon, so that it is the same day in every time zone near London.
    since: `since ${formatShortDate(`${day}T12:00:00Z`, now)}`,
    direction: directionOf(change),
    ...(judged ? { good: change > 0 === upIsGood } : {}),
  };
}

/**
 * The history from the first day that had a contact. Before that day there was nothing to rise or
 * fall.
 */
function sinceFirstContact(stats: Stats): Stats {
  const { days, valid, suppressed, invalid, domains } = stats.history;
  const from = days.findIndex((_, day) =>
    [valid, suppressed, invalid].some((series) => (series[day] ?? 0) > 0),
  );
  const rest = <T>(series: readonly T[]): T[] => (from < 0 ? [] : series.slice(from));
  return {
    ...stats,
    history: {
      days: rest(days),
      valid: rest(valid),
      suppressed: rest(suppressed),
      invalid: rest(invalid),
      domains: rest(domains),
    },
  };
}

/**
 * How the valid contacts have changed since just before the last import, with all that was done
 * after it. A first import has no percentage: the change is then that of the history.
 */
export function changeSinceImport(stats: Stats, now: Date): Change | undefined {
  if (!stats.validEmailsBeforeImport) return changeOver(stats, 'valid', now, true);
  const percent = stats.validEmailsChange;
  return {
    text: percent === 0 ? 'No change' : formatChange(percent, '%'),
    since: 'since before the last import',
    direction: directionOf(percent),
    ...(percent === 0 ? {} : { good: percent > 0 }),
  };
}

/** A figure's line over all recorded days, with the zeros before the first contact. */
function trendOf(stats: Stats | undefined, series: Series, now: Date): Pick<Stat, 'trend'> {
  if (!stats) return {};
  const { history } = stats;
  const trend = history.days.map((day, place) => ({
    day: place === history.days.length - 1 ? 'Today' : formatShortDate(`${day}T12:00:00Z`, now),
    value: history[series][place] ?? 0,
  }));
  return { trend };
}

const listOf = (search: Record<string, unknown>) => ({ leadsTo: { to: '/email-database', search } });

/** The four cells at the top of the dashboard, in the specification's order and words. */
export function figuresOf(all: Stats | undefined, now: Date): Stat[] {
  const stats = all && sinceFirstContact(all);
  const value = (figure: number | undefined) => (figure === undefined ? undefined : formatNumber(figure));
  const moved = (change: Change | undefined) => (change ? { change } : {});
  const over = (series: Series, upIsGood?: boolean) =>
    moved(stats && changeOver(stats, series, now, upIsGood));
  return [
    {
      label: 'Valid Emails',
      icon: IconCircleCheck,
      tone: 'success',
      value: value(stats?.validEmails),
      accent: true,
      ...listOf({ status: 'active' }),
      ...moved(stats && changeSinceImport(stats, now)),
      ...trendOf(all, 'valid', now),
    },
    {
      label: 'Suppressed',
      icon: IconBan,
      tone: 'warning',
      value: value(stats?.suppressedEmails),
      ...listOf({ status: 'suppressed' }),
      ...over('suppressed'),
      ...trendOf(all, 'suppressed', now),
    },
    {
      label: 'Invalid Emails',
      icon: IconAlertCircle,
      tone: 'error',
      value: value(stats?.invalidEmails),
      ...listOf({ status: 'invalid' }),
      ...over('invalid', false),
      ...trendOf(all, 'invalid', now),
    },
    {
      label: 'Unique Domains',
      icon: IconWorld,
      tone: 'accent',
      value: value(stats?.uniqueDomains),
      // In the order of domains, because there is no list of domains alone.
      ...listOf({ sort: 'domain' }),
      ...over('domains'),
      ...trendOf(all, 'domains', now),
    },
  ];
}
