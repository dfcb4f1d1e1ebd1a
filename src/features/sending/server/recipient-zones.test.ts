import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { openDatabase } from '#platform/server/database.ts';
import { importCsv } from '#test/support/app.ts';
import { openSendingApp } from '#test/support/sending-app.ts';
import { sendingPort } from './index.ts';

// Nights in which clocks change: an hour comes twice, or not at all.

const app = openSendingApp();
let nights = 0;

const sundays = (year: number, month: number) =>
  Array.from({ length: 31 }, (_, n) => new Date(Date.UTC(year, month - 1, n + 1))).filter(
    (day) => day.getUTCMonth() === month - 1 && day.getUTCDay() === 0,
  );
const written = (day: Date | undefined) => (day as Date).toISOString().slice(0, 10);
const march = written(sundays(2098, 3).at(-1));
const october = written(sundays(2098, 10).at(-1));
const marchInNewYork = written(sundays(2098, 3)[1]);
const novemberInNewYork = written(sundays(2098, 11)[0]);
const aprilOnLordHowe = written(sundays(2098, 4)[0]);
const dayBefore = (day: string) => written(new Date(Date.parse(day) - 86_400_000));

it.each([
  // The hour that comes twice: the first is meant.
  { wall: `${october}T01:30`, zone: '', due: `${october}T00:30` },
  { wall: `${october}T02:30`, zone: 'Europe/Paris', due: `${october}T00:30` },
  { wall: `${novemberInNewYork}T01:30`, zone: 'America/New_York', due: `${novemberInNewYork}T05:30` },
  {
    wall: `${aprilOnLordHowe}T01:45`,
    zone: 'Australia/Lord_Howe',
    due: `${dayBefore(aprilOnLordHowe)}T14:45`,
  },
  // The hour that is left out: an hour later.
  { wall: `${march}T01:30`, zone: '', due: `${march}T01:30` },
  { wall: `${march}T02:30`, zone: 'Europe/Paris', due: `${march}T01:30` },
  { wall: `${marchInNewYork}T02:30`, zone: 'America/New_York', due: `${marchInNewYork}T07:30` },
  // Just before and after.
  { wall: `${october}T02:00`, zone: '', due: `${october}T02:00` },
  { wall: `${october}T01:59`, zone: 'Europe/Paris', due: `${dayBefore(october)}T23:59` },
  { wall: `${march}T02:00`, zone: '', due: `${march}T01:00` },
  { wall: `${march}T03:00`, zone: 'Europe/Paris', due: `${march}T01:00` },
])('at $wall, whoever is in “$zone” is mailed at $due UTC, once', async ({ wall, zone, due }) => {
  const domain = `night${++nights}.co.uk`;
  await importCsv(app.test.app, app.owner.cookie, `email,Time zone\nann@${domain},${zone}\n`, {
    reading: { columns: ['email', 'extra:Time zone'] },
  });
  const { workspaceId } = app.owner;
  const sending = app.test.use(sendingPort);
  const db = openDatabase({ url: app.test.appUrl });
  try {
    await db.asTenant(workspaceId, (tx) =>
      sending.create(tx, workspaceId, {
        ...{
          kind: 'campaign',
          name: 'News',
          fromName: 'Ann',
          fromAddress: 'ann@harbour.co.uk',
          replyTo: null,
        },
        ...{ subject: 'News', preheader: '', html: '<p>Dear you</p>', text: 'Dear you', mergeData: {} },
        ...{ tracksOpens: false, tracksClicks: false, createdBy: null, localTime: wall },
        audience: { version: 1, all: [{ condition: 'domain', value: domain }] },
      }),
    );
  } finally {
    await db.close();
  }
  sending.wake();
  const { system } = app.test.owner;
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ due: Date | null }>`
        select due_at as due from sends where domain = ${domain}`.execute(system);
      expect(rows.map((row) => row.due?.toISOString())).toEqual([`${due}:00.000Z`]);
    },
    { timeout: 20_000, interval: 50 },
  );
  await sql`update sends set due_at = now() where domain = ${domain}`.execute(system);
  await sql`update send_parts set not_before = null, lease_until = null where status <> 'done'`.execute(
    system,
  );
  await vi.waitFor(
    async () => {
      const { rows } = await sql`select state from sends where domain = ${domain}`.execute(system);
      expect(rows).toEqual([{ state: 'sent' }]);
    },
    { timeout: 20_000, interval: 50 },
  );
  expect(app.peer.taken.filter(({ to }) => to === `ann@${domain}`)).toHaveLength(1);
});
