import { currentContext } from '#platform/server/call-context.ts';
import type { Database } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import type { BodyOf, ResponseOf } from '#platform/shared/contract.ts';
import type { previewTemplate as endpoint } from '../contract.ts';
import { readBrand } from './brand/brand.ts';
import { judged, readGround } from './rendering/judged.ts';
import { refuseContact } from './rendering/merge-data.ts';
import { previewedHtml } from './rendering/previewed-html.ts';

/** Fills what somebody is writing. Throws `not_found` for a contact that is not there. */
export async function previewTemplate(
  db: Database,
  workspaceId: number,
  { textContent, contactId, subject = '', preheader = '', ...body }: BodyOf<typeof endpoint>,
  caller: Caller,
): Promise<ResponseOf<typeof endpoint>> {
  refuseContact(caller, contactId);
  const { ground, brand } = await db.asTenant(workspaceId, async (tx) => ({
    ground: await readGround(tx, workspaceId, contactId),
    brand: await readBrand(tx, workspaceId),
  }));
  const guest = { workspaceId, gone: currentContext().gone?.() };
  const written = await previewedHtml(guest, body, ground.known, brand);
  const { contact } = ground;
  return {
    ...(await judged(db, workspaceId, { written, textContent, ground, lines: { subject, preheader } })),
    contact,
  };
}
