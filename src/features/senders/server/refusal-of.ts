import type { TenantTx } from '#platform/server/database.ts';
import { domainsFor } from './domains-for.ts';
import { areDomainsOfOthers } from './queries.ts';

/**
 * Why no mail from this address may leave by the server that all workspaces share, in a sentence:
 * another workspace has proved its domain or one above it, and this one has not. Null: it may.
 */
export async function refusalOf(tx: TenantTx, fromAddress: string): Promise<string | null> {
  const domains = domainsFor(fromAddress.slice(fromAddress.lastIndexOf('@') + 1));
  if (!(await areDomainsOfOthers(tx, domains))) return null;
  return `Mail cannot come from “${fromAddress}”: somebody else here has proved that its domain is theirs. If it is yours too, add it to your sender domains and set its DNS records.`;
}
