import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { makeDataDir, removeDataDir } from '#test/support/product.ts';
import { signUpAt } from '#test/support/sign-in.ts';
import { callsOf, fillWorkspace } from './large-workspace.ts';
import { percentile, probe, startProduct, tellOfPaths } from './product.ts';
import { report } from './report.ts';

/**
 * Tagging a million contacts, undoing that, and taking a tag off half of them: how long each takes,
 * and what a person meets at work meanwhile. Then pages of contacts with a tag, with many and with
 * few, alone and with other filters.
 */
const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const rows = Number(values.rows);
const of = `${rows.toLocaleString('en-GB')} contacts`;

const folder = makeDataDir();
const product = await startProduct(folder);
const owner = new pg.Client({ connectionString: product.ownerUrl });
await owner.connect();

const secondsPerMillion = 10;

/** Measures a piece of work on a share of the contacts, and what other people meet meanwhile. */
async function measured<T>(
  name: string,
  cookie: string,
  contacts: number,
  work: () => Promise<T>,
): Promise<T> {
  const probing = probe(product, cookie, { search: 'person.77', adds: true });
  const started = performance.now();
  const result = await work();
  const seconds = (performance.now() - started) / 1000;
  const met = await probing.stop();
  const p95 = percentile(met.times, 95);
  const goal = (secondsPerMillion * contacts) / 1_000_000;
  console.log(`${name}: ${seconds.toFixed(1)} s`, JSON.stringify(result));
  tellOfPaths(met);
  report({
    promise: name,
    figure: `${seconds.toFixed(1)} s`,
    against: `${goal.toFixed(1)} s`,
    ratio: seconds / goal,
  });
  report({
    promise: `other calls during ${name}, p95 of ${met.times.length}`,
    figure: `${p95.toFixed(0)} ms (worst ${Math.max(...met.times).toFixed(0)})`,
    against: '150 ms',
    ratio: p95 / 150,
  });
  return result;
}

/** The p95 of a page, read twenty times. */
async function page(name: string, cookie: string, query: string): Promise<void> {
  const times: number[] = [];
  let total = 0;
  for (let at = 0; at < 20; at += 1) {
    const started = performance.now();
    const answer = await fetch(`${product.url}/api/emails?${query}`, { headers: { cookie } });
    if (!answer.ok) throw new Error(`${query} answered ${answer.status}: ${await answer.text()}`);
    total = ((await answer.json()) as { totalCount: number }).totalCount;
    times.push(performance.now() - started);
  }
  const p95 = percentile(times, 95);
  report({
    promise: `a page of ${name} (${total.toLocaleString('en-GB')})`,
    figure: `p50 ${percentile(times, 50).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
    against: '150 ms',
    ratio: p95 / 150,
  });
}

try {
  const { cookie, workspaceId } = await signUpAt(product.url);
  await fillWorkspace(owner, { url: product.ownerUrl, workspaceId, rows });
  const call = callsOf(product, cookie);
  const tag = async (name: string) => (await call('POST', '/api/tags', { name })).id as number;
  const [all, few, other] = [await tag('All'), await tag('Few'), await tag('Other')];
  await sleep(3000);

  const tagged = await measured(`tagging ${of}`, cookie, rows, () =>
    call('POST', `/api/tags/${all}/contacts`, { filter: {} }),
  );
  await measured(`undoing that`, cookie, rows, () =>
    call('POST', `/api/membership-changes/${tagged.changeId}/undo`),
  );
  await measured(`tagging them again`, cookie, rows, () =>
    call('POST', `/api/tags/${all}/contacts`, { filter: {} }),
  );
  const search = 'megashop';
  await measured(`taking the tag off a fifth of ${of}`, cookie, rows / 5, () =>
    call('DELETE', `/api/tags/${all}/contacts`, { filter: { search } }),
  );
  await call('POST', `/api/tags/${few}/contacts`, { filter: { search: 'person.777' } });
  await call('POST', `/api/tags/${other}/contacts`, { filter: { domain: 'megashop.co.uk' } });
  await owner.query('vacuum analyze contact_tags');

  await page('a large tag', cookie, `tag=${all}`);
  await page('a large tag, the last page', cookie, `tag=${all}&order=asc`);
  await page('a large tag by address', cookie, `tag=${all}&sort=address`);
  await page('a large tag by status', cookie, `tag=${all}&status=active`);
  await page('a large tag by search', cookie, `tag=${all}&search=person.88`);
  await page('a small tag', cookie, `tag=${few}`);
  await page('a small tag by address', cookie, `tag=${few}&sort=address&status=active`);
  await page('either of two tags', cookie, `tag=${few},${other}`);
  await page('a small tag by UK class', cookie, `tag=${few}&uk=uk`);
} finally {
  await owner.end();
  await product.stop();
  removeDataDir(folder);
}
