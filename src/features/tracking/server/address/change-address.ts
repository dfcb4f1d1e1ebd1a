import { sql } from 'kysely';
import { createAddressParser } from '#features/addresses/rules/parse.ts';
import { idna } from '#features/addresses/server/index.ts';
import { entryOf, suppressRecipients } from '#features/suppressions/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { takeLock } from '#platform/server/locks.ts';
import type { TrackingContext } from '../context.ts';
import { deletePause } from '../leaving/pause-queries.ts';
import { carryStayingAway, standingOf } from '../leaving/wishes.ts';
import { addressRequestsLock } from '../locks.ts';
import { confirmationMail, noticeMail } from '../pages/address-texts.ts';
import { type Business, readBusiness } from '../pages/business.ts';
import type { TrackedSend } from '../sends-port.ts';
import type { AddressChanges } from './changes-port.ts';
import {
  type AddressRequest,
  countRequests,
  endRequest,
  insertRequest,
  selectContactOf,
  selectRequest,
} from './request-queries.ts';

const parser = createAddressParser({ ...idna, strict: true, cacheSlots: 256 });

/** Changes that one message may ask for in a day, and that lead to one address. */
const mostBySend = 3;
const mostToAddress = 2;

/** `sent` tells neither who is in the database nor who is suppressed: it is always the same. */
export type Asked = 'sent' | 'no_address' | 'same' | 'too_many';

/** Sends a mail to the address that a reader has typed, with a link to confirm it. */
export async function askForAddress(
  { db, mail, site, linkBase }: TrackingContext,
  workspaceId: number,
  send: TrackedSend,
  { typed, business }: { typed: string; business: Business },
): Promise<Asked> {
  const parsed = parser.parse(typed.replaceAll('\0', '').slice(0, 1000));
  if (!parsed.ok) return 'no_address';
  const { local, domain } = parsed;
  const asked = await db.asTenant(workspaceId, async (tx): Promise<Asked> => {
    const contact = await selectContactOf(tx, workspaceId, send);
    if (!contact || (contact.local === local && contact.domain === domain)) return 'same';
    const { mailingId, sendId } = send;
    await takeLock(tx, addressRequestsLock, workspaceId);
    const { bySend, toAddress } = await countRequests(tx, workspaceId, { mailingId, sendId, local, domain });
    if (bySend >= mostBySend) return 'too_many';
    const id = await insertRequest(tx, workspaceId, {
      ...{ mailingId, sendId, local, domain },
      ...{ contactId: contact.id, oldLocal: contact.local, oldDomain: contact.domain },
    });
    // Whoever wants no mail from here gets none, and nobody is written to again and again.
    if (toAddress >= mostToAddress || (await entryOf(tx, workspaceId, { local, domain }))) return 'sent';
    const name = site.keys.references.url('address', { workspaceId, mailingId, sendId, part: id });
    await mail.send(tx, {
      ...{ to: `${local}@${domain}`, kind: 'email_proof', workspaceId },
      ...confirmationMail(business, `${linkBase}/a/${name}`),
    });
    return 'sent';
  });
  if (asked === 'sent') mail.hurry();
  return asked;
}

/**
 * A request that can still be confirmed. Null when it is over, when the address was changed since,
 * and when somebody wants no mail at either address any more: whoever has left stays left.
 */
export async function openRequest(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  options: { lock?: boolean } = {},
): Promise<AddressRequest | null> {
  const request = await selectRequest(tx, workspaceId, id, options);
  if (!request) return null;
  if (request.doneAt !== null) return request;
  const { contactId, oldLocal: local, oldDomain: domain } = request;
  const contact = await selectContactOf(tx, workspaceId, { contactId, local, domain });
  const isSame = contact?.id === contactId && contact.local === local && contact.domain === domain;
  if (!isSame || request.isExpired) return null;
  for (const key of [
    { local, domain },
    { local: request.local, domain: request.domain },
  ])
    if ((await standingOf(tx, workspaceId, key)).hasLeft) return null;
  return request;
}

/**
 * Gives the contact the address that was confirmed. When that is a contact already, both are the
 * same reader's, and the old address is suppressed: emails go to the new one either way. The old
 * address is told, since a forwarded message is enough to ask.
 */
export async function confirmAddress(
  tx: TenantTx,
  { changes, mail, topics }: Pick<TrackingContext, 'mail' | 'topics'> & { changes: AddressChanges },
  workspaceId: number,
  id: number,
): Promise<AddressRequest | null> {
  const request = await openRequest(tx, workspaceId, id, { lock: true });
  if (!request || request.doneAt !== null) return request;
  const { contactId, oldLocal, oldDomain, local, domain } = request;
  const old = { local: oldLocal, domain: oldDomain };
  const isMoved = await changes.change(tx, workspaceId, contactId, { local, domain });
  const holder = isMoved
    ? undefined
    : await selectContactOf(tx, workspaceId, { contactId: null, local, domain });
  if (!isMoved) {
    const note = `Wants emails at ${local}@${domain} instead, and confirmed it`;
    await suppressRecipients(tx, workspaceId, [{ ...old, reason: 'unsubscribed', note }]);
  }
  const pair = sql`
    select ${contactId}::bigint as contact_id, ${oldLocal}::text as from_local, ${oldDomain}::text as from_domain,
      ${local}::text as to_local, ${domain}::text as to_domain`;
  await carryStayingAway({ topics }, tx, workspaceId, pair);
  await deletePause(tx, workspaceId, old);
  await endRequest(tx, workspaceId, id, holder?.id ?? null);
  await mail.send(tx, {
    ...{ to: `${oldLocal}@${oldDomain}`, kind: 'notice', workspaceId },
    ...noticeMail(await readBusiness(tx, workspaceId), `${local}@${domain}`),
  });
  return request;
}
