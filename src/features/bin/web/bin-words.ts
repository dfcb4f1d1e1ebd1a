import { formatCount, formatNumber } from '#platform/web/format.ts';
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

/** Why its contacts went: for a clean “531 duplicates, 397 invalid, 592 outside the UK”. */
export function whyWas({ kind, reasons, why }: Pick<Removal, 'kind' | 'reasons' | 'why'>): string {
  if (reasons) return whyCleaned(reasons);
  if (why !== null) return why;
  return {
    delete: 'Deleted by hand',
    clean: 'Duplicate, invalid or outside the UK',
    undo_import: 'Their import was undone',
    merge: 'The same person as a contact that was kept',
  }[kind];
}

function whyCleaned({ duplicates, invalid, nonUk }: NonNullable<Removal['reasons']>): string {
  const parts = [
    duplicates > 0 && formatCount(duplicates, 'duplicate'),
    invalid > 0 && `${formatNumber(invalid)} invalid`,
    nonUk > 0 && `${formatNumber(nonUk)} outside the UK`,
  ];
  return parts.filter(Boolean).join(', ') || 'Duplicate, invalid or outside the UK';
}

export const stateLabels: Record<Removal['state'], string> = {
  removing: 'Removing',
  'in-bin': 'In the bin',
  restored: 'Restored',
  expired: 'Expired',
};

export const reasonLabels = { duplicate: 'Duplicate', invalid: 'Invalid', nonUk: 'Non-UK' } as const;
