import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, TenantTx } from '#platform/server/database.ts';
import { waitAtMost } from '#platform/server/locks.ts';
import { isPassing } from '#platform/server/work/stopped.ts';
import { judgeAgent } from '../../rules/agents.ts';
import type { SendKey, TrackedSends } from '../sends-port.ts';
import {
  judgeStretch,
  lockPeople,
  type Stretch,
  selectJudgement,
  selectMailingsWithEvents,
  selectOldAgents,
  selectStretchEnd,
  upsertJudgement,
  type Verdict,
} from './queries.ts';

/** People whose events are judged in one transaction. Readers who do something wait that long. */
const together = 2_000;
/** Events are kept a month longer, so that those of such a mailing are all there. */
const youngerThanMonths = 24;
/**
 * How long it waits for readers before it steps aside. Less than PostgreSQL takes to see a
 * deadlock.
 */
const patienceMs = 300;
const mostTries = 50;

interface Parts {
  db: Database;
  sends: TrackedSends | undefined;
}

/**
 * Judges again what older rules have judged, and corrects the figures. A day later it looks once
 * more at mailings with new events: while versions change, an older process writes what the pass
 * has not seen. It can be stopped anywhere and goes on there: what is judged is passed by. Events
 * from before names were kept stay as they are.
 */
export async function judgeAgain(
  { db, sends }: Parts,
  workspaceId: number,
  signal: AbortSignal | undefined,
  size = together,
): Promise<void> {
  if (!sends) return;
  const { due, now, found } = await db.asTenant(workspaceId, async (tx) => {
    const { due, since, now } = await selectJudgement(tx, workspaceId);
    const range = { months: youngerThanMonths, since: due === 'recent' ? since : null };
    return { due, now, found: due ? await selectMailingsWithEvents(tx, workspaceId, range) : [] };
  });
  if (!due) return;
  for (const mailingId of found) {
    let after = 0;
    for (;;) {
      signal?.throwIfAborted();
      const from = { workspaceId, mailingId, after };
      const upTo = await db.asTenant(workspaceId, (tx) => selectStretchEnd(tx, from, size));
      if (upTo === null) break;
      await patiently(signal, () => judge(db, { ...from, upTo }, sends));
      after = upTo;
    }
  }
  const over = { at: now, isSettled: due === 'recent' };
  await db.asTenant(workspaceId, (tx) => upsertJudgement(tx, workspaceId, over));
}

/** Judges the clicks of one message anew that may be a burst; see `burst`. */
export async function judgeBurst(
  { db, sends }: Parts,
  workspaceId: number,
  { mailingId, sendId }: SendKey,
): Promise<void> {
  if (!sends) return;
  const stretch = { workspaceId, mailingId, after: sendId - 1, upTo: sendId };
  await patiently(undefined, () => db.asTenant(workspaceId, (tx) => judgeLocked(tx, stretch, sends, [])));
}

/** Readers come first: whatever is in their way is tried again. */
async function patiently(signal: AbortSignal | undefined, judge: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await judge();
    } catch (error) {
      if (!isPassing(error) || tries === mostTries) throw error;
      await sleep(100 + Math.random() * 200, undefined, signal ? { signal } : {});
    }
  }
}

const judge = (db: Database, stretch: Stretch, sends: TrackedSends): Promise<void> =>
  db.asTenant(stretch.workspaceId, async (tx) => {
    const agents = await selectOldAgents(tx, stretch);
    if (agents.length > 0) await judgeLocked(tx, stretch, sends, agents.flatMap(verdictsOf));
  });

const judgeLocked = (
  tx: TenantTx,
  stretch: Stretch,
  sends: TrackedSends,
  verdicts: readonly Verdict[],
): Promise<void> =>
  waitAtMost(tx, patienceMs, 'Readers are being counted.', async () => {
    await lockPeople(tx, stretch);
    await judgeStretch(tx, stretch, sends.all, verdicts);
  });

const verdictsOf = ({ hash, agent: userAgent }: { hash: string; agent: string }): Verdict[] =>
  (['open', 'click'] as const).flatMap((kind) =>
    [false, true].map((isUnseen) => ({
      hash,
      kind,
      isUnseen,
      ...judgeAgent({ userAgent, act: kind, isUnseen }),
    })),
  );
