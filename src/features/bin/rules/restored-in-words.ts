import { contactsInWords } from '#features/contacts/rules.ts';
import { formatNumber } from '#platform/shared/words.ts';
import type { Restored } from '../contract.ts';

/** "3 contacts brought back; 1 stays in the bin, because its address exists again". */
export function restoredInWords({ restored = 0, leftOut = 0 }: Partial<Restored>): string {
  const back = `${contactsInWords(restored)} brought back`;
  if (leftOut === 0) return back;
  const stays =
    leftOut === 1
      ? 'stays in the bin, because its address exists again'
      : 'stay in the bin, because their addresses exist again';
  return restored === 0
    ? `${contactsInWords(leftOut)} ${stays}`
    : `${back}; ${formatNumber(leftOut)} ${stays}`;
}
