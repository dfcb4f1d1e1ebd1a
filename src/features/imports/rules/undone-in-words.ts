import { contactsInWords } from '#features/contacts/rules.ts';
import type { ImportUndone } from '../contract.ts';

/** "3 contacts moved to the bin. 2 contacts that stay are off the list “Fair”." */
export function undoneInWords(
  { removed = 0, takenOut = [] }: Partial<Pick<ImportUndone, 'removed' | 'takenOut'>>,
  kept = '',
): string {
  const moved = `${contactsInWords(removed)} moved to the bin${kept === '' ? '' : ` ${kept}`}.`;
  const off = takenOut.map(({ kind, name, contacts }) => {
    const that = contacts === 1 ? 'that stays is' : 'that stay are';
    const where = kind === 'list' ? `off the list “${name}”` : `no longer tagged “${name}”`;
    return `${contactsInWords(contacts)} ${that} ${where}.`;
  });
  return [moved, ...off].join(' ');
}
