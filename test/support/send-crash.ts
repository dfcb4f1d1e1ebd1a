import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/server/embedded-postgres.ts';
import { createLogger, type Log } from '#platform/server/logging.ts';
import { letOwnerTakeRole } from '#test/cluster/cluster.ts';
import { formOf } from './app.ts';
import { makeDataDir, type Product, removeDataDir, startProduct } from './product.ts';
import { signUpAt } from './sign-in.ts';
import { openSmtpPeer, type SmtpPeer, type Treatment } from './smtp-peer.ts';

/** How a campaign is sent while processes are killed. */
export interface SendCrash {
  messages: number;
  /** Worker processes beside the one that serves people. */
  workers: number;
  /** How many times something is killed with SIGKILL. */
  kills: number;
  /** Every so many kills, PostgreSQL is killed with all processes. 0: never. */
  everythingEach: number;
  /** Every so many kills end PostgreSQL alone, under processes that live on. 0: none. */
  databaseEach: number;
  /** How long the mail server takes for each message. */
  delayMs: number;
}

/** The ledger beside what the mail server has really taken. */
export interface CrashBooks {
  total: number;
  sent: number;
  failed: number;
  skipped: number;
  uncertain: number;
  deferred: number;
  pending: number;
  /** Messages that the mail server has taken. */
  taken: number;
  /** People whom it has taken more than one message for. */
  twice: number;
  /** People whose send is called sent, and for whom the server has nothing. */
  sentButNotTaken: number;
  /** People whose send is called failed or deferred, and for whom the server has a message. */
  takenButNotSent: number;
  /** People with neither a message nor a line in the ledger. */
  forgotten: number;
  /** Kills that hit a process. */
  kills: number;
  /** How many of the uncertain ones follow from connections that the server broke. */
  broken: number;
  seconds: number;
  /** Whether the figures of the parts are those of the ledger. */
  partsAgree: boolean;
  /** Whether a process had to correct a figure. */
  partsMended: boolean;
}

/** How the mail server treats a recipient, for ever the same. */
function treatmentOf(to: string): Treatment {
  const number = Number(/\d+/.exec(to)?.[0]);
  if (number % 1000 === 7) return 'hang';
  const rare: Treatment[] = ['later', 'never', 'refuse', 'drop before', 'drop after'];
  return number % 20 === 3 ? (rare[Math.floor(number / 20) % rare.length] as Treatment) : 'take';
}

/**
 * Sends a campaign over a misbehaving mail server, with kills at random moments, and reads the
 * books.
 */
export async function crashWhileSending(given: SendCrash): Promise<CrashBooks> {
  const databaseDir = makeDataDir();
  const dataDir = makeDataDir();
  const peer = await openSmtpPeer();
  peer.treat = treatmentOf;
  peer.delayMs = given.delayMs;
  const log = createLogger('silent');
  let postgres = await startEmbeddedPostgres({ dataDir: databaseDir, log });
  await letOwnerTakeRole(postgres.superuserUrl);
  const shared = {
    DATABASE_URL: postgres.ownerUrl,
    SECRET_KEY: randomBytes(48).toString('base64'),
    SMTP_URL: peer.url,
  };
  const start = (role: 'web' | 'worker') => startProduct(dataDir, { ...shared, ROLE: role });
  let web = await start('web');
  let workers: Product[] = [];
  const dead: Product[] = [];
  const began = performance.now();
  try {
    const { cookie, workspaceId } = await signUpAt(web.url);
    await importPeople(web, cookie, given.messages);
    const call = async (url: string, body?: object) => {
      const answer = await fetch(`${web.url}${url}`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
      });
      if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as { id: number };
    };
    const content = { name: 'News', subject: 'News', content: 'Dear {{ first_name }}', template: 'simple' };
    const { id } = await call('/api/campaigns', content);
    await call(`/api/campaigns/${id}/send`);
    for (let n = 0; n < given.workers; n++) workers.push(await start('worker'));
    let kills = 0;
    for (; kills < given.kills; kills++) {
      await untilMoving(postgres.ownerUrl, workspaceId, peer);
      await sleep(Math.random() * 400);
      if (given.databaseEach > 0 && kills % given.databaseEach === 1) {
        postgres = await killDatabase(postgres, databaseDir, log);
        if (postgres.ownerUrl !== shared.DATABASE_URL) throw new Error('the database came back elsewhere');
      } else if (given.everythingEach > 0 && kills % given.everythingEach === given.everythingEach - 1) {
        dead.push(...workers, web);
        await Promise.all([...workers, web].map((one) => one.stop('SIGKILL')));
        await postgres.stop();
        postgres = await startEmbeddedPostgres({ dataDir: databaseDir, log });
        shared.DATABASE_URL = postgres.ownerUrl;
        web = await start('web');
        workers = [];
        for (let n = 0; n < given.workers; n++) workers.push(await start('worker'));
      } else {
        const victim = workers.splice(Math.floor(Math.random() * workers.length), 1)[0] as Product;
        dead.push(victim);
        await victim.stop('SIGKILL');
        workers.push(await start('worker'));
      }
    }
    await untilDone(postgres.ownerUrl, workspaceId);
    return await readBooks(postgres.ownerUrl, workspaceId, peer, {
      kills,
      seconds: (performance.now() - began) / 1000,
      partsMended: [...dead, ...workers, web].some((one) => one.output().includes('figures were corrected')),
    });
  } catch (error) {
    const lines = [...dead, ...workers].flatMap((one) => one.output().split('\n'));
    const stopped = lines.filter((line) => line.includes('a mailing was stopped'));
    throw new Error(`${error}\n${stopped.slice(0, 3).join('\n')}`, { cause: error });
  } finally {
    await Promise.all([...workers, web].map((one) => one.stop('SIGKILL')));
    await postgres.stop();
    await peer.close();
    removeDataDir(dataDir);
    removeDataDir(databaseDir);
  }
}

