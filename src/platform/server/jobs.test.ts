import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { type Database, openDatabase } from './database.ts';
import { type JobDefinition, type Jobs, migrateJobs, startJobs } from './jobs.ts';
import { createLogger } from './logging.ts';

let made: TestDatabase;
let db: Database;
const running: Jobs[] = [];

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  await migrateJobs(made.ownerUrl);
});
afterEach(async () => {
  for (const jobs of running.splice(0)) await jobs.stop();
});
afterAll(async () => {
  await db.close();
  await made.drop();
});

const logged: { msg: string; level: number; err?: { message: string }; job?: string }[] = [];
const log = createLogger('warn', { write: (line: string) => void logged.push(JSON.parse(line)) });

async function start(jobs: JobDefinition[], options: { work?: boolean } = {}): Promise<Jobs> {
  const started = await startJobs({ url: made.appUrl, log, jobs, stopTimeoutMs: 3000, ...options });
  running.push(started);
  return started;
}
const statesOf = async (name: string) => {
  const { rows } = await sql<{ state: string; retries: number }>`
    select state, retry_count as retries from pgboss.job where name = ${name} order by created_on`.execute(
    db.system,
  );
  return rows;
};
const quickly = { timeout: 5000, interval: 20 };

describe('jobs', () => {
  it('may be migrated again and by two processes at once', async () => {
    await Promise.all([migrateJobs(made.ownerUrl), migrateJobs(made.ownerUrl)]);
  });

  it('run soon after they are sent, with their data, as the role that is bound by row-level security', async () => {
    const seen: unknown[] = [];
    const jobs = await start([{ name: 'test.run', handler: async (data) => void seen.push(data) }]);
    const sent = performance.now();
    await jobs.send('test.run', { import: 12 });
    await vi.waitFor(() => expect(seen).toEqual([{ import: 12 }]), quickly);
    expect(performance.now() - sent).toBeLessThan(2000);
    await vi.waitFor(
      async () => expect(await statesOf('test.run')).toMatchObject([{ state: 'completed' }]),
      quickly,
    );
  });

  it.each([
    [true, 4],
    [false, 3],
  ])('tell how many connections to the database the queue has, with work: %s', async (work, most) => {
    const jobs = await start([{ name: 'test.count', handler: async () => undefined }], { work });
    await expect
      .poll(async () => {
        const { rows } = await sql<{ open: number }>`
          select count(*) as open from pg_stat_activity
          where datname = current_database() and application_name = 'email-manager jobs'`.execute(db.system);
        expect(rows[0]?.open).toBeGreaterThan(0);
        return jobs.connections().open - (rows[0]?.open ?? 0);
      })
      .toBe(0);
    expect(jobs.connections()).toMatchObject({ purpose: 'jobs', most, waiting: 0 });
  });

  it('exist only when the transaction they were sent with commits', async () => {
    const jobs = await start([{ name: 'test.tx', handler: async () => undefined }], { work: false });
    await db
      .asTenant(1, async (tx) => {
        await jobs.send('test.tx', { n: 1 }, { tx });
        throw new Error('no');
      })
      .catch(() => undefined);
    expect(await statesOf('test.tx')).toEqual([]);
    await db.asTenant(1, (tx) => jobs.send('test.tx', { n: 2 }, { tx }));
    expect(await statesOf('test.tx')).toMatchObject([{ state: 'created' }]);
  });

  it('wait once however often the same one is sent, and apart when their data differ', async () => {
    const jobs = await start([{ name: 'test.same', handler: async () => undefined }], { work: false });
    await jobs.send('test.same', { a: 1, b: 2 });
    await jobs.send('test.same', { b: 2, a: 1 });
    await jobs.send('test.same', { a: 2, b: 2 });
    expect(await statesOf('test.same')).toHaveLength(2);
  });

  it('are logged with their error when they fail, and tried again until they succeed', async () => {
    let tries = 0;
    const jobs = await start([
      {
        name: 'test.fails',
        handler: async () => {
          tries += 1;
          if (tries === 1) throw new Error('the disk is full');
        },
      },
    ]);
    await jobs.send('test.fails');
    await vi.waitFor(
      async () => expect(await statesOf('test.fails')).toEqual([{ state: 'completed', retries: 1 }]),
      {
        timeout: 15_000,
        interval: 100,
      },
    );
    expect(logged.find((line) => line.job === 'test.fails')).toMatchObject({
      level: 50,
      err: { message: 'the disk is full' },
    });
  });

  it('are told when the process stops, and go back to waiting', async () => {
    let isRunning = false;
    let wasTold = false;
    const jobs = await start([
      {
        name: 'test.stops',
        handler: (_data, { signal }) =>
          new Promise((_resolve, reject) => {
            isRunning = true;
            signal.addEventListener('abort', () => {
              wasTold = true;
              reject(signal.reason);
            });
          }),
      },
    ]);
    await jobs.send('test.stops');
    await vi.waitFor(() => expect(isRunning).toBe(true), quickly);
    await jobs.stop();
    expect(wasTold).toBe(true);
    expect(await statesOf('test.stops')).toMatchObject([{ state: 'retry' }]);
  });

  it('keep the schedules of the jobs there are, and drop those of jobs there are no more', async () => {
    const crons = async () =>
      (
        await sql<{ name: string }>`select name, cron, timezone from pgboss.schedule order by name`.execute(
          db.system,
        )
      ).rows;
    const handler = async () => undefined;
    await (await start([{ name: 'test.old', schedule: '0 3 * * *', handler }])).stop();
    await start([{ name: 'test.new', schedule: '30 4 * * *', handler }]);
    expect(await crons()).toEqual([{ name: 'test.new', cron: '30 4 * * *', timezone: 'Europe/London' }]);
  });

  it('cannot be sent under a name nobody registered', async () => {
    const jobs = await start([], { work: false });
    await expect(jobs.send('test.nobody')).rejects.toThrow('no job test.nobody');
  });

  it('are taken over when the process at work on them is killed', async () => {
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { startJobs } from '#platform/server/jobs.ts';
         import { createLogger } from '#platform/server/logging.ts';
         const jobs = await startJobs({ url: process.env.URL, log: createLogger('warn'), heartbeatSeconds: 10, jobs: [
           { name: 'test.killed', handler: () => new Promise(() => console.log('working')) },
         ] });
         await jobs.send('test.killed');`,
      ],
      { cwd: fileURLToPath(new URL('../../..', import.meta.url)), env: { ...process.env, URL: made.appUrl } },
    );
    const closed = new Promise((resolve) => child.once('close', resolve));
    await new Promise((resolve, reject) => {
      child.stdout.on('data', (chunk) => String(chunk).includes('working') && resolve(undefined));
      child.once('close', () => reject(new Error('the other process ended before it worked')));
    });
    child.kill('SIGKILL');
    await closed;
    let doneBy = '';
    const next = await startJobs({
      url: made.appUrl,
      log,
      heartbeatSeconds: 10,
      superviseSeconds: 1,
      jobs: [
        {
          name: 'test.killed',
          handler: async () => {
            doneBy = 'the next process';
          },
        },
      ],
    });
    running.push(next);
    await vi.waitFor(() => expect(doneBy).toBe('the next process'), { timeout: 25_000, interval: 100 });
  }, 40_000);
});
