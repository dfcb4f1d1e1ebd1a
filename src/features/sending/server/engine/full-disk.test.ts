import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openDiskSpace } from '#platform/server/disk/disk-space.ts';
import { createLogger } from '#platform/server/logging.ts';
import { openSendingApp } from '#test/support/sending-app.ts';

// The disk of the database is full while a campaign is being sent: PostgreSQL says so, and the disk
// is one that the product cannot see.

const people = 300;
const room = { freeBytes: 1e9, totalBytes: 1e9 };
const disk = openDiskSpace({
  log: createLogger('silent'),
  measure: async () => room,
  ...{ lookEveryMs: 100, elsewhereMs: 500 },
});
const app = openSendingApp({ people, disk });
const { send, stands } = app;

beforeAll(() => {
  disk.watch('/data');
  disk.begin();
  app.peer.delayMs = 50;
});
beforeEach(() => void Object.assign(app.peer, { taken: [], asked: 0 }));
afterEach(() => makeRoom());
afterAll(() => disk.stop());

const inSystem = <T = unknown>(statement: ReturnType<typeof sql<T>>) =>
  statement.execute(app.test.owner.system);
/** From now on, nothing of the ledger is changed. What is tried counts, though it is undone. */
async function fill(): Promise<void> {
  await inSystem(sql`create sequence if not exists found_no_room`);
  await inSystem(sql`grant usage on sequence found_no_room to public`);
  await inSystem(sql`
    create or replace function find_no_room() returns trigger language plpgsql as
    $$ begin
      perform nextval('found_no_room');
      raise exception 'could not extend file' using errcode = '53100';
    end $$`);
  await inSystem(sql`
    create trigger full_disk before update on sends for each row execute function find_no_room()`);
}
const makeRoom = () => inSystem(sql`drop trigger if exists full_disk on sends`);
async function tries(): Promise<number> {
  const { rows } = await inSystem(sql<{ tries: number }>`select last_value as tries from found_no_room`);
  return rows[0]?.tries ?? 0;
}
async function triedAgain(often: number): Promise<void> {
  const before = await tries();
  await vi.waitFor(async () => expect(await tries()).toBeGreaterThanOrEqual(before + often), {
    ...{ timeout: 40_000, interval: 50 },
  });
}

const full = { status: 'sending', notice: expect.stringMatching(/disk is full.*goes on by itself/) };
const done = { status: 'completed', sent: people, uncertain: 0, failed: 0, pending: 0, notice: null };
const toPeople = () => app.peer.taken.map(({ to }) => to).filter((to) => to.endsWith('@shop.co.uk'));

it('a campaign waits while there is no room, says why, and goes on with nobody lost or mailed twice', async () => {
  const id = await send();
  await vi.waitFor(() => expect(toPeople().length).toBeGreaterThan(20), { timeout: 20_000, interval: 5 });
  await fill();
  await stands(id, full);
  // What had left has arrived. Its answers are kept until they can be written down.
  await triedAgain(1);
  const { asked } = app.peer;
  await triedAgain(2);
  expect(app.peer.asked).toBe(asked);
  expect(asked).toBeLessThan(people);
  await makeRoom();
  await stands(id, done);
  expect(toPeople()).toHaveLength(people);
  expect(new Set(toPeople()).size).toBe(people);
});

it('a campaign is not given up, however often it finds no room', async () => {
  await fill();
  const id = await send();
  // A part whose process died five times would be given up.
  await triedAgain(8);
  await stands(id, full);
  await makeRoom();
  await stands(id, done);
  expect(toPeople()).toHaveLength(people);
});
