import { listFields } from '#features/audience/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { knownFields } from '../../rules/known-fields.ts';
import { selectTags } from './tag-queries.ts';

/** All that a template of this workspace may ask about a contact. */
export async function knownFieldsOf(tx: TenantTx, workspaceId: number): Promise<string[]> {
  const { items } = await listFields(tx, workspaceId);
  const tags = await selectTags(tx, workspaceId);
  return knownFields(
    items,
    tags.map(({ id }) => id),
  );
}