/** Kills the database server in the middle of its work, and starts it again where it was. */
async function killDatabase(
  postgres: EmbeddedPostgres,
  dataDir: string,
  log: Log,
): Promise<EmbeddedPostgres> {
  const [pid] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
  await postgres.stop();
  return startEmbeddedPostgres({ dataDir, log });
}

async function importPeople({ url }: Product, cookie: string, count: number): Promise<void> {
  // Each domain has as many whom the server refuses: else too much bounces at once in some part.
  const lines = Array.from({ length: count }, (_, n) => `p${n}@shop${n % 49}.co.uk,Person ${n}`);
  const form = formOf([['file', `email,first name\n${lines.join('\n')}\n`, 'people.csv']]);
  const answer = await fetch(`${url}/api/emails/import`, {
    method: 'POST',
    headers: { ...form.headers, cookie },
    body: form.payload,
  });
  if (!answer.ok) throw new Error(`the import: ${answer.status} ${await answer.text()}`);
}

async function query<T>(url: string, workspaceId: number, text: string): Promise<T[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`set app.workspace_id = '${workspaceId}'`);
    return (await client.query(text)).rows as T[];
  } finally {
    await client.end();
  }
}

/** Until messages leave again, or none is left to leave. */
async function untilMoving(url: string, workspaceId: number, peer: SmtpPeer): Promise<void> {
  const before = peer.taken.length;
  const until = Date.now() + 120_000;
  while (peer.taken.length < before + 20) {
    if (await isDone(url, workspaceId)) return;
    if (Date.now() > until) throw await standsStill(url, workspaceId);
    await sleep(100);
  }
}

async function standsStill(url: string, workspaceId: number): Promise<Error> {
  const [row] = await query(url, workspaceId, 'select status, notice from mailings');
  return new Error(`the campaign does not go on: ${JSON.stringify(row)}`);
}

async function untilDone(url: string, workspaceId: number): Promise<void> {
  const until = Date.now() + 300_000;
  while (!(await isDone(url, workspaceId))) {
    if (Date.now() > until) throw await standsStill(url, workspaceId);
    await sleep(250);
  }
}

async function isDone(url: string, workspaceId: number): Promise<boolean> {
  const [row] = await query<{ open: number; all: number }>(
    url,
    workspaceId,
    `select count(*) filter (where state in ('pending', 'handed'))::int as open, count(*)::int as all from sends
     where workspace_id = ${workspaceId}`,
  );
  return row !== undefined && row.all > 0 && row.open === 0;
}

async function readBooks(
  url: string,
  workspaceId: number,
  { taken }: SmtpPeer,
  run: Pick<CrashBooks, 'kills' | 'seconds' | 'partsMended'>,
): Promise<CrashBooks> {
  const sends = await query<{ address: string; state: string; reply: string | null }>(
    url,
    workspaceId,
    `select local || '@' || domain as address, state, reply from sends where workspace_id = ${workspaceId}`,
  );
  const [parts] = await query<
    Record<'total' | 'sent' | 'failed' | 'skipped' | 'uncertain' | 'deferred', number>
  >(
    url,
    workspaceId,
    `select sum(total)::int as total, sum(sent)::int as sent, sum(failed)::int as failed, sum(skipped)::int as skipped,
       sum(uncertain)::int as uncertain, sum(deferred)::int as deferred
     from send_parts where workspace_id = ${workspaceId}`,
  );
  const times = new Map<string, number>();
  for (const { to } of taken.filter((one) => /^p\d+@shop/.test(one.to)))
    times.set(to, (times.get(to) ?? 0) + 1);
  const count = (state: string) => sends.filter((send) => send.state === state).length;
  const known = new Set(sends.map(({ address }) => address));
  const figures = {
    total: sends.length,
    sent: count('sent'),
    failed: count('failed'),
    skipped: count('skipped'),
    uncertain: count('uncertain'),
    deferred: count('deferred'),
  };
  return {
    ...figures,
    ...run,
    pending: count('pending') + count('handed'),
    taken: [...times.values()].reduce((sum, number) => sum + number, 0),
    twice: [...times.values()].filter((number) => number > 1).length,
    sentButNotTaken: sends.filter(({ state, address }) => state === 'sent' && !times.has(address)).length,
    takenButNotSent: sends.filter(
      ({ state, address }) =>
        ['failed', 'deferred', 'skipped', 'pending'].includes(state) && times.has(address),
    ).length,
    forgotten: [...times.keys()].filter((address) => !known.has(address)).length,
    broken: sends.filter(({ state, address }) => state === 'uncertain' && treatmentOf(address) !== 'take')
      .length,
    partsAgree: Object.entries(figures).every(([name, value]) => parts?.[name as 'total'] === value),
  };
}
