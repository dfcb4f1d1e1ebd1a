import type { TenantTx } from '#platform/server/database.ts';
import { takeLock } from '#platform/server/locks.ts';
import { keptMailsLock } from '../locks.ts';
import { insertMail, type NewMail, selectKept } from './mail-queries.ts';

/**
 * How many mails are kept for somebody to read. Whoever got one message knows its return path for
 * good and may write to it all day, and nobody reads thousands.
 */
const mostKept = { message: 3, day: 200, open: 1_000 } as const;

/** The limit for which a mail is not kept: of its message, or of its workspace. */
export type KeepingLimit = keyof typeof mostKept;

/** Keeps a mail for somebody to read, once. Answers the limit that it would go beyond. */
export async function keepMail(
  tx: TenantTx,
  workspaceId: number,
  mail: NewMail,
): Promise<KeepingLimit | null> {
  await takeLock(tx, keptMailsLock, workspaceId);
  const kept = await selectKept(tx, workspaceId, mail, mostKept);
  if (kept.isThere) return null;
  const limits = Object.keys(mostKept) as KeepingLimit[];
  const reached = limits.find((limit) => kept[limit] >= mostKept[limit]);
  if (reached) return reached;
  await insertMail(tx, workspaceId, mail);
  return null;
}
