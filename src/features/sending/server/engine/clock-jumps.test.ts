import { sql } from 'kysely';
import { afterEach, expect, it, vi } from 'vitest';
import { leaseSeconds } from '#platform/server/work/leases.ts';
import { openSendingApp } from '#test/support/sending-app.ts';

// The clock of the processes jumps while they hold parts of a campaign. Leases are judged by the
// clock of the database, which goes on as before.

const people = 1_400;
const app = openSendingApp({ people });

afterEach(() => void vi.useRealTimers());

const toPeople = () => app.peer.taken.map(({ to }) => to).filter((to) => to.endsWith('@shop.co.uk'));
const untilTaken = (count: number) =>
  vi.waitFor(() => expect(toPeople().length).toBeGreaterThan(count), { timeout: 30_000, interval: 5 });

/** For how many seconds each lease is still valid. */
async function leases(): Promise<number[]> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from lease_until - clock_timestamp())::float as seconds
    from send_parts where lease is not null and status <> 'done'`.execute(app.test.owner.system);
  return rows.map(({ seconds }) => seconds);
}

it.each([
  ['ahead', 3_600_000],
  ['back', -3_600_000],
])('an hour %s: parts stay with who holds them, and nobody is mailed twice', async (_where, ms) => {
  const other = await app.test.again();
  await other.startWork();
  app.peer.taken.length = 0;
  app.peer.delayMs = 60;
  const id = await app.send();
  await untilTaken(100);
  // Only the date: timers go on.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  await untilTaken(500);
  const held = await leases();
  expect(held.length).toBeGreaterThan(0);
  for (const seconds of held) {
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(leaseSeconds);
  }
  await untilTaken(1_000);
  vi.useRealTimers();
  await app.stands(id, { status: 'completed', sent: people, uncertain: 0, failed: 0, pending: 0 });
  expect(toPeople()).toHaveLength(people);
  expect(new Set(toPeople()).size).toBe(people);
  await other.stop();
});
