import type { TenantTx } from '#platform/server/database.ts';
import { addressInUrl } from '../rules/address.ts';
import { selectSizes } from './queries.ts';

/** The bytes of those of these URLs that are images of the workspace, by URL. */
export async function imageSizes(
  tx: TenantTx,
  workspaceId: number,
  urls: readonly string[],
): Promise<Map<string, number>> {
  const tokens = new Map<string, string>();
  for (const url of urls) {
    const address = addressInUrl(url);
    if (address?.workspaceId === workspaceId) tokens.set(url, address.token);
  }
  if (tokens.size === 0) return new Map();
  const rows = await selectSizes(tx, workspaceId, [...new Set(tokens.values())]);
  const sizes = new Map(rows.map(({ token, bytes }) => [token, bytes]));
  return new Map(
    [...tokens].flatMap(([url, token]): [string, number][] => {
      const bytes = sizes.get(token);
      return bytes === undefined ? [] : [[url, bytes]];
    }),
  );
}
