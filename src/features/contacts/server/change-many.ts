import { noteEvents } from '#features/events/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { fieldsThatDiffer, type LockedFields, type NewFields } from '../rules/contact-change.ts';
import { lockFields, writeFields } from './change-queries.ts';
import { rememberFieldNames } from './field-names/queries.ts';

export interface ChangedContact {
  id: number;
  before: LockedFields;
  after: NewFields;
}

/**
 * Changes the fields of these contacts, each as `decide` says, and answers which were changed. Null
 * leaves a contact as it is. Numbers that no contact of the workspace has are passed over.
 */
export async function changeMany(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
  decide: (before: LockedFields) => NewFields | null,
): Promise<ChangedContact[]> {
  const locked = await lockFields(tx, workspaceId, ids);
  const changed = locked.flatMap((before) => {
    const after = decide(before);
    return after ? [{ id: before.id, before, after }] : [];
  });
  if (changed.length === 0) return [];
  await writeFields(
    tx,
    workspaceId,
    changed.map(({ id, after }) => ({ ...after, id })),
  );
  await rememberFieldNames(tx, workspaceId, [...new Set(changed.flatMap(addedNames))]);
  const byFields = Map.groupBy(changed, ({ before, after }) =>
    JSON.stringify(fieldsThatDiffer(before, after)),
  );
  await noteEvents(
    tx,
    workspaceId,
    [...byFields].map(([fields, contacts]) => ({
      type: 'contact.updated',
      data: { fields: JSON.parse(fields) },
      contactIds: contacts.map(({ id }) => id),
    })),
  );
  return changed;
}

const addedNames = ({ before, after }: ChangedContact): string[] =>
  Object.keys(after.attributes).filter((name) => !Object.hasOwn(before.attributes, name));
