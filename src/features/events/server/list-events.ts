import type { TenantTx } from '#platform/server/database.ts';
import type { StreamedEvent } from '../contract.ts';
import type { MailingSubject } from './mailings-port.ts';
import { type EventRow, selectEnd, selectEvents } from './queries.ts';

/** Events that are looked through for one answer, when only some types are asked for. */
const mostLooked = 10_000;

type SubjectsOf = (
  tx: TenantTx,
  workspaceId: number,
  mailingIds: readonly number[],
) => Promise<MailingSubject[]>;

/** A page of the stream. */
export async function listEvents(
  tx: TenantTx,
  workspaceId: number,
  { after = '0', types, limit }: { after?: string | undefined; types?: string[] | undefined; limit: number },
  subjectsOf: SubjectsOf | undefined,
): Promise<{ items: StreamedEvent[]; cursor: string; hasMore: boolean }> {
  if (after === 'now') return { items: [], cursor: await selectEnd(tx, workspaceId), hasMore: false };
  const looked = types ? mostLooked : limit + 1;
  const found = await selectEvents(tx, workspaceId, { after, types: types ?? null, looked, limit });
  const mailingIds = new Set(found.events.flatMap((event) => (isOfMailing(event) ? [event.subjectId] : [])));
  const mailings = (mailingIds.size > 0 && (await subjectsOf?.(tx, workspaceId, [...mailingIds]))) || [];
  const campaigns = new Map(mailings.map(({ mailingId, campaignId }) => [mailingId, campaignId]));
  return {
    items: found.events.map((event) => ({
      id: event.position,
      type: event.type,
      at: event.at.toISOString(),
      subject: subjectOf(event, campaigns),
      contactIds: event.contactIds,
      data: event.data ?? {},
    })),
    cursor: found.end,
    hasMore: found.hasMore,
  };
}

const isOfMailing = (event: EventRow): event is EventRow & { subjectId: number } =>
  event.subjectId !== null && /^(campaign|email)\./.test(event.type);

function subjectOf(event: EventRow, campaigns: Map<number, number | null>): StreamedEvent['subject'] {
  const { type, subjectId } = event;
  if (subjectId === null) return null;
  if (isOfMailing(event)) {
    const campaignId = campaigns.get(subjectId);
    return campaignId ? { kind: 'campaign', id: campaignId } : { kind: 'batch', id: subjectId };
  }
  const [kind = ''] = type.split('.');
  return { kind: type === 'contact.created' ? 'import' : kind, id: subjectId };
}
