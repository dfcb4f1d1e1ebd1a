import type { QueryClient } from '@tanstack/react-query';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { call, words } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import type { liftDomainSuppression, liftEmailSuppression } from '../contract.ts';
import { failures } from './words.ts';

/** Takes off the list what somebody has just put there, and says so. Never rejects. */
export async function takeBack(
  queryClient: QueryClient,
  lift: typeof liftEmailSuppression | typeof liftDomainSuppression,
  { id, name }: { id: number; name: string },
): Promise<void> {
  try {
    await call(lift, { params: { id }, body: { reason: 'Taken back right away' } });
    toastDone({ title: 'Suppression Removed', message: `${name} is off the list again.` });
  } catch (error) {
    toastFailed({ title: 'Error', message: words(error, failures.remove) });
  }
  void refreshContacts(queryClient);
}
