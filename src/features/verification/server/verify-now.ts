import { hasId } from '#features/audience/server/index.ts';
import type { VerdictKeeper } from '#features/bin/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { createRowJudge } from './judging/judge-rows.ts';
import { readContacts } from './run-queries.ts';
import { forgetVerdicts, lockVerdicts, wereVerified, writeVerdicts } from './verdict-queries.ts';

const batch = 5000;

/**
 * Judges contacts in the transaction that has just changed them, by what is already known. Looks
 * nothing up.
 */
export async function verifyNow(tx: TenantTx, workspaceId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { emailValidation } = await readSettings(tx, workspaceId);
  const judge = createRowJudge(emailValidation);
  const chosen = hasId(ids);
  for (let after = 0; ; ) {
    const rows = await readContacts(tx, workspaceId, {
      after,
      limit: batch,
      chosen,
      withMail: emailValidation.checkMXRecords,
    });
    if (rows.count === 0) return;
    await writeVerdicts(tx, workspaceId, judge(rows), { renewTimes: true });
    after = rows.lastId;
  }
}

/** What the bin needs from the verdicts. */
export const verdictKeeper: VerdictKeeper = {
  forget: forgetVerdicts,
  hold: lockVerdicts,
  async judge(tx, workspaceId, ids) {
    if (await wereVerified(tx, workspaceId)) await verifyNow(tx, workspaceId, ids);
  },
};
