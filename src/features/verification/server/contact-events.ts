import type { StoredContact } from '#features/contacts/rules.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { VerificationEvent } from '../contract/contact-events.ts';
import { selectRunFor } from './run-queries.ts';

/** When a contact got its current verdict. Earlier verdicts are not kept. */
export async function tellEvents(
  tx: TenantTx,
  workspaceId: number,
  { id, verification }: StoredContact,
): Promise<VerificationEvent[]> {
  if (!verification) return [];
  const { verdict, risk, checkedAt } = verification;
  const run = await selectRunFor(tx, workspaceId, id, checkedAt);
  return [
    {
      kind: 'verified',
      ...{ verdict, risk },
      run: run ? { id: run.id, whole: run.whole } : null,
      at: checkedAt.toISOString(),
      by: run?.startedBy ?? null,
    },
  ];
}
