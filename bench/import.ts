import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { addresses, dirtyRows } from '#test/support/dirty-data.ts';
import { makeDataDir, removeDataDir } from '#test/support/product.ts';
import { signUpAt } from '#test/support/sign-in.ts';
import { onServer, type Product, percentile, probe, startProduct, tellOfPaths } from './product.ts';
import { report } from './report.ts';

/**
 * Import of a large file into a workspace with contacts and suppressions, over HTTP, against the
 * yardstick: COPY to a staging table and one validated INSERT … SELECT into the same tables, on the
 * same server in the same run. The yardstick does less (no receipt, no search text, no rollups, no
 * record), and the faster of its two forms counts.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1500000' },
    contacts: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '1' },
    // Nearly every row has a domain of its own.
    'own-domains': { type: 'boolean', default: false },
    // The contacts get a marketing basis with the import. The yardstick knows of none.
    basis: { type: 'string' },
    'no-yardstick': { type: 'boolean', default: false },
  },
});
const rows = Number(values.rows);
const existing = Number(values.contacts);
const ownDomains = values['own-domains'];
const options = JSON.stringify(values.basis ? { basis: { basis: values.basis } } : {});
const suppressedAddresses = [...addresses(10_000, 7)];
const suppressedDomains = Array.from({ length: 100 }, (_, index) => `suppressed-${index}.co.uk`);

async function fill(client: pg.Client, workspaceId: number): Promise<void> {
  await client.query('create unlogged table fill (address text)');
  const copy = client.query(copyFrom('copy fill from stdin'));
  await pipeline(
    Readable.from(
      (function* () {
        let text = '';
        for (const address of addresses(existing, 1, ownDomains)) {
          text += `${address}\n`;
          if (text.length > 262_144) {
            yield text;
            text = '';
          }
        }
        yield text;
      })(),
    ),
    copy,
  );
  await client.query(
    `insert into contacts (workspace_id, local, domain, import_id)
     select $1, split_part(address, '@', 1), split_part(address, '@', 2), 1 from fill
     group by 2, 3 order by 3, 2`,
    [workspaceId],
  );
  await client.query(
    `insert into contact_domains (workspace_id, domain, valid)
     select $1, domain, count(*) from contacts where workspace_id = $1 group by domain`,
    [workspaceId],
  );
  await client.query(
    `insert into contact_counts (workspace_id, active, domains)
     select $1, coalesce(sum(valid), 0), count(*) from contact_domains where workspace_id = $1
     on conflict (workspace_id) do update set active = excluded.active, domains = excluded.domains`,
    [workspaceId],
  );
  await client.query(
    `insert into suppressions (workspace_id, local, domain, reason)
     select $1, split_part(address, '@', 1), split_part(address, '@', 2), 'manual' from unnest($2::text[]) address
     on conflict do nothing`,
    [workspaceId, suppressedAddresses],
  );
  await client.query(
    `insert into domain_suppressions (workspace_id, domain, reason)
     select $1, domain, 'manual' from unnest($2::text[]) domain on conflict do nothing`,
    [workspaceId, suppressedDomains],
  );
  await client.query('drop table fill');
}

/**
 * The yardstick's statement. `anti`: first look for existing contacts. Otherwise the unique index
 * refuses them.
 */
function yardstickStatement(anti: boolean): string {
  return `
    insert into contacts (workspace_id, local, domain, name, source, date, import_id)
    select distinct on (s.domain, s.local) $1::bigint, s.local, s.domain, s.name, s.source, s.date, 2
    from (
      select split_part(address, '@', 1) collate "C" as local, split_part(address, '@', 2) collate "C" as domain,
        name, source, date
      from (select lower(trim(email)) as address, name, source, date from yardstick) cleaned
      where address ~ '^[^@[:space:]]+@[a-z0-9.-]+[.][a-z]+$'
    ) s
    where s.domain like '%.uk'
      and not exists (select from suppressions x
        where x.workspace_id = $1 and x.domain = s.domain and x.local = s.local)
      and not exists (select from blocked b where b.domain = s.domain)
      ${anti ? 'and not exists (select from contacts c where c.workspace_id = $1 and c.domain = s.domain and c.local = s.local and c.state <> 2)' : ''}
    order by s.domain, s.local
    ${anti ? '' : 'on conflict do nothing'}`;
}

async function yardstick(
  client: pg.Client,
  path: string,
  workspaceId: number,
  anti: boolean,
): Promise<number> {
  await client.query('drop table if exists yardstick');
  await client.query('create unlogged table yardstick (email text, name text, source text, date text)');
  const started = performance.now();
  await pipeline(
    createReadStream(path, { highWaterMark: 1_048_576 }),
    client.query(copyFrom('copy yardstick from stdin csv header')),
  );
  await client.query('analyze yardstick');
  await client.query('begin');
  // What somebody who knows PostgreSQL would do. This includes the plain pattern, because bounded
  // repeats cost 50 microseconds a row. Without these settings the planner looks up contacts one by
  // one, which is three times slower.
  await client.query(`set local work_mem = '192MB'`);
  await client.query('set local enable_nestloop = off');
  const blocked = `with blocked as materialized (
    select distinct d.domain from (select distinct lower(split_part(trim(email), '@', 2)) as domain from yardstick) d
    cross join lateral unnest(domain_and_parents(d.domain)) as parent (name)
    join domain_suppressions p on p.workspace_id = $1 and p.domain = parent.name)`;
  await client.query(blocked + yardstickStatement(anti), [workspaceId]);
  const seconds = (performance.now() - started) / 1000;
  // Rolled back, so that every form and round starts from the same contents. The commit itself
  // costs milliseconds.
  await client.query('rollback');
  await client.query('vacuum contacts');
  return seconds;
}

