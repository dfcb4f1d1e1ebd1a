import { selectContacts } from '#features/contacts/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { ContactEventSource } from '#platform/server/feature.ts';
import type { Caller } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type ContactEvent, mostEvents } from '../contract.ts';
import { newestEvents } from '../rules.ts';
import { selectNames } from './queries.ts';

export async function readTimeline(
  tx: TenantTx,
  workspaceId: number,
  contactId: number,
  sources: readonly ContactEventSource[],
  key: Caller['key'],
): Promise<{ items: ContactEvent[]; isAll: boolean; lastActivityAt: string }> {
  const [contact] = await selectContacts(tx, workspaceId, [contactId]);
  if (!contact) throw new AppError('not_found', 'This contact is not there any more. Reload the list.');
  const events: ContactEvent[] = [];
  // One after the other: they share the transaction's connection. One more than is shown tells whether there are more.
  for (const { scope, tell } of sources) {
    if (key && !key.scopes.includes(scope)) continue;
    events.push(...((await tell(tx, workspaceId, contact, mostEvents + 1)) as ContactEvent[]));
  }
  const { items, isAll } = newestEvents(events, mostEvents);
  const names = await selectNames(tx, [...new Set(items.flatMap(({ by }) => by ?? []))]);
  return {
    items: items.map((event) => ({ ...event, by: names.get(event.by ?? '') ?? event.by })),
    isAll,
    lastActivityAt: items[0]?.at ?? contact.createdAt.toISOString(),
  };
}
