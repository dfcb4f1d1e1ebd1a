import { formatCount } from '#platform/web/format.ts';
import type { SuppressionReason } from '../contract.ts';
import type { Tab } from './suppressions-search.ts';

export const reasonLabels: Record<SuppressionReason, string> = {
  manual: 'Manual suppression',
  unsubscribed: 'Unsubscribed',
  bounced: 'Bounced',
  complained: 'Complained',
  erased: 'Erased',
  imported: 'Imported list',
};

export const tabLabels: Record<Tab, string> = {
  emails: 'Email Suppressions',
  domains: 'Domain Suppressions',
};

/** The reasons that entries of each list may have. */
export const reasonsOn: Record<Tab, SuppressionReason[]> = {
  emails: ['manual', 'unsubscribed', 'bounced', 'complained', 'erased', 'imported'],
  domains: ['manual', 'imported'],
};

/**
 * What is at stake when somebody who asked not to be mailed is mailed again. Nothing for the
 * business's own reasons.
 */
const stakes: Partial<Record<SuppressionReason, string>> = {
  erased:
    'asked to be erased. Mailing them again may break the law; only lift this if they have come back by themselves.',
  complained:
    'reported your mail as spam. Another complaint harms delivery to everybody else; only lift this with their fresh consent.',
  unsubscribed: 'asked not to be mailed. Only lift this if they have asked to be mailed again.',
};

/** The most serious warning for lifting entries with these reasons; null when there is none. */
export function liftingWarning(reasons: ReadonlySet<SuppressionReason>, many: boolean): string | null {
  for (const reason of ['erased', 'complained', 'unsubscribed'] as const) {
    const words = stakes[reason];
    if (!reasons.has(reason) || words === undefined) continue;
    return many ? `Some of these people ${words}` : `This person ${words}`;
  }
  return null;
}

export const countOf = (tab: Tab, count: number): string =>
  tab === 'emails' ? formatCount(count, 'address', 'addresses') : formatCount(count, 'domain');

export const newWords = (added: number, domains: number): string =>
  `${formatCount(added, 'new address', 'new addresses')}${domains > 0 ? ` and ${formatCount(domains, 'new domain')}` : ''}`;

/** The specification's words for what failed. */
export const failures = {
  emails: 'Failed to add email suppression. Please try again.',
  domains: 'Failed to add domain suppression. Please try again.',
  remove: 'Failed to remove email or domain suppression. Please try again.',
} as const;
