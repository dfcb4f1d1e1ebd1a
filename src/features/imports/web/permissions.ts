import { useCurrentUser } from '#features/identity/web/index.ts';
import { roles } from '#platform/shared/contract.ts';

/** Whether the signed-in person may import: editors and above. Viewers look at imports and fetch receipts. */
export function useMayImport(): boolean {
  return roles.indexOf(useCurrentUser().role) >= roles.indexOf('editor');
}

export const needsEditor = 'Importing needs the editor role';
