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
import { readBrand } from './brand/brand.ts';
import { filled, sourceOf } from './fill-template.ts';
import { heavyImagesOf } from './heavy-images.ts';
import { type PreviewedHtml, previewedHtml } from './rendering/previewed-html.ts';

/** Fills what somebody is writing. Throws `not_found` for a contact that is not there. */
export async function previewTemplate(
  db: Database,
  workspaceId: number,
  { textContent, contactId, ...body }: BodyOf<typeof endpoint>,
  caller: Caller,
): Promise<ResponseOf<typeof endpoint>> {
  refuseContact(caller, contactId);
  const { data, contact, extraFields, brand } = await db.asTenant(workspaceId, async (tx) => ({
    ...(await mergeData(tx, workspaceId, contactId)),
    brand: await readBrand(tx, workspaceId),
    extraFields: (await listFields(tx, workspaceId)).items,
  }));
  const known = knownFields(extraFields);
  const written = await previewedHtml(body, known, brand);
  const result = filled(sourceOf(written.html, textContent), data, known);
  const heavy = await heavyImagesOf(db, workspaceId, result.source.html);
  const isTextMade = !textContent?.trim();
  const told = (findings: readonly Omit<Finding, 'block'>[]) => toldOf(findings, written.part, isTextMade);
  const warnings = warningsOf(result.source, result.compiled).filter(
    // Blocks and MJML have told of theirs already, at their places.
    ({ key, part }) => written.part === 'html' || part === 'text' || key !== 'unknown_field',
  );
  return {
    html: result.html,
    text: result.text,
    textSource: result.source.text,
    isTextMade,
    problems: written.problems.length > 0 ? written.problems : told(result.problems),
    warnings: [...written.warnings, ...told([...warnings, ...heavy])],
    contact,
  };
}

/**
 * Findings as the writer understands them: what is wrong with the HTML is wrong with a text that is
 * made from it, and lines of HTML mean nothing to whoever wrote something else.
 */
const toldOf = (
  findings: readonly Omit<Finding, 'block'>[],
  seen: PreviewedHtml['part'],
  isTextMade: boolean,
): Finding[] =>
  findings
    .filter(({ part }) => part === 'html' || !isTextMade)
    .map(({ words, part, line, column }) =>
      part === 'html' && seen !== 'html'
        ? { words, part: seen, line: null, column: null, block: null }
        : { words, part, line, column, block: null },
    );

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
