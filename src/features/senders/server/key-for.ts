import type { TenantTx } from '#platform/server/database.ts';
import type { Sealer } from '#platform/server/sealed.ts';
import { signingKey } from '../rules/keys.ts';
import { domainsFor } from './domains-for.ts';
import { placeOfKey } from './make-key.ts';
import { selectKeysOf } from './queries.ts';

/** A key to sign with. */
export interface SenderKey {
  domain: string;
  selector: string;
  /** PKCS 8, PEM. */
  privateKey: string;
}

/**
 * The key for mail from this domain: its own or, without one, that of the nearest domain above it
 * that belongs to the same organisation. Null when there is none.
 */
export async function keyFor(
  tx: TenantTx,
  sealer: Sealer,
  workspaceId: number,
  fromDomain: string,
): Promise<SenderKey | null> {
  const domains = domainsFor(fromDomain);
  const keys = await selectKeysOf(tx, workspaceId, domains);
  for (const domain of domains) {
    const key = signingKey(keys.filter((one) => one.domain === domain));
    if (!key) continue;
    const place = placeOfKey(workspaceId, domain, key.selector);
    return { domain, selector: key.selector, privateKey: sealer.open(key.sealedKey, place) };
  }
  return null;
}
