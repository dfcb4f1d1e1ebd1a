import type { TenantTx } from '#platform/server/database.ts';
import { judgedAfter, reasonToPause } from '../rules/limits.ts';
import type { BouncedMailings } from './mailings-port.ts';
import { notePaused, selectToJudge } from './queries.ts';

/** Pauses a mailing that is under way when too much of it comes back. */
export async function pauseIfTooMany(
  tx: TenantTx,
  mailings: BouncedMailings | undefined,
  workspaceId: number,
  mailingId: number,
): Promise<void> {
  const figures = await selectToJudge(tx, workspaceId, mailingId);
  if (!mailings || !figures) return;
  const handled = await mailings.handled(tx, workspaceId, mailingId);
  const why = reasonToPause({ ...figures, handled });
  if (why === null || (figures.pausedAt > 0 && handled < figures.pausedAt + judgedAfter)) return;
  await mailings.pause(tx, workspaceId, mailingId, why);
  await notePaused(tx, workspaceId, mailingId, handled);
}
