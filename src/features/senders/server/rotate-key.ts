import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Sealer } from '#platform/server/sealed.ts';
import { AppError } from '#platform/shared/errors.ts';
import { freeSelector, keptUntil, signingKey } from '../rules/keys.ts';
import { type MadeKey, placeOfKey, sealKey } from './make-key.ts';
import { needDomain } from './present.ts';
import { insertKey, lockAllKeys, updateSealed } from './queries.ts';

/** Makes a second key. It signs once its record has been seen. */
export async function rotateKey(
  tx: TenantTx,
  { workspaceId, email }: Actor,
  id: number,
  { sealer, made }: { sealer: Sealer; made: MadeKey },
): Promise<void> {
  const { row, keys } = await needDomain(tx, workspaceId, id, { lock: true });
  if (!signingKey(keys)?.seenAt)
    throw new AppError('conflict', 'The record of the present key has not been seen yet. Publish it first.');
  const selector = freeSelector(keys);
  if (selector === undefined) {
    const retired = keys.find((key) => key.retiredAt !== null)?.retiredAt;
    const words = retired
      ? `The old key is kept until ${keptUntil(retired).toISOString().slice(0, 10)}, for mail on its way. Make a new one then.`
      : 'A new key is waiting for its record to be seen. Publish it first.';
    throw new AppError('conflict', words);
  }
  const sealedKey = sealKey(sealer, { workspaceId, domain: row.domain, selector }, made);
  await insertKey(tx, workspaceId, { domainId: id, selector, publicKey: made.publicKey, sealedKey });
  await recordAudit(tx, workspaceId, {
    actor: email,
    action: 'sender_domain.key_made',
    subject: `sender_domain:${id}`,
    details: { name: row.domain, selector },
  });
}

/** Seals again what an earlier SECRET_KEY has sealed. */
export async function sealAgain(tx: TenantTx, workspaceId: number, sealer: Sealer): Promise<void> {
  for (const { domainId, domain, selector, sealedKey } of await lockAllKeys(tx, workspaceId)) {
    if (sealer.isCurrent(sealedKey)) continue;
    const place = placeOfKey(workspaceId, domain, selector);
    const renewed = sealer.seal(sealer.open(sealedKey, place), place);
    await updateSealed(tx, workspaceId, { domainId, selector, sealedKey: renewed });
  }
}
