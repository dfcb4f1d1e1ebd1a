import { recordActivity } from '#features/activities/server/index.ts';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Contact } from '../contract.ts';
import {
  attributesProblem,
  type ContactChange,
  changedFields,
  fieldsInWords,
  fieldsNotAs,
  fieldsThatDiffer,
} from '../rules/contact-change.ts';
import { changeMany } from './change-many.ts';
import { findContact } from './find.ts';

/**
 * Changes what is named and leaves the rest. Writing the same values again leaves no trace. Throws
 * `changed_meanwhile` when a field is not as `expected` says.
 */
export async function changeContact(
  tx: TenantTx,
  actor: Actor,
  id: number,
  { expected, ...change }: ContactChange & { expected?: ContactChange | undefined },
): Promise<Contact> {
  const { workspaceId } = actor;
  const [changed] = await changeMany(tx, workspaceId, [id], (before) => {
    const after = changedFields(before, change);
    const problem = attributesProblem(before, after);
    if (problem !== null) throw new AppError('invalid_input', problem, { fields: { attributes: problem } });
    if (fieldsThatDiffer(before, after).length === 0) return null;
    const others = expected ? fieldsNotAs(before, expected) : [];
    if (others.length > 0) throw changedMeanwhile(others);
    const { source, date } = before;
    return { ...after, source, date };
  });
  const contact = await findContact(tx, workspaceId, id);
  if (!changed) return contact;
  const fields = fieldsThatDiffer(changed.before, changed.after);
  // Not the values: people may ask to be forgotten, and nothing can be removed from the log.
  await recordAudit(tx, workspaceId, {
    actor: actor.email,
    action: 'contact.changed',
    subject: `contact:${id}`,
    details: { email: contact.address, fields },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Email Changed',
    details: `${contact.address}: ${fieldsInWords(fields)}`,
    status: 'completed',
    icon: 'pencil',
    iconColor: 'primary',
    actor: actor.email,
    // Changing one field after the other is one line.
    subject: `contact-changed:${id}`,
    notify: false,
  });
  return contact;
}

const changedMeanwhile = (fields: readonly string[]) =>
  new AppError(
    'changed_meanwhile',
    `Somebody has changed this contact since you opened it: ${fieldsInWords(fields)}. Nothing was saved yet.`,
    { fields: Object.fromEntries(fields.map((field) => [field, 'Changed since you opened it.'])) },
  );
