import { selectContacts } from '#features/contacts/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { ContactEventSource } from '#platform/server/feature.ts';
import type { Caller } from '#platform/server/http.ts';
import { hasScope } from '#platform/server/may-too.ts';
import type { AnyEvent, EventKind } from '#platform/shared/contact-event.ts';
import { AppError } from '#platform/shared/errors.ts';
import { mostEvents } from '../contract.ts';
import { newestEvents } from '../rules.ts';
import { selectNames } from './queries.ts';

export interface TimelineContext {
  db: Database;
  sources: readonly ContactEventSource[];
  kinds: readonly EventKind[];
}

export async function readTimeline(
  { sources, kinds }: TimelineContext,
  tx: TenantTx,
  workspaceId: number,
  contactId: number,
  caller: Caller,
): Promise<{ items: AnyEvent[]; isAll: boolean; lastActivityAt: string }> {
  const [contact] = await selectContacts(tx, workspaceId, [contactId]);
  if (!contact) throw new AppError('not_found', 'This contact is not there any more. Reload the list.');
  const events: AnyEvent[] = [];
  // One after the other, because they share the transaction's connection. One event more than is
  // shown reveals whether there are more.
  for (const { scope, tell } of sources) {
    if (!hasScope(caller, scope)) continue;
    events.push(...(await tell(tx, workspaceId, contact, mostEvents + 1)));
  }
  const { items, isAll } = newestEvents(events, kinds, mostEvents);
  const names = await selectNames(tx, [...new Set(items.flatMap(({ by }) => by ?? []))]);
  return {
    items: items.map((event) => ({ ...event, by: names.get(event.by ?? '') ?? event.by })),
    isAll,
    lastActivityAt: items[0]?.at ?? contact.createdAt.toISOString(),
  };
}
