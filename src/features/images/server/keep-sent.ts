import type { TenantTx } from '#platform/server/database.ts';
import { tokensIn } from '../rules/address.ts';
import { sentYears } from '../rules/limits.ts';
import { keepFiles } from './queries.ts';

/**
 * Keeps the files of all images that a mail shows, as readers open it for years: in the
 * transaction that makes the mail. `texts` are its HTML and all that is filled in.
 */
export async function keepSent(tx: TenantTx, workspaceId: number, texts: readonly string[]): Promise<void> {
  const tokens = new Set(texts.flatMap(tokensIn));
  if (tokens.size > 0) await keepFiles(tx, workspaceId, [...tokens], sentYears);
}
