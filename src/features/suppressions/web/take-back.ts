import type { QueryClient } from '@tanstack/react-query';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { call, words } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import type { liftDomainSuppression, liftEmailSuppression, SuppressionReason } from '../contract.ts';
import { failures } from './words.ts';

/**
 * Takes off the list what somebody has just put there, and says so. Never rejects. An address stays
 * where its reason is not the one given here: its owner may have unsubscribed meanwhile.
 */
export async function takeBack(
  queryClient: QueryClient,
  lift: typeof liftEmailSuppression | typeof liftDomainSuppression,
  { id, name, reason }: { id: number; name: string; reason?: SuppressionReason },
): Promise<void> {
  try {
    await call(lift, { params: { id }, body: { reason: 'Taken back right away', expected: reason } });
    toastDone({ title: 'Suppression Removed', message: `${name} is off the list again.` });
  } catch (error) {
    toastFailed({ title: 'Error', message: words(error, failures.remove) });
  }
  void refreshContacts(queryClient);
}
