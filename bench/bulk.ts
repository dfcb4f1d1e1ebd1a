import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { checkBooks } from '#features/rollups/server/index.ts';
import { openDatabase } from '#platform/server/database.ts';
import { makeDataDir, removeDataDir } from '#test/support/product.ts';
import { signUpAt } from '#test/support/sign-in.ts';
import { callsOf, fillWorkspace } from './large-workspace.ts';
import { percentile, probe, startProduct, tellOfPaths } from './product.ts';
import { report } from './report.ts';

/**
 * Large work in a large workspace: previewing a clean, the clean, undoing it, verifying everything,
 * blocking a domain that a fifth of the contacts have, deleting everything that a filter finds, and
 * undoing that. Each also measures what a person meets at work meanwhile.
 */
const { values } = parseArgs({ options: { rows: { type: 'string', default: '5000000' } } });
const rows = Number(values.rows);
const inWords = (count: number) => count.toLocaleString('en-GB');

const folder = makeDataDir();
const product = await startProduct(folder);
const owner = new pg.Client({ connectionString: product.ownerUrl });
await owner.connect();

const atWork = (cookie: string) => probe(product, cookie, { search: 'person.77', adds: true });

/** Measures a piece of work and what other people meet meanwhile. */
async function measured<T>(name: string, cookie: string, work: () => Promise<T>): Promise<T> {
  const probing = atWork(cookie);
  const started = performance.now();
  const result = await work();
  const seconds = (performance.now() - started) / 1000;
  const met = await probing.stop();
  const { times } = met;
  const p95 = percentile(times, 95);
  console.log(`${name}: ${seconds.toFixed(1)} s`, JSON.stringify(result));
  tellOfPaths(met);
  report({
    promise: `other calls during ${name}, p95 of ${times.length}`,
    figure: `${p95.toFixed(0)} ms (worst ${Math.max(...times).toFixed(0)}, the work ${seconds.toFixed(1)} s)`,
    against: '150 ms',
    ratio: p95 / 150,
  });
  return result;
}

try {
  const { cookie, workspaceId } = await signUpAt(product.url);
  await fillWorkspace(owner, { url: product.ownerUrl, workspaceId, rows });
  const call = callsOf(product, cookie);
  const idling = atWork(cookie);
  await sleep(5000);
  const idle = await idling.stop();
  console.log(`idle: p95 ${percentile(idle.times, 95).toFixed(0)} ms`);
  tellOfPaths(idle);

  const of = `${inWords(rows)} contacts`;
  await measured(`the preview of a clean of ${of}`, cookie, () =>
    call('POST', '/api/emails/clean?preview=true'),
  );
  const cleaned = await measured(`a clean of ${of}`, cookie, () => call('POST', '/api/emails/clean'));
  await measured(`bringing back what it removed`, cookie, () =>
    call('POST', `/api/removals/${cleaned.removalId}/restore`),
  );
  await measured(`a verification of ${of}`, cookie, () => call('POST', '/api/verifications', { dns: false }));
  const blocked = await measured('blocking a domain of a fifth of them', cookie, () =>
    call('POST', '/api/suppressions/domain', { domain: 'megashop.co.uk' }),
  );
  const filter = { search: 'shop', status: 'active' };
  const deleted = await measured(`deleting what a filter finds of ${of}`, cookie, () =>
    call('DELETE', '/api/emails/bulk', { filter }),
  );
  await measured('undoing that', cookie, () => call('POST', `/api/removals/${deleted.removalId}/restore`));
  await measured('lifting the block', cookie, () =>
    call('DELETE', `/api/suppressions/domain/${blocked.id}`, { reason: 'bench' }),
  );

  const db = openDatabase({ url: product.ownerUrl, maxConnections: 1 });
  const differences = await db.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId));
  await db.close();
  if (differences.length > 0)
    throw new Error(`the books do not agree: ${JSON.stringify(differences.slice(0, 3))}`);
  console.log(`the books agree; node held at most ${product.peakMegabytes().toFixed(0)} MB`);
} finally {
  await owner.end();
  await product.stop();
  removeDataDir(folder);
}
