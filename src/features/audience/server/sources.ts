import { readSettings } from '#features/settings/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { fieldNames } from '../rules.ts';
import { selectFieldNames, selectSources } from './origin-queries.ts';

/** As many as somebody may want to choose from. */
const mostSources = 200;

export async function listSources(
  tx: TenantTx,
  workspaceId: number,
): Promise<{ items: string[]; isAll: boolean }> {
  const sources = await selectSources(tx, workspaceId, mostSources + 1);
  return { items: sources.slice(0, mostSources), isAll: sources.length <= mostSources };
}

/**
 * All extra fields that contacts came with or were given, and those that the settings name for the
 * next import.
 */
export async function listFields(tx: TenantTx, workspaceId: number): Promise<{ items: string[] }> {
  const found = await selectFieldNames(tx, workspaceId);
  const { allowedColumns } = (await readSettings(tx, workspaceId)).import;
  return { items: fieldNames(found, allowedColumns) };
}
