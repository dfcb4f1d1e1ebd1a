import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshContacts } from '#features/contacts/web/index.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { call, words } from '#platform/web/api.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { liftDomainSuppression, suppressDomain } from '../contract.ts';
import { failures, tellFailure } from './words.ts';

type Suppressed = ResponseOf<typeof suppressDomain>;

/**
 * Puts a domain on the list, says what that did, and offers the way back. The form shows a failure
 * itself.
 */
export function useSuppressDomain(onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (domain: string) => call(suppressDomain, { body: { domain } }),
    onSuccess: (entry) => {
      toastDone({
        title: 'Domain Suppressed',
        message: whatHappened(entry),
        // What was there before stays.
        ...(entry.isNew && { action: { label: 'Undo', onClick: () => void takeBack(queryClient, entry) } }),
      });
      void refreshContacts(queryClient);
      onDone();
    },
    onError: (error) => tellFailure(error, failures.domains),
  });
}

export function whatHappened({
  domain,
  affectedCount,
  isNew,
}: Pick<Suppressed, 'domain' | 'affectedCount' | 'isNew'>): string {
  if (!isNew) return `${domain} was on the list already.`;
  return affectedCount === 0
    ? `${domain} is on the list. You have no contacts there.`
    : `${domain} is on the list: ${formatCount(affectedCount, 'contact')} will not be mailed.`;
}

async function takeBack(queryClient: QueryClient, { id, domain }: Suppressed): Promise<void> {
  try {
    await call(liftDomainSuppression, { params: { id }, body: { reason: 'Taken back right away' } });
    toastDone({ title: 'Suppression Removed', message: `${domain} is off the list again.` });
  } catch (error) {
    toastFailed({ title: 'Error', message: words(error, failures.remove) });
  }
  void refreshContacts(queryClient);
}
