import { listFields } from '#features/audience/server/index.ts';
import { findContact } from '#features/contacts/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import type { BodyOf, ResponseOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { previewTemplate as endpoint, Finding } from '../contract.ts';
import { knownFields, mergeDataOf } from '../rules/known-fields.ts';
import type { MergeData } from '../rules/liquid/run.ts';
import { sampleValues } from '../rules/sample-data.ts';
import { warningsOf } from '../rules/warnings.ts';
import { filled, sourceOf } from './fill-template.ts';
import { heavyImagesOf } from './heavy-images.ts';

/** Fills what somebody is writing. Throws `not_found` for a contact that is not there. */
export async function previewTemplate(
  db: Database,
  workspaceId: number,
  { htmlContent, textContent, contactId }: BodyOf<typeof endpoint>,
  caller: Caller,
): Promise<ResponseOf<typeof endpoint>> {
  refuseContact(caller, contactId);
  const { data, contact, extraFields } = await db.asTenant(workspaceId, async (tx) => ({
    ...(await mergeData(tx, workspaceId, contactId)),
    extraFields: (await listFields(tx, workspaceId)).items,
  }));
  const result = filled(sourceOf(htmlContent, textContent), data, knownFields(extraFields));
  const heavy = await heavyImagesOf(db, workspaceId, result.source.html);
  const isTextMade = !textContent?.trim();
  // What is wrong with the HTML is wrong with a text that is made from it.
  const told = <F extends Finding>(all: readonly F[]): Finding[] =>
    all
      .filter(({ part }) => part === 'html' || !isTextMade)
      .map(({ words, part, line, column }) => ({ words, part, line, column }));
  return {
    html: result.html,
    text: result.text,
    isTextMade,
    problems: told(result.problems),
    warnings: told([...warningsOf(result.source, result.compiled), ...heavy]),
    contact,
  };
}

/** With a template, a key could read every field of a contact. */
export function refuseContact({ key }: Caller, contactId: number | undefined): void {
  if (contactId === undefined || !key || key.scopes.includes('contacts:read')) return;
  throw new AppError('forbidden', 'To fill a template for a contact, the key needs the scope contacts:read.');
}

/** The values of a contact, or samples, and those of the workspace as far as it has given them. */
export async function mergeData(
  tx: TenantTx,
  workspaceId: number,
  contactId: number | undefined,
): Promise<{ data: MergeData; contact: { id: number; address: string; name: string | null } | null }> {
  const { sender } = await readSettings(tx, workspaceId);
  const own = {
    ...sampleValues,
    ...(sender.company ? { company_name: sender.company } : {}),
    ...(sender.postalAddress ? { company_address: sender.postalAddress } : {}),
  };
  if (contactId === undefined) return { data: own, contact: null };
  const contact = await findContact(tx, workspaceId, contactId);
  const { id, address, name } = contact;
  return { data: mergeDataOf(contact, withoutContact(own)), contact: { id, address, name } };
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
