import { expect, it } from 'vitest';
import type { Database } from '../database.ts';
import type { DiskSpace } from '../disk/disk-space.ts';
import type { Log } from '../logging.ts';
import type { Leases } from './leases.ts';
import { type HeldWork, type WorkQueue, type WorkRecord, WorkRunner } from './runner.ts';

/**
 * Work that is claimed in the very moment in which everything has to stop. The database, the disk
 * and the work itself are played, so that the moment can be met.
 */
type Moment = 'the disk fills up' | 'the process stops';
const record: WorkRecord = { workspaceId: 1, id: 7, attempts: 1, cancelRequested: false };

async function meet(moment: Moment, whenFull: 'wait' | 'fail') {
  const happened: string[] = [];
  let tell: (isFull: boolean) => void = () => undefined;
  const disk = {
    isFull: false,
    onChange(listener: (isFull: boolean) => void) {
      tell = listener;
      return () => undefined;
    },
    notice: () => undefined,
  };
  let isThere = true;
  let stopped: Promise<void> | undefined;
  const queue: WorkQueue<WorkRecord> = {
    name: 'task',
    atOnce: 1,
    whenFull,
    givenUp: 'given up',
    leases: {
      standing: async () => 'held',
      release: async (_tx: never, _run: unknown, _seconds: number, isUncounted: boolean) =>
        void happened.push(`given back, ${isUncounted ? 'not counted' : 'counted'}`),
    } as unknown as Leases,
    claim: async () => (isThere ? record : null),
    async begin() {
      // Claimed, and not yet held.
      isThere = false;
      if (moment === 'the process stops') stopped = runner.stop();
      else {
        disk.isFull = true;
        tell(true);
      }
      return record;
    },
    leave: async () => undefined,
    told: () => undefined as never,
    async work({ stopper }: HeldWork<WorkRecord>) {
      // As work does that waits for a lock.
      await new Promise((_, reject) => {
        stopper.signal.addEventListener('abort', () => reject(stopper.signal.reason));
      });
    },
    breakOff: async (_held, end) => void happened.push(end.cancelled ? 'cancelled' : String(end.error)),
  };
  const asTenant = (_: number, work: (tx: never) => unknown) => work(undefined as never);
  const runner = new WorkRunner(
    {
      db: { asTenant } as unknown as Database,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined } as unknown as Log,
      disk: disk as unknown as DiskSpace,
    },
    queue,
  );
  await runner.look();
  await runner.find(record)?.done;
  await stopped;
  return happened;
}

it.each<[Moment, 'wait' | 'fail', RegExp]>([
  ['the disk fills up', 'wait', /^given back, not counted$/],
  ['the disk fills up', 'fail', /disk is full/],
  ['the process stops', 'wait', /^given back, not counted$/],
  ['the process stops', 'fail', /^given back, not counted$/],
])('work that is claimed while %s, and would %s, ends so: %s', async (moment, whenFull, end) => {
  expect(await meet(moment, whenFull)).toEqual([expect.stringMatching(end)]);
});
