import { ApiError, isRefusal, words } from '#platform/web/api.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastFailed } from '#platform/web/toast.tsx';
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

const namedReasons: [pattern: RegExp, reason: SuppressionReason][] = [
  [/complain|spam|abuse/i, 'complained'],
  [/bounce|(?:^|[^a-z])cleaned/i, 'bounced'],
  [/unsub|opt(?:ed)?[-_ ]?out/i, 'unsubscribed'],
];

/**
 * Why people are on a list with this file name, as other tools name theirs:
 * `unsubscribed_members_export_1a2b.csv`, `cleaned_members_export_1a2b.csv`. Null when it tells
 * nothing.
 */
export const reasonByName = (fileName: string): SuppressionReason | null =>
  namedReasons.find(([pattern]) => pattern.test(fileName))?.[1] ?? null;

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
    const stake = stakes[reason];
    if (!reasons.has(reason) || stake === undefined) continue;
    return many ? `Some of these people ${stake}` : `This person ${stake}`;
  }
  return null;
}

export const countOf = (tab: Tab, count: number): string =>
  tab === 'emails' ? formatCount(count, 'address', 'addresses') : formatCount(count, 'domain');

/** What the server says about the typed text. Null when it failed for another reason. */
export function refusalOf(error: unknown, tab: Tab): string | null {
  if (!isRefusal(error)) return null;
  const field = tab === 'emails' ? 'email' : 'domain';
  return (error instanceof ApiError && error.fields[field]) || words(error, failures[tab]);
}

export const newWords = (added: number, domains: number): string =>
  `${formatCount(added, 'new address', 'new addresses')}${domains > 0 ? ` and ${formatCount(domains, 'new domain')}` : ''}`;

/** The specification's words for what failed. */
export const failures = {
  emails: 'Failed to add email suppression. Please try again.',
  domains: 'Failed to add domain suppression. Please try again.',
  remove: 'Failed to remove email or domain suppression. Please try again.',
} as const;

/** Tells of a failure that the form itself does not show. */
export function tellFailure(error: unknown, message: string): void {
  if (!isRefusal(error)) toastFailed({ title: 'Error', message });
}
