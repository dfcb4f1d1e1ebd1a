import type { TenantTx } from '#platform/server/database.ts';
import type { Settings } from '../contract.ts';
import { completeSettings } from '../rules.ts';
import { selectSettings } from './queries.ts';

/**
 * The workspace's complete settings. A field that nobody chose, or that this version cannot read,
 * has its default.
 */
export async function readSettings(tx: TenantTx, workspaceId: number): Promise<Settings> {
  return completeSettings(await selectSettings(tx, workspaceId));
}
