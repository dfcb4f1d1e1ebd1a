import type { BounceFigures } from '#features/bounces/server/index.ts';
import type { MailingStanding, Sending } from '#features/sending/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';

/**
 * How many messages of each mailing a server took and did not send back, by the mailing's number.
 * `back` are the figures of those that came back. Uncertain ones that did are not among the sent.
 */
export async function deliveredOf(
  tx: TenantTx,
  sending: Pick<Sending, 'uncertainBack'>,
  workspaceId: number,
  standings: readonly Pick<MailingStanding, 'id' | 'sent' | 'uncertain'>[],
  back: readonly BounceFigures[],
): Promise<Map<number, number>> {
  const returned = new Map(back.map((one) => [one.mailingId, one.returned]));
  const asked = standings.filter(({ id, uncertain }) => uncertain > 0 && (returned.get(id) ?? 0) > 0);
  const ids = asked.map(({ id }) => id);
  const found = ids.length > 0 ? await sending.uncertainBack(tx, workspaceId, ids) : [];
  const unsent = new Map(found.map(({ mailingId, messages }) => [mailingId, messages]));
  return new Map(
    standings.map(({ id, sent }) => [
      id,
      Math.max(0, sent - (returned.get(id) ?? 0) + (unsent.get(id) ?? 0)),
    ]),
  );
}
