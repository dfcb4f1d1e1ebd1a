import { recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { takeLock } from '#platform/server/locks.ts';
import type { BodyOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import {
  type BlockSummary,
  type KeptBlock,
  type keepBlock as keepEndpoint,
  mostBlocksKept,
} from '../../contract/brand.ts';
import { blocksLock } from '../locks.ts';
import type { Writer } from '../writer.ts';
import { deleteBlock, insertBlock, selectBlock, selectBlocks } from './queries.ts';

const shown = <Row extends { savedAt: Date }>(row: Row) => ({ ...row, savedAt: row.savedAt.toISOString() });

const gone = () => new AppError('not_found', 'This block is not there any more. Reload the page.');

/** The blocks that a workspace keeps. */
export async function listBlocks(tx: TenantTx, workspaceId: number): Promise<{ items: BlockSummary[] }> {
  return { items: (await selectBlocks(tx, workspaceId)).map(shown) };
}

/** One of them. Throws `not_found`. */
export async function showBlock(tx: TenantTx, workspaceId: number, id: number): Promise<KeptBlock> {
  const row = await selectBlock(tx, workspaceId, id);
  if (!row) throw gone();
  return shown(row);
}

/** Keeps a block. Throws `conflict` when there are too many. */
export async function keepBlock(
  tx: TenantTx,
  { workspaceId, userId, actor }: Writer,
  { name, block }: BodyOf<typeof keepEndpoint>,
): Promise<KeptBlock> {
  await takeLock(tx, blocksLock, workspaceId);
  const id = await insertBlock(tx, workspaceId, { name, block, savedBy: userId, most: mostBlocksKept });
  const row = id === undefined ? undefined : await selectBlock(tx, workspaceId, id);
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
  if (name === undefined) throw gone();
  const subject = `template_block:${id}`;
  await recordAudit(tx, workspaceId, { actor, action: 'template_block.deleted', subject, details: { name } });
  return { deleted: 1 };
}
