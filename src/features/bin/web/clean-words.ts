import { fates } from '#platform/web/components/fate-bar.tsx';
import { formatAbout, formatCount, formatNumber } from '#platform/web/format.ts';
import { type CleanReason, type CleanReasonView, usualReasons } from '../contract.ts';

export type CleanCounts = Record<'removed' | 'duplicates' | 'invalid' | 'nonUk', number> & {
  /** Some of them come from a sample. */
  isEstimate?: boolean | undefined;
};

/** What a clean does with contacts, in the order of the bar. */
export const fateLabels = [
  { key: 'kept', label: 'Kept' },
  { key: 'duplicates', label: 'Duplicates' },
  { key: 'invalid', label: 'Invalid' },
  { key: 'nonUk', label: 'Non-UK' },
] as const;

type CleanFate = (typeof fateLabels)[number]['key'];

export function colourOf(fate: CleanFate): string {
  const key = fate === 'kept' ? 'imported' : fate;
  return fates.find((one) => one.key === key)?.colour ?? 'var(--ui-track)';
}

/** The reasons of a clean: their words, and as what the contacts count when they go. */
export const reasonsInWords: Record<
  CleanReason,
  { label: string; what: string; fate: Exclude<CleanFate, 'kept'> }
> = {
  duplicate: { label: 'Duplicates', what: 'Further copies of a contact', fate: 'duplicates' },
  invalid: { label: 'Invalid', what: 'Not an address that can be mailed', fate: 'invalid' },
  nonUk: { label: 'Non-UK', what: 'Outside the UK setting', fate: 'nonUk' },
  letIn: {
    label: 'Non-UK, let in by their import',
    what: 'Outside the UK setting; what was chosen for their import kept them',
    fate: 'nonUk',
  },
};

/** What the chosen reasons amount to. */
export function countsOf(reasons: readonly CleanReasonView[], chosen: readonly CleanReason[]): CleanCounts {
  const counts = { removed: 0, duplicates: 0, invalid: 0, nonUk: 0, isEstimate: false };
  for (const { reason, contacts, isEstimate } of reasons) {
    if (!chosen.includes(reason)) continue;
    counts.isEstimate ||= isEstimate;
    counts[reasonsInWords[reason].fate] += contacts;
    counts.removed += contacts;
  }
  return counts;
}

/**
 * Whether any contact may have the reason. A sample that found none does not say that there are
 * none.
 */
export const mayBeAny = ({
  contacts,
  isEstimate,
}: Pick<CleanReasonView, 'contacts' | 'isEstimate'>): boolean => contacts > 0 || isEstimate;

/** "1,204", "about 1,204,000", or "few or none" where a sample found none. */
export function figureOf(contacts: number, isEstimate: boolean | undefined): string {
  if (!isEstimate) return formatNumber(contacts);
  return contacts === 0 ? 'few or none' : formatAbout(contacts);
}

/** The button that removes what was chosen. Null when there is nothing to remove. */
export function removeWords({
  removed,
  isEstimate,
}: Pick<CleanCounts, 'removed' | 'isEstimate'>): string | null {
  if (!isEstimate) return removed === 0 ? null : `Remove ${formatCount(removed, 'contact')}`;
  return removed === 0 ? 'Remove what there is' : `Remove ${formatAbout(removed)} contacts`;
}

/** The query of a clean for these reasons: none for the usual ones. */
export function queryOf(chosen: readonly CleanReason[]): { reasons?: string } {
  const isUsual = chosen.length === usualReasons.length && usualReasons.every((one) => chosen.includes(one));
  return isUsual ? {} : { reasons: chosen.join(',') };
}
