import { recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { mayAs } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import {
  countByHolder,
  giveAll,
  giveKey,
  type HolderRow,
  holdRole,
  lockKey,
  markAllRevoked,
  selectHolders,
} from './holder-queries.ts';

/**
 * A key acts for a person, its holder: whoever made it, or has taken it over since. Each call looks
 * up what the holder may do at that moment, so a key never does more, whatever happens at the same
 * time. What is below keeps the list true as well.
 */

/** Somebody who changes keys. */
export interface KeyActor {
  userId: number;
  email: string;
}

/** Throws unless the actor may manage keys, also if they are being removed at this moment. */
export async function insistOnAdmin(tx: TenantTx, workspaceId: number, actor: KeyActor): Promise<void> {
  const role = await holdRole(tx, workspaceId, actor.userId);
  if (role === undefined || !mayAs(role, 'admin'))
    throw new AppError('forbidden', 'Managing API keys needs the admin role.');
}

/** How many keys act for each person, by user id. */
export const keysByHolder = countByHolder;

/** Revokes the keys that act for a person who leaves the workspace. Returns how many. */
export async function revokeKeysOf(
  tx: TenantTx,
  workspaceId: number,
  holder: KeyActor,
  actor: KeyActor,
): Promise<number> {
  const revoked = await markAllRevoked(tx, workspaceId, holder.userId, actor.email);
  for (const { id, name } of revoked) {
    await recordAudit(tx, workspaceId, {
      actor: actor.email,
      action: 'api_key.revoked',
      subject: `api_key:${id}`,
      details: { name, holder: holder.email },
    });
  }
  return revoked.length;
}

/** Has the keys that act for one person act for the actor from now on. Returns how many. */
export async function takeOverKeysOf(
  tx: TenantTx,
  workspaceId: number,
  holder: KeyActor,
  actor: KeyActor,
): Promise<number> {
  await insistOnAdmin(tx, workspaceId, actor);
  const given = await giveAll(tx, workspaceId, { from: holder.userId, to: actor.userId });
  for (const key of given) await recordTakeOver(tx, workspaceId, key, { holder, actor });
  return given.length;
}

/** The same for one key. */
export async function takeOverKey(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  actor: KeyActor,
): Promise<void> {
  await insistOnAdmin(tx, workspaceId, actor);
  const key = await lockKey(tx, workspaceId, id);
  if (!key) throw new AppError('not_found', 'This key is not there any more. Reload the list.');
  if (key.holderId === actor.userId) return;
  const [holder] = await selectHolders(tx, workspaceId, [key.holderId]);
  await giveKey(tx, workspaceId, { id, to: actor.userId });
  await recordTakeOver(tx, workspaceId, { id, name: key.name }, { holder, actor });
}

async function recordTakeOver(
  tx: TenantTx,
  workspaceId: number,
  { id, name }: { id: number; name: string },
  { holder, actor }: { holder: Pick<HolderRow, 'email'> | undefined; actor: KeyActor },
): Promise<void> {
  await recordAudit(tx, workspaceId, {
    actor: actor.email,
    action: 'api_key.taken_over',
    subject: `api_key:${id}`,
    details: { name, from: holder?.email ?? null, to: actor.email },
  });
}
