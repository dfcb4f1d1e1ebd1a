import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { registerContactFeatures } from '#test/support/contact-features.ts';
import { createTestHttp, stubCaller } from '#test/support/stub-caller.ts';
import { testTasks } from '#test/support/tasks.ts';
import { openDataset, workspaceId } from './dataset.ts';
import { report } from './report.ts';

/**
 * The export of everything over HTTP, against `psql \copy` of the same columns (or COPY through the
 * driver if the machine has no psql). The yardstick neither neutralises formulas nor puts what
 * people wrote into quotation marks.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '15000000' },
    rounds: { type: 'string', default: '2' },
    keep: { type: 'string' },
  },
});
const rows = Number(values.rows);

const columns = `select coalesce(c.address, c.local || '@' || c.domain) as email, c.name, c.source, c.date,
  case when s.id is not null or b.domain is not null then 'suppressed' when c.state = 1 then 'invalid'
       when c.state = 2 then 'duplicate' else 'active' end as status, c.notes, c.created_at as created,
       c.first_name, c.last_name
  from contacts c
  left join suppressions s on s.workspace_id = c.workspace_id and s.domain = c.domain and s.local = c.local
  left join contact_domains b on b.workspace_id = c.workspace_id and b.domain = c.domain and b.blocked
  where c.workspace_id = ${workspaceId}`;
const statement = `copy (${columns.replaceAll(/\s+/g, ' ')}) to stdout (format csv, header)`;
const hasPsql = spawnSync('psql', ['--version']).status === 0;

async function yardstick(appUrl: string): Promise<number> {
  const started = performance.now();
  if (hasPsql) {
    const child = spawn(
      'psql',
      [
        '-qX',
        appUrl,
        '-c',
        `set app.workspace_id = '${workspaceId}'`,
        '-c',
        `\\${statement.replace('to stdout', `to '/dev/null'`)}`,
      ],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`psql ended with ${code}`);
  } else {
    const client = new pg.Client({ connectionString: appUrl });
    await client.connect();
    await client.query(`set app.workspace_id = '${workspaceId}'`);
    await pipeline(client.query(copyTo(statement)), createWriteStream('/dev/null'));
    await client.end();
  }
  return (performance.now() - started) / 1000;
}

/** How many records a file may hold. */
async function limitFiles(records: number): Promise<void> {
  await dataset.db.asTenant(workspaceId, (tx) =>
    sql`insert into settings (workspace_id, export) values (${workspaceId}, ${JSON.stringify({ maxRecordsPerFile: records })}::jsonb)
      on conflict (workspace_id) do update set export = excluded.export`.execute(tx),
  );
}

async function download(
  port: number,
  headers: Record<string, string>,
  format = 'csv',
): Promise<{ seconds: number; bytes: number }> {
  const started = performance.now();
  const [response] = await once(
    get({ port, host: '127.0.0.1', path: `/api/emails/export?format=${format}`, headers }),
    'response',
  );
  if (response.statusCode !== 200) throw new Error(`the export answered ${response.statusCode}`);
  let bytes = 0;
  for await (const chunk of response) bytes += chunk.length;
  return { seconds: (performance.now() - started) / 1000, bytes };
}

/** No promise, only for comparison: an export with unchanged settings, and the other formats. */
const otherForms = [
  { name: 'a zip of CSV files of 100,000', format: 'csv', records: 100_000 },
  { name: 'JSON', format: 'json', records: 100_000_000 },
  { name: 'a zip of workbooks of 1,048,575', format: 'xlsx', records: 100_000_000 },
];

const dataset = await openDataset(rows, values.keep);
try {
  const http = await createTestHttp((router) => {
    registerContactFeatures(router, { db: dataset.db, tasks: testTasks(dataset.db) });
  });
  const caller = stubCaller(workspaceId, 'viewer');
  await http.call(caller, 'GET', '/api/stats'); // makes the caller known
  await http.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.app.server.address() as AddressInfo;
  const ratios: number[] = [];
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 200);
  await limitFiles(100_000_000);
  for (let round = 0; round < Number(values.rounds); round++) {
    const copy = await yardstick(dataset.appUrl);
    const { seconds, bytes } = await download(port, { 'x-test-caller': JSON.stringify(caller) });
    ratios.push(seconds / copy);
    console.log(
      `export of ${rows.toLocaleString('en-GB')} contacts: ${seconds.toFixed(1)} s, ${(bytes / 1e6).toFixed(0)} MB; ` +
        `${hasPsql ? 'psql \\copy' : 'COPY through the driver'} ${copy.toFixed(1)} s; ratio ${(seconds / copy).toFixed(2)}`,
    );
  }
  const csvPeak = peak;
  for (const { name, format, records } of otherForms) {
    await limitFiles(records);
    peak = 0;
    const { seconds, bytes } = await download(port, { 'x-test-caller': JSON.stringify(caller) }, format);
    console.log(
      `${name}: ${seconds.toFixed(1)} s, ${(bytes / 1e6).toFixed(0)} MB, ${Math.round(rows / seconds).toLocaleString('en-GB')} contacts/s, ` +
        `${(peak / 1e6).toFixed(0)} MB of memory at most`,
    );
  }
  clearInterval(watch);
  await http.app.close();
  const best = Math.min(...ratios);
  report({
    promise: `export of ${rows.toLocaleString('en-GB')} contacts as CSV`,
    figure: `${best.toFixed(2)} × the copy, ${(csvPeak / 1e6).toFixed(0)} MB at most`,
    against: '1.3 × psql \\copy',
    ratio: best / 1.3,
  });
} finally {
  await dataset.close();
}
