import { findContact } from '#features/contacts/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import { mergeDataOf } from '../../rules/known-fields.ts';
import type { MergeData } from '../../rules/liquid/run.ts';
import { sampleValues } from '../../rules/sample-data.ts';
import { tagsField } from '../../rules/tag-fields.ts';
import { selectTagAnswers } from '../fields/tag-queries.ts';

/** With a template, a key could read every field of a contact. */
export function refuseContact({ key }: Caller, contactId: number | undefined): void {
  if (contactId === undefined || !key || key.scopes.includes('contacts:read')) return;
  throw new AppError('forbidden', 'To fill a template for a contact, the key needs the scope contacts:read.');
}

/**
 * The values of a contact, or samples without a tag, and those of the workspace as far as it has
 * given them.
 */
export async function mergeData(
  tx: TenantTx,
  workspaceId: number,
  contactId: number | undefined,
): Promise<{ data: MergeData; contact: { id: number; address: string; name: string | null } | null }> {
  const { sender } = await readSettings(tx, workspaceId);
  const own = {
    ...sampleValues,
    now: new Date().toISOString(),
    ...(sender.company ? { company_name: sender.company } : {}),
    ...(sender.postalAddress ? { company_address: sender.postalAddress } : {}),
  };
  const tags = await selectTagAnswers(tx, workspaceId, contactId ?? null);
  if (contactId === undefined) return { data: { ...own, [tagsField]: tags }, contact: null };
  const contact = await findContact(tx, workspaceId, contactId);
  const { id, address, name } = contact;
  return { data: mergeDataOf({ ...contact, tags }, withoutContact(own)), contact: { id, address, name } };
}

/** What a contact does not have must not be filled with another person's values. */
const withoutContact = ({
  first_name,
  last_name,
  name,
  email,
  domain,
  ...rest
}: Record<string, string>): MergeData => rest;
