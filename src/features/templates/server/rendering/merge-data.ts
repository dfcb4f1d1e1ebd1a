import { findContact } from '#features/contacts/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { needScope } from '#platform/server/may-too.ts';
import { mergeDataOf } from '../../rules/known-fields.ts';
import type { MergeData } from '../../rules/liquid/run.ts';
import { type SampledField, sampledFields, sampleValues } from '../../rules/sample-data.ts';
import { tagsField } from '../../rules/tag-fields.ts';
import { selectTagAnswers } from '../fields/tag-queries.ts';

/** With a template, a key could read every field of a contact. */
export function refuseContact(caller: Caller, contactId: number | undefined): void {
  if (contactId !== undefined) needScope(caller, 'contacts:read', 'fill a template for a contact');
}

/** Where the settings say who writes, by the names that templates have for it. */
const senderSettings = { company_name: 'company', company_address: 'postalAddress' } as const;

interface Data {
  data: MergeData;
  contact: { id: number; address: string; name: string | null } | null;
  /** What the workspace has not said of itself, so that samples stand for it. */
  sampled: SampledField[];
}

/**
 * The values of a contact, or samples without a tag, and those of the workspace as far as it has
 * given them.
 */
export async function mergeData(
  tx: TenantTx,
  workspaceId: number,
  contactId: number | undefined,
): Promise<Data> {
  const { sender } = await readSettings(tx, workspaceId);
  const sampled = sampledFields.filter((field) => !sender[senderSettings[field]]);
  const own: Record<string, string> = { ...sampleValues, now: new Date().toISOString() };
  for (const field of sampledFields)
    own[field] = sender[senderSettings[field]] || (sampleValues[field] ?? '');
  const tags = await selectTagAnswers(tx, workspaceId, contactId ?? null);
  if (contactId === undefined) return { data: { ...own, [tagsField]: tags }, contact: null, sampled };
  const contact = await findContact(tx, workspaceId, contactId);
  const { id, address, name } = contact;
  const data = mergeDataOf({ ...contact, tags }, withoutContact(own));
  return { data, contact: { id, address, name }, sampled };
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
