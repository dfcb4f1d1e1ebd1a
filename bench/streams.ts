import { once } from 'node:events';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import pg from 'pg';
import { makeDataDir, removeDataDir } from '#test/support/product.ts';
import { signUpAt } from '#test/support/sign-in.ts';
import { percentile, probe, startProduct } from './product.ts';
import { report } from './report.ts';

/**
 * Many downloads at once: twenty and sixty exports by one person, and ten readers who stop reading.
 * Measures what others meet meanwhile, and what becomes of each download.
 */
const { values } = parseArgs({ options: { rows: { type: 'string', default: '300000' } }, strict: false });
const rows = Number(values.rows);

/** What became of one download. */
interface Download {
  status: number;
  retryAfter: string | undefined;
  isWhole: boolean;
  bytes: number;
  firstByteMs: number;
  seconds: number;
}

async function download(url: string, cookie: string): Promise<Download> {
  const began = performance.now();
  const [response] = await once(get(url, { headers: { cookie }, agent: false }), 'response');
  const firstByteMs = performance.now() - began;
  let bytes = 0;
  let isWhole = true;
  try {
    for await (const chunk of response) bytes += chunk.length;
  } catch {
    isWhole = false;
  }
  const seconds = (performance.now() - began) / 1000;
  const retryAfter = response.headers['retry-after'];
  return { status: response.statusCode, retryAfter, isWhole, bytes, firstByteMs, seconds };
}

/** Downloads in a thread of its own, so that they do not slow down the measuring. */
function downloadMany(url: string, cookie: string, count: number): Promise<Download[]> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, cookie, count } });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** A reader who reads nothing after the first bytes. */
async function stalledReader(url: string, cookie: string): Promise<Socket> {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${cookie}\r\n\r\n`);
  socket.pause();
  return socket;
}

async function fill(ownerUrl: string, workspaceId: number, count: number): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query('set synchronous_commit = off');
  await owner.query(`set app.workspace_id = '${workspaceId}'`);
  await owner.query(
    `insert into contacts (workspace_id, local, domain, name, source, date)
     select $1::bigint, 'person.' || n, 'shop' || n % 6000 || '.co.uk', 'Person ' || n, 'website', '2026-03-09'
     from generate_series(1, $2::int) n`,
    [workspaceId, count],
  );
  await owner.query(
    `insert into contact_domains (workspace_id, domain, valid)
     select workspace_id, domain, count(*) from contacts where workspace_id = $1 group by 1, 2`,
    [workspaceId],
  );
  await owner.query(
    `insert into contact_counts (workspace_id, active, domains)
     select workspace_id, sum(valid), count(*) from contact_domains where workspace_id = $1 group by 1`,
    [workspaceId],
  );
  await owner.query('vacuum analyze');
  await owner.end();
}

function tell(downloads: readonly Download[]): void {
  const byStatus = Map.groupBy(downloads, ({ status, isWhole }) => `${status}${isWhole ? '' : ' cut'}`);
  for (const [status, ones] of byStatus) {
    const first = ones.map(({ firstByteMs }) => firstByteMs / 1000);
    const seconds = ones.map((one) => one.seconds);
    console.log(
      `  ${status}: ${ones.length}, first byte after ${percentile(first, 50).toFixed(1)} s (worst ${Math.max(...first).toFixed(1)}), ` +
        `over after ${Math.max(...seconds).toFixed(1)} s, ${((ones[0]?.bytes ?? 0) / 1e6).toFixed(1)} MB each, ` +
        `retry-after ${ones[0]?.retryAfter ?? 'none'}`,
    );
  }
}

async function measure(): Promise<void> {
  const folder = makeDataDir();
  const product = await startProduct(folder);
  const sockets: Socket[] = [];
  try {
    const many = await signUpAt(product.url);
    const other = await signUpAt(product.url);
    await fill(product.ownerUrl, many.workspaceId, rows);
    await fill(product.ownerUrl, other.workspaceId, 20_000);
    const url = `${product.url}/api/emails/export?format=csv`;
    const meanwhile = async (name: string, work: () => Promise<unknown>) => {
      const others = probe(product, other.cookie, { search: 'person.77' });
      const same = probe(product, many.cookie, { search: 'person.77' });
      const began = performance.now();
      await work();
      const seconds = (performance.now() - began) / 1000;
      const [met, metHere] = [await others.stop(), await same.stop()];
      const [p95, p95Here] = [percentile(met.times, 95), percentile(metHere.times, 95)];
      console.log(
        `${name}: ${seconds.toFixed(1)} s; other workspace p95 ${p95.toFixed(0)} ms, worst ${Math.max(...met.times).toFixed(0)} (${met.times.length}); ` +
          `same workspace p95 ${p95Here.toFixed(0)} ms, worst ${Math.max(...metHere.times).toFixed(0)} (${metHere.times.length})`,
      );
      return p95;
    };
    await meanwhile('idle', () => sleep(5000));
    for (const count of [1, 20, 60]) {
      const p95 = await meanwhile(`${count} exports of ${rows} at once by one person`, async () =>
        tell(await downloadMany(url, many.cookie, count)),
      );
      report({
        promise: `other calls during ${count} exports at once, p95`,
        figure: `${p95.toFixed(0)} ms`,
        against: '150 ms',
        ratio: p95 / 150,
      });
    }
    // One large file is measured, which the network does not hold between two programs.
    await fetch(`${product.url}/api/settings`, {
      method: 'PATCH',
      headers: { cookie: many.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ export: { maxRecordsPerFile: 10_000_000 } }),
    }).then(async (answer) => answer.ok || Promise.reject(new Error(await answer.text())));
    for (let reader = 0; reader < 10; reader++) sockets.push(await stalledReader(url, many.cookie));
    await sleep(1000);
    await meanwhile('10 stalled readers, and one export of the same workspace, then of another', async () => {
      tell(await downloadMany(url, many.cookie, 1));
      tell(await downloadMany(url, other.cookie, 1));
    });
  } finally {
    for (const socket of sockets) socket.destroy();
    await product.stop();
    removeDataDir(folder);
  }
}

if (isMainThread) {
  await measure();
} else {
  const { url, cookie, count } = workerData as { url: string; cookie: string; count: number };
  parentPort?.postMessage(await Promise.all(Array.from({ length: count }, () => download(url, cookie))));
}
