import { useQuery } from '@tanstack/react-query';
import type { Contact } from '#features/contacts/contract.ts';
import { type EmailSuppression, listEmailSuppressions } from '#features/suppressions/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { ErrorLine, Note } from '#platform/web/components/states.tsx';
import { formatWhen } from '#platform/web/format.ts';

const reasons: Record<EmailSuppression['reason'], string> = {
  manual: 'It was put on the suppression list by hand',
  unsubscribed: 'The recipient unsubscribed',
  bounced: 'Mail to it bounced',
  complained: 'The recipient reported mail as spam',
  erased: 'The person asked to be erased',
  imported: 'It was imported to the suppression list',
};

/** Why a contact is suppressed: its own entry on the list, or else its domain. */
export function SuppressionNote({ contact: { address, domain } }: { contact: Contact }) {
  const { data, error } = useQuery(queryOptionsFor(listEmailSuppressions, { query: { email: address } }));
  const [entry] = data?.items ?? [];
  const why = entry
    ? `${reasons[entry.reason]} ${formatWhen(entry.createdAt)}.${entry.note ? ` ${entry.note}` : ''}`
    : data
      ? `Its domain ${domain}, or one above it, is on the suppression list.`
      : ' ';
  return (
    <Note title="Not mailed, whatever list it is in">
      {error && !data ? <ErrorLine title="Why could not be loaded." error={error} /> : why}
    </Note>
  );
}
