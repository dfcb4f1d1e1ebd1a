import type { ResponseOf } from '#platform/shared/contract.ts';
import type { deleteList } from '../contract.ts';

/** What still asks for a deleted list, as a sentence to add. Empty when nothing does. */
export function usesInWords(usedBy: ResponseOf<typeof deleteList>['usedBy']): string {
  if (usedBy.length === 0) return '';
  const names = usedBy.map(({ name }) => `“${name}”`).join(', ');
  return usedBy.length === 1
    ? ` The view ${names} still asks for it and cannot be opened.`
    : ` The views ${names} still ask for it and cannot be opened.`;
}
