import { type BounceFigures, sendsBack } from '#features/bounces/server/index.ts';
import type { MailingStanding, Sending } from '#features/sending/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';

/**
 * How many messages of each mailing a server took and did not send back, by the mailing's number.
 * `back` are the figures of those that came back. What is uncertain is in neither figure, and is
 * looked for where some came back.
 */
export async function deliveredOf(
  tx: TenantTx,
  sending: Pick<Sending, 'countRecipients'>,
  workspaceId: number,
  standings: readonly Pick<MailingStanding, 'id' | 'sent' | 'uncertain'>[],
  back: readonly BounceFigures[],
): Promise<Map<number, number>> {
  const returned = new Map(back.map((one) => [one.mailingId, one.returned]));
  const delivered = new Map<number, number>();
  for (const { id, sent, uncertain } of standings) {
    const all = returned.get(id) ?? 0;
    const unseen =
      all > 0 && uncertain > 0
        ? await sending.countRecipients(tx, workspaceId, id, {
            ...{ state: 'uncertain', search: null, among: sendsBack(workspaceId, id, 'bounce') },
          })
        : 0;
    delivered.set(id, Math.max(0, sent - (all - unseen)));
  }
  return delivered;
}
