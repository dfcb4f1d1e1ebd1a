import type pg from 'pg';
import { countJudged, type JudgedCounts, judgePiece, type Piece } from '../staging-queries.ts';
import { connect, inTransaction } from './connection.ts';
import type { EngineJob, Meter } from './messages.ts';

/** The rows that wait in the staging table. */
export interface Staged {
  slot: number;
  rows: number;
  anyDeadDomain: boolean;
  anyOptOut: boolean;
  anyMended: boolean;
  pieces: Piece[];
}

/** Judges one piece in its own transaction, so that every connection can see the fates. */
export async function judge(
  job: EngineJob,
  meter: Meter,
  client: pg.Client,
  staged: Staged,
  piece: Piece,
): Promise<void> {
  const { removeDuplicates, checkSuppressions } = job.options;
  const rows = await inTransaction(client, job, () =>
    judgePiece(client, staged.slot, piece, {
      workspaceId: job.workspaceId,
      removeDuplicates,
      checkSuppressions,
      anyDeadDomain: staged.anyDeadDomain,
      anyOptOut: staged.anyOptOut,
      anyMended: staged.anyMended,
      staged: staged.rows,
      giveIds: !job.dryRun,
    }),
  );
  meter.set('judged', meter.get('judged') + rows);
}

/** Judges all pieces, two at a time, and returns the number of rows per fate. */
export async function judgeAll(
  job: EngineJob,
  meter: Meter,
  client: pg.Client,
  staged: Staged,
): Promise<JudgedCounts> {
  const waiting = [...staged.pieces];
  const work = async (on: pg.Client): Promise<void> => {
    for (let piece = waiting.shift(); piece; piece = waiting.shift()) {
      await judge(job, meter, on, staged, piece);
    }
  };
  if (staged.pieces.length === 1) await work(client);
  else {
    const beside = await connect(job);
    try {
      await Promise.all([work(client), work(beside)]);
    } finally {
      await beside.end().catch(() => undefined);
    }
  }
  return countJudged(client, staged.slot);
}
