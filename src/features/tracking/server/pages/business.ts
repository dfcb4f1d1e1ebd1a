import { sql } from 'kysely';
import { readSettings } from '#features/settings/server/index.ts';
import type { Brand } from '#features/templates/rules/document/schema.ts';
import { readBrand } from '#features/templates/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';

/** Whose emails they are, as the pages for their readers say it. */
export interface Business {
  name: string;
  postalAddress: string;
  brand: Brand;
}

export async function readBusiness(tx: TenantTx, workspaceId: number): Promise<Business> {
  const { sender } = await readSettings(tx, workspaceId);
  const { rows } = await sql<{ name: string }>`select name from workspaces where id = ${workspaceId}`.execute(
    tx,
  );
  return {
    name: sender.company || sender.fromName || (rows[0]?.name ?? ''),
    postalAddress: sender.postalAddress,
    brand: await readBrand(tx, workspaceId),
  };
}
