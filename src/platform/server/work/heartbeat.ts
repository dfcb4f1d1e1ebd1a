import type { RawBuilder } from 'kysely';
import { inBackground } from '../call-context.ts';
import type { Database } from '../database.ts';
import type { Log } from '../logging.ts';
import type { Leases, WorkRun } from './leases.ts';
import { WorkStopped } from './stopped.ts';

const heartbeatMs = 2_000;

export interface HeartbeatOptions {
  db: Database;
  log: Log;
  leases: Leases;
  run: WorkRun;
  /** The columns that each beat sets along with the lease, to show how far the work is. */
  told: () => RawBuilder<unknown>;
  /** Aborted when the run must not go on. */
  stopper: AbortController;
}

/** Keeps a run's lease alive until the returned function is called. */
export function keepLease({ db, log, leases, run, told, stopper }: HeartbeatOptions): () => void {
  let beating = false;
  const beat = async () => {
    // While a beat waits for a slow database, do not start another.
    if (beating) return;
    beating = true;
    try {
      await db.asTenant(run.workspaceId, async (tx) => {
        const standing = await leases.standing(tx, run);
        // The work has written its end and is about to say so.
        if (standing === 'ended') return;
        if (standing !== 'held') stopper.abort(new WorkStopped(standing));
        if (standing !== 'lost') await leases.renew(tx, run, told());
      });
    } catch (error) {
      // The next beat makes up for it. The work itself notices when the database is down.
      log.debug({ err: error, id: run.id }, 'a lease was not renewed');
    } finally {
      beating = false;
    }
  };
  // A call may hold a lease while its file arrives. The heartbeat must use neither the call's
  // connection nor its answer.
  const heart = inBackground(() => setInterval(() => void beat(), heartbeatMs));
  return () => clearInterval(heart);
}
