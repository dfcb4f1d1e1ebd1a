import { formatNumber } from '#platform/web/format.ts';
import type { Removal } from '../contract.ts';

/** What was done, for the first column of the bin. */
export function whatWas({ kind }: Pick<Removal, 'kind'>): string {
  return {
    delete: 'Deleted',
    clean: 'Database clean',
    undo_import: 'Import undone',
    merge: 'Merged',
  }[kind];
}

/** Why, for a clean: "120 duplicate, 14 invalid, 3 non-UK". */
export function whyWas({ reasons }: Pick<Removal, 'reasons'>): string {
  if (!reasons) return '';
  return (
    `${formatNumber(reasons.duplicates)} duplicate, ${formatNumber(reasons.invalid)} invalid, ` +
    `${formatNumber(reasons.nonUk)} non-UK`
  );
}

export const stateLabels: Record<Removal['state'], string> = {
  removing: 'Removing',
  'in-bin': 'In the bin',
  restored: 'Restored',
  expired: 'Expired',
};

export const reasonLabels = { duplicate: 'Duplicate', invalid: 'Invalid', nonUk: 'Non-UK' } as const;
