import { useCurrentUser } from '#features/identity/web/index.ts';
import { roles } from '#platform/shared/contract.ts';

/** Whether the signed-in person may change contacts. */
export function useMayEdit(): boolean {
  const { role } = useCurrentUser();
  return roles.indexOf(role) >= roles.indexOf('editor');
}

/** Why an action is not offered to a viewer. */
export const needsEditor = 'Changing contacts needs the editor role. You can look, search and export.';
