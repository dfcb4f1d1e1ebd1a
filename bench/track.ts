import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import pg from 'pg';
import { createLinkKeys, messageLinks } from '#features/links/server/index.ts';
import { makeDataDir, removeDataDir } from '#test/support/product.ts';
import { signUpAt } from '#test/support/sign-in.ts';
import { percentile, startProduct } from './product.ts';
import { report } from './report.ts';

/**
 * Opens and clicks of a mailing over HTTP, each on a connection that stays open, half of each, by
 * readers who do it once. Afterwards every answered one must be in the database. The yardstick is
 * `GET /api/health` over the same connections, which reads and writes nothing. The readers run in a
 * thread beside the product, so on two cores they take as much time as it does.
 */
const { values } = parseArgs({
  options: {
    sends: { type: 'string', default: '200000' },
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '200' },
  },
  strict: false,
});
const sends = Number(values.sends);
const goal = { aSecond: 8_000, p99: 50 };

interface Load {
  url: string;
  paths: string[];
  seconds: number;
  connections: number;
}

interface Outcome {
  times: number[];
  seconds: number;
  /** Paths that were answered, of those given. */
  answered: number;
  wrong: string[];
}

/** Calls the paths in turn over some connections until the time is over. */
function call({ url, paths, seconds, connections }: Load): Promise<Outcome> {
  const { hostname, port } = new URL(url);
  const outcome: Outcome = { times: [], seconds: 0, answered: 0, wrong: [] };
  const began = performance.now();
  const until = began + seconds * 1000;
  let next = 0;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let sent = 0;
      let waitsFor = 0;
      let head = '';
      const send = () => {
        const path = paths[next++];
        if (path === undefined || performance.now() > until) return void socket.end(resolve);
        sent = performance.now();
        head = '';
        waitsFor = -1;
        socket.write(
          `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUser-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0 Safari/537.36\r\n\r\n`,
        );
      };
      socket.setEncoding('latin1');
      socket.on('error', reject);
      socket.on('data', (chunk: string) => {
        head += chunk;
        if (waitsFor < 0) {
          const end = head.indexOf('\r\n\r\n');
          if (end < 0) return;
          waitsFor = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        }
        if (head.length < waitsFor) return;
        outcome.times.push(performance.now() - sent);
        outcome.answered += 1;
        if (!/^HTTP\/1.1 (200|302) /.test(head)) outcome.wrong.push(head.slice(0, 80));
        send();
      });
      socket.once('connect', send);
    });
  return Promise.all(Array.from({ length: connections }, one)).then(() => ({
    ...outcome,
    seconds: (performance.now() - began) / 1000,
  }));
}

function callFromThread(load: Load): Promise<Outcome> {
  const worker = new Worker(new URL(import.meta.url), { workerData: load });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

const secretKey = 'a key for the bench, of at least thirty-two characters';

/** A mailing that was sent an hour ago, with a link. */
async function fill(owner: pg.Client, workspaceId: number): Promise<number> {
  const { rows } = await owner.query(
    `insert into mailings (workspace_id, kind, status, name, from_name, from_address, subject, html, text, tracks_opens,
       tracks_clicks)
     values ($1, 'campaign', 'completed', 'News', 'Tea', 'news@tea.co.uk', 'News', '', '', true, true) returning id`,
    [workspaceId],
  );
  const mailingId = Number(rows[0].id);
  await owner.query(
    `insert into sends (workspace_id, mailing_id, id, contact_id, local, domain, state, attempts, handed_at)
     select $1, $2, n, n, 'reader.' || n, 'shop' || n % 5000 || '.co.uk', 'sent', 1, now() - interval '1 hour'
     from generate_series(1, $3::int) n`,
    [workspaceId, mailingId, sends],
  );
  await owner.query(
    `insert into mailing_links (workspace_id, mailing_id, number, part, url)
     values ($1, $2, 1, 'html', 'https://tea.co.uk/offer')`,
    [workspaceId, mailingId],
  );
  await owner.query('vacuum analyze');
  return mailingId;
}

async function measure(): Promise<void> {
  const folder = makeDataDir();
  const product = await startProduct(folder, { SECRET_KEY: secretKey });
  try {
    const owner = new pg.Client({ connectionString: product.ownerUrl });
    await owner.connect();
    const { workspaceId } = await signUpAt(product.url);
    const mailingId = await fill(owner, workspaceId);
    const links = [{ number: 1, part: 'html', index: 0, target: 'https://tea.co.uk/offer', prefix: null }];
    const linksOf = messageLinks(
      { publicUrl: '', keys: createLinkKeys([secretKey]) },
      { workspaceId, mailingId, links },
    );
    const paths = Array.from({ length: sends }, (_, n) => {
      const own = linksOf(n + 1);
      return n % 2 === 0 ? own.pixel : own.link('html', '', 0);
    });
    const load = {
      url: product.url,
      seconds: Number(values.seconds),
      connections: Number(values.connections),
    };
    const health = Array.from({ length: 1_000_000 }, () => '/api/health');
    const warm = paths.splice(0, 2_000);
    await callFromThread({ ...load, paths: warm });
    const yardstick = await callFromThread({ ...load, paths: health, seconds: load.seconds / 2 });
    const tracked = await callFromThread({ ...load, paths });
    const { rows } = await owner.query(
      `select (select count(*)::int from tracking_events) as events,
         (select sum(opened)::int from mailing_hours) as people, (select sum(clicks)::int from mailing_links) as clicks,
         (select count(*)::int from tracking_events where kind = 'click') as clicked`,
    );
    await owner.end();
    const { events, people, clicks, clicked } = rows[0];
    const answered = warm.length + tracked.answered;
    const speed = ({ answered: all, seconds }: Outcome) => all / seconds;
    const p99 = percentile(tracked.times, 99);
    console.log(
      `${answered} answered, ${tracked.wrong.length} wrong; in the database ${events} events, ${people} people, ` +
        `${clicked} clicks counted as ${clicks}; p50 ${percentile(tracked.times, 50).toFixed(1)} ms; ` +
        `${product.peakMegabytes().toFixed(0)} MB`,
    );
    report({
      promise: 'Opens and clicks a second',
      figure: `${speed(tracked).toFixed(0)}/s (${((100 * speed(tracked)) / speed(yardstick)).toFixed(0)} % of an empty call)`,
      against: `${goal.aSecond}/s; an empty call has ${speed(yardstick).toFixed(0)}/s`,
      ratio: goal.aSecond / speed(tracked),
    });
    report({
      promise: 'Opens and clicks, p99',
      figure: `${p99.toFixed(0)} ms`,
      against: `${goal.p99} ms`,
      ratio: p99 / goal.p99,
    });
    const lost = Math.abs(answered - events) + Math.abs(events - people) + Math.abs(clicked - clicks);
    report({
      promise: 'Opens and clicks lost after their answer, or miscounted',
      figure: String(lost + tracked.wrong.length),
      against: 'none',
      ratio: lost + tracked.wrong.length > 0 ? Number.POSITIVE_INFINITY : 0,
    });
  } finally {
    await product.stop();
    removeDataDir(folder);
  }
}

if (isMainThread) await measure();
else parentPort?.postMessage(await call(workerData));
