import { formatCount, formatNumber } from '#platform/shared/words.ts';
import type { NonUkView } from '../contract.ts';

/** What the non-UK filter leaves out, in words for the check screen and the command line. */

const classes = [
  { key: 'uk', uk: 'uk', what: 'with a British ending outside your list' },
  { key: 'likelyUk', uk: 'likely_uk', what: 'at British organisations and providers' },
  { key: 'global', uk: 'global', what: 'at worldwide providers' },
  { key: 'notUk', uk: 'not_uk', what: 'at other domains' },
] as const;

const shownDomains = 4;

/** A line for each UK class that has rows, with its largest domains. */
export function nonUkLines({ domains, ...view }: NonUkView): string[] {
  return classes.flatMap(({ key, uk, what }) => {
    if (view[key] === 0) return [];
    const largest = domains.filter((domain) => domain.uk === uk).slice(0, shownDomains);
    const told = largest.map(({ domain, rows }) => `${domain} ${formatNumber(rows)}`);
    const rest = largest.reduce((left, { rows }) => left - rows, view[key]);
    if (told.length > 0 && rest > 0) told.push(`others ${formatNumber(rest)}`);
    return [`${formatNumber(view[key])} ${what}${told.length === 0 ? '' : `: ${told.join(', ')}`}`];
  });
}

/** "180 rows are left out as non-UK". Null when there are none. */
export function nonUkTitle({ uk, likelyUk, global, notUk }: NonUkView): string | null {
  const total = uk + likelyUk + global + notUk;
  return total === 0 ? null : `${formatCount(total, 'row')} ${total === 1 ? 'is' : 'are'} left out as non-UK`;
}
