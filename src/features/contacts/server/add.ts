import { sql } from 'kysely';
import { recordActivity } from '#features/activities/server/index.ts';
import { invalidEmailMessage } from '#features/addresses/rules/looks-like-email.ts';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { noteEvents } from '#features/events/server/index.ts';
import { contactsAdded } from '#features/rollups/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { waitAtMost } from '#platform/server/locks.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Contact } from '../contract.ts';
import { newNames } from '../rules/changed-names.ts';
import { attributesProblem, type ContactChange, changedFields } from '../rules/contact-change.ts';
import { hasHashedSuppressions, insertContact, selectSuppression, suppressHashed } from './add-queries.ts';
import { rememberFieldNames } from './field-names/queries.ts';
import { findContact } from './find.ts';
import { parserFor } from './parser.ts';

/** Judges contacts in the same transaction that added them. */
export type JudgeContacts = (tx: TenantTx, workspaceId: number, ids: readonly number[]) => Promise<void>;

/** How long adding waits for another transaction, such as an import, that adds the same address. */
const patienceMs = 10_000;

/**
 * How long adding waits while it holds the figures exclusively. A list or an import that comes in
 * may hold the entry or the domain that is waited for, and wants the figures at its end. This is
 * less than PostgreSQL's deadlock_timeout (1 s), which might end that work of minutes.
 */
const holdingMs = 800;

/**
 * Adds one address by hand. Throws `invalid_input`, `conflict` (suppressed) or `already_exists`.
 */
export async function addOne(
  tx: TenantTx,
  actor: Actor,
  given: ContactChange & { email: string; checkSuppressions: boolean },
  judge: JudgeContacts,
): Promise<Contact> {
  const { workspaceId } = actor;
  const { emailValidation } = await readSettings(tx, workspaceId);
  const parsed = parserFor(emailValidation.strictValidation).parse(given.email);
  if (!parsed.ok) {
    throw new AppError('invalid_input', invalidEmailMessage, { fields: { email: invalidEmailMessage } });
  }
  const attributes = storable(given);
  if (given.checkSuppressions) await refuseSuppressed(tx, workspaceId, parsed);
  const { address, local, domain } = parsed;
  const id = await insertPatiently(tx, workspaceId, {
    local,
    domain,
    address: address === `${local}@${domain}` ? null : address,
    notes: given.notes || null,
    attributes,
    ...newNames(given),
  });
  if (id === null) {
    throw new AppError('already_exists', `${local}@${domain} is already in the database.`, {
      fields: { email: 'This address is already in the database.' },
    });
  }
  // Before the figures: verdict writers take their lock before the rollup lock.
  await judge(tx, workspaceId, [id]);
  await countNew(tx, workspaceId, { id, local, domain });
  // After the figures, as an import does.
  await rememberFieldNames(tx, workspaceId, Object.keys(attributes));
  await noteEvents(tx, workspaceId, [
    { type: 'contact.created', data: { by: actor.email }, contactIds: [id] },
  ]);
  await recordAudit(tx, workspaceId, {
    actor: actor.email,
    action: 'contact.added',
    subject: `contact:${id}`,
    details: { email: address, checkSuppressions: given.checkSuppressions },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Email Added',
    details: address,
    status: 'completed',
    icon: 'user-plus',
    iconColor: 'success',
    actor: actor.email,
  });
  return findContact(tx, workspaceId, id);
}

const nobody = { name: null, firstName: null, lastName: null, notes: null, attributes: {} };

/** The extra fields of a new contact. Throws `invalid_input` for those that a change refuses. */
function storable({ attributes }: ContactChange): Readonly<Record<string, string>> {
  const after = changedFields(nobody, { attributes });
  const problem = attributesProblem(nobody, after);
  if (problem !== null) throw new AppError('invalid_input', problem, { fields: { attributes: problem } });
  return after.attributes;
}

/** The last that may wait: whoever meets a new contact on a hashed list holds up all others. */
async function countNew(
  tx: TenantTx,
  workspaceId: number,
  { id, local, domain }: { id: number; local: string; domain: string },
): Promise<void> {
  const count = () =>
    contactsAdded(
      tx,
      workspaceId,
      sql`select ${domain}::text collate "C" as domain, ${local}::text collate "C" as local, 0 as state`,
    );
  if (await hasHashedSuppressions(tx, workspaceId)) {
    return waitAtMost(
      tx,
      holdingMs,
      'The suppression list is being changed just now. Try again.',
      async () => {
        await suppressHashed(tx, id);
        await count();
      },
    );
  }
  await count();
  if (await hasHashedSuppressions(tx, workspaceId)) {
    throw new AppError('conflict', 'A suppression list came in at this very moment. Try again.');
  }
}

const reasonWords: Record<string, string> = {
  manual: 'somebody put it there by hand',
  unsubscribed: 'the recipient unsubscribed',
  bounced: 'mail to it bounced',
  complained: 'the recipient reported mail as spam',
  erased: 'the person asked to be erased',
  imported: 'it was imported to the list',
};

async function refuseSuppressed(
  tx: TenantTx,
  workspaceId: number,
  key: { local: string; domain: string },
): Promise<void> {
  const entry = await selectSuppression(tx, workspaceId, key);
  if (!entry) return;
  const why =
    'domain' in entry
      ? `the domain ${entry.domain} is suppressed`
      : (reasonWords[entry.reason] ?? entry.reason);
  const message = `This address is on the suppression list: ${why}. To add it all the same, take it off the list under Suppressions, or untick the suppression check; it is then kept as suppressed and never mailed.`;
  throw new AppError('conflict', message, { fields: { email: message } });
}

const insertPatiently = (
  tx: TenantTx,
  workspaceId: number,
  contact: Parameters<typeof insertContact>[2],
): Promise<number | null> =>
  waitAtMost(
    tx,
    patienceMs,
    'An import is adding this address at this moment. Try again when it has finished.',
    () => insertContact(tx, workspaceId, contact),
  );
