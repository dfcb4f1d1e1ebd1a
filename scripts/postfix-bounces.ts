// `node scripts/postfix-bounces.ts` sends a campaign through a real Postfix on this machine, whose
// receiving side refuses most of it, and shows what each contact's timeline says once the bounces
// have come back. It fails when one is not what its server meant. See docs/bounces.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeDataDir, type Product, removeDataDir, startProduct } from '#test/support/product.ts';

const bounceDomain = 'bounces.acme.example';
/** So many people for each answer of a server. */
const each = 10;
const patienceMs = 480_000;

/** What the servers in scripts/postfix-loopback.sh mean, by their recipients. */
const meanings: { address: (n: number) => string; means: string }[] = [
  ['unknown', 'hard no_such_user'],
  ['closed', 'hard disabled'],
  ['exchange', 'hard no_such_user'],
  ['full', 'soft full'],
  ['blocked', 'soft reputation'],
  ['dmarc', 'soft authentication'],
  ['spam', 'soft spam'],
  ['sender', 'soft sender_refused'],
  ['later', 'soft greylist'],
  ['jo', 'delivered'],
].map(([local, means = '']) => ({ address: (n: number) => `${local}@shop-${n}.co.uk`, means }));
meanings.push(
  { address: (n) => `p${n}@no-such-host.co.uk`, means: 'hard no_such_domain' },
  { address: (n) => `p${n}@nobody-there.co.uk`, means: 'soft unreachable' },
);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  server.close();
  await once(server, 'close');
  return typeof bound === 'object' && bound ? bound.port : 0;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what} within ${patienceMs / 1_000} seconds.`);
    await sleep(500);
  }
}

async function startPostfix(folder: string, ports: readonly number[]) {
  const script = fileURLToPath(new URL('postfix-loopback.sh', import.meta.url));
  const child = spawn(script, [folder, ...ports.map(String), bounceDomain], { stdio: 'inherit' });
  const [submit = 0, receive = 0] = ports;
  await until(async () => {
    if (child.exitCode !== null) throw new Error('Postfix did not start.');
    return (await answers(submit)) && (await answers(receive));
  }, 'Postfix did not start');
  return child;
}

/** Calls of somebody who has signed up. */
async function signUp({ url }: Product) {
  const person = { name: 'Priya Shah', email: 'priya@gmail.com', password: 'eight grey herons wade' };
  const answer = await fetch(`${url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(person),
  });
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  // biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
  return async (method: string, path: string, body?: object): Promise<any> => {
    const called = await fetch(`${url}${path}`, {
      method,
      headers: { cookie, origin: url, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!called.ok) throw new Error(`${method} ${path}: ${called.status} ${await called.text()}`);
    return called.json();
  };
}

async function run(product: Product): Promise<boolean> {
  const call = await signUp(product);
  const people = new Map<string, number>();
  for (const { address } of meanings)
    for (let n = 1; n <= each; n += 1)
      people.set(address(n), (await call('POST', '/api/emails', { email: address(n) })).id);
  const { id } = await call('POST', '/api/campaigns', {
    ...{ name: 'News', subject: 'News', content: 'Here is the news.', template: 'simple' },
  });
  await call('POST', `/api/campaigns/${id}/send`);
  const bounced = meanings.filter(({ means }) => means !== 'delivered').length * each;
  const campaign = () => call('GET', `/api/campaigns/${id}`);
  await until(async () => (await campaign()).bounced >= bounced, 'Not every bounce came back').catch(
    (error: Error) => console.log(error.message),
  );
  await sleep(3_000);
  let isRight = true;
  for (const { address, means } of meanings) {
    const told = new Map<string, number>();
    let said = '';
    let suppressed = 0;
    for (let n = 1; n <= each; n += 1) {
      const { items } = await call('GET', `/api/emails/${people.get(address(n))}/timeline`);
      const events = items.filter(({ kind }: { kind: string }) => kind === 'bounced');
      const words = events
        .map((event: Record<string, string>) => `${event.class} ${event.reason}`)
        .join(', ');
      told.set(words || 'delivered', (told.get(words || 'delivered') ?? 0) + 1);
      said = events[0]?.said ?? said;
      const list = await call('GET', `/api/suppressions/emails?search=${address(n)}`);
      suppressed += list.totalCount;
    }
    const found = [...told].map(([words, count]) => `${count} × ${words}`).join('; ');
    const fits = told.get(means) === each && suppressed === (means.startsWith('hard') ? each : 0);
    isRight &&= fits;
    console.log(
      `${fits ? 'ok  ' : 'NOT '} ${address(1)}: ${found}; ${suppressed} suppressed\n       ${said}`,
    );
  }
  const { sent, failed, bounced: came } = await campaign();
  console.log(`${people.size} messages: ${sent} sent, ${failed} failed, ${came} bounced`);
  return isRight;
}

const folder = mkdtempSync(join(tmpdir(), 'postfix-loopback-'));
chmodSync(folder, 0o755);
const dataDir = makeDataDir();
const [submit = 0, receive = 0, listener = 0] = [await freePort(), await freePort(), await freePort()];
const postfix = await startPostfix(folder, [submit, receive, listener]);
const product = await startProduct(dataDir, {
  ...{ HOST: '127.0.0.1', SMTP_URL: `smtp://127.0.0.1:${submit}` },
  ...{ BOUNCE_DOMAIN: bounceDomain, BOUNCE_PORT: String(listener) },
});
try {
  process.exitCode = (await run(product)) ? 0 : 1;
} finally {
  await product.stop();
  postfix.kill('SIGTERM');
  await once(postfix, 'close');
  if (process.exitCode === 0) rmSync(folder, { recursive: true, force: true });
  else console.log(`Postfix’s log and queue: ${folder}`);
  removeDataDir(dataDir);
}
