import { recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { takeLock } from '#platform/server/locks.ts';
import type { BodyOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type KeptBlock, type keepBlock as keepEndpoint, mostBlocksKept } from '../../contract/brand.ts';
import { blocksLock } from '../locks.ts';
import type { Writer } from '../writer.ts';
import { type BlockRow, deleteBlock, insertBlock, selectBlocks } from './queries.ts';

const shown = ({ savedAt, ...row }: BlockRow): KeptBlock => ({ ...row, savedAt: savedAt.toISOString() });

/** The blocks that a workspace keeps. */
export async function listBlocks(tx: TenantTx, workspaceId: number): Promise<{ items: KeptBlock[] }> {
  return { items: (await selectBlocks(tx, workspaceId)).map(shown) };
}

/** Keeps a block. Throws `conflict` when there are too many. */
export async function keepBlock(
  tx: TenantTx,
  { workspaceId, userId, actor }: Writer,
  { name, block }: BodyOf<typeof keepEndpoint>,
): Promise<KeptBlock> {
  await takeLock(tx, blocksLock, workspaceId);
  const id = await insertBlock(tx, workspaceId, { name, block, savedBy: userId, most: mostBlocksKept });
  const [row] = id === undefined ? [] : await selectBlocks(tx, workspaceId, id);
  if (!row)
    throw new AppError('conflict', `A workspace keeps at most ${mostBlocksKept} blocks. Delete one first.`);
  const subject = `template_block:${row.id}`;
  await recordAudit(tx, workspaceId, { actor, action: 'template_block.kept', subject, details: { name } });
  return shown(row);
}

/** Keeps a block no longer. Throws `not_found`. */
export async function forgetBlock(
  tx: TenantTx,
  { workspaceId, actor }: Writer,
  id: number,
): Promise<{ deleted: 1 }> {
  const name = await deleteBlock(tx, workspaceId, id);
  if (name === undefined)
    throw new AppError('not_found', 'This block is not there any more. Reload the page.');
  const subject = `template_block:${id}`;
  await recordAudit(tx, workspaceId, { actor, action: 'template_block.deleted', subject, details: { name } });
  return { deleted: 1 };
}