function upload(product: Product, cookie: string, path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const boundary = 'bench-boundary';
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="options"\r\n\r\n${options}\r\n--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="bench.csv"\r\ncontent-type: text/csv\r\n\r\n`;
    const tail = `\r\n--${boundary}--\r\n`;
    const call = request(
      `${product.url}/api/emails/import`,
      {
        method: 'POST',
        headers: {
          cookie,
          'content-type': `multipart/form-data; boundary=${boundary}`,
          'content-length': head.length + statSync(path).size + tail.length,
        },
      },
      (response) => {
        let body = '';
        response.on('data', (piece) => {
          body += piece;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      },
    );
    call.on('error', reject);
    call.write(head);
    const file = createReadStream(path, { highWaterMark: 262_144 });
    file.on('end', () => call.end(tail));
    file.pipe(call, { end: false });
  });
}

const folder = makeDataDir();
const product = await startProduct(folder);
try {
  const path = join(folder, 'bench.csv');
  await pipeline(
    Readable.from(
      dirtyRows({ rows, existing, suppressedAddresses, suppressedDomains, suppressed: 0.01, ownDomains }),
    ),
    createWriteStream(path),
  );
  const owner = new pg.Client({ connectionString: product.ownerUrl });
  owner.on('error', () => undefined);
  await owner.connect();
  const { cookie, workspaceId } = await signUpAt(product.url);
  await owner.query(
    `insert into settings (workspace_id, import) values ($1, '{"timeoutSeconds": 7200, "maxFileSize": 4096}')`,
    [workspaceId],
  );
  await fill(owner, workspaceId);
  await owner.query('vacuum analyze');
  // What came before is on disk, so that each starts under the same conditions.
  const checkpoint = () => onServer(folder, 'checkpoint');

  let yard = Number.POSITIVE_INFINITY;
  if (!values['no-yardstick']) {
    for (const anti of [true, false]) {
      await checkpoint();
      const seconds = await yardstick(owner, path, workspaceId, anti);
      console.log(`yardstick, ${anti ? 'anti-join' : 'on conflict'}: ${seconds.toFixed(1)} s`);
      yard = Math.min(yard, seconds);
    }
    await owner.query('drop table yardstick');
  }
  await checkpoint();

  const idle = probe(product, cookie, { search: 'smith' });
  await sleep(3000);
  const { times: idleTimes } = await idle.stop();

  const probing = probe(product, cookie, { search: 'smith' });
  const started = performance.now();
  const { status, body } = await upload(product, cookie, path);
  const seconds = (performance.now() - started) / 1000;
  const met = await probing.stop();
  const { times } = met;
  if (status !== 200) throw new Error(`the import answered ${status}: ${body}`);
  const megabytes = statSync(path).size / 1e6;
  const result = JSON.parse(body) as Record<string, number>;
  console.log(JSON.stringify(result));
  console.log(
    `import of ${rows.toLocaleString('en-GB')} rows, ${megabytes.toFixed(0)} MB, into ${existing.toLocaleString('en-GB')} contacts: ` +
      `${seconds.toFixed(1)} s, ${Math.round(rows / seconds).toLocaleString('en-GB')} rows/s`,
  );
  if (Number.isFinite(yard)) {
    report({
      promise: `import of ${rows.toLocaleString('en-GB')} rows, ${megabytes.toFixed(0)} MB, into ${existing.toLocaleString('en-GB')} contacts${ownDomains ? ', a domain each' : ''}`,
      figure: `${seconds.toFixed(1)} s`,
      against: `COPY and one INSERT … SELECT, ${yard.toFixed(1)} s`,
      ratio: seconds / yard,
    });
  }
  const peak = product.peakMegabytes();
  report({
    promise: "node's largest memory in that import",
    figure: `${peak.toFixed(0)} MB`,
    against: '400 MB',
    ratio: peak / 400,
  });
  tellOfPaths(met);
  const p95 = percentile(times, 95);
  report({
    promise: `other calls meanwhile, p95 of ${times.length}`,
    figure: `${p95.toFixed(0)} ms (idle ${percentile(idleTimes, 95).toFixed(0)}, worst ${Math.max(...times).toFixed(0)})`,
    against: '150 ms',
    ratio: p95 / 150,
  });
  await owner.end();
} finally {
  await product.stop();
  removeDataDir(folder);
}
