import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshContacts } from '#features/contacts/web/index.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { call } from '#platform/web/api.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { liftDomainSuppression, suppressDomain } from '../contract.ts';
import { takeBack } from './take-back.ts';
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
        ...(entry.isNew && {
          action: {
            label: 'Undo',
            onClick: () =>
              void takeBack(queryClient, liftDomainSuppression, { id: entry.id, name: entry.domain }),
          },
        }),
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
