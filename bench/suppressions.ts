import { parseArgs } from 'node:util';
import pg from 'pg';
import { listAddresses, listDomains } from '#features/suppressions/server/lists.ts';
import { suppressWholeDomain } from '#features/suppressions/server/suppress-domain.ts';

import { openDatabase } from '#platform/server/database.ts';
import { startEmbeddedPostgres } from '#platform/server/embedded-postgres.ts';
import { createLogger } from '#platform/server/logging.ts';
import { migrate } from '#platform/server/migrate.ts';
import { makeDataDir, removeDataDir } from '#test/support/product.ts';
import { percentile } from './product.ts';
import { report } from './report.ts';

/**
 * Both suppression lists at full size: first page, far page, filter by reason, rare and common
 * texts. Then a domain with a fifth of all contacts.
 */
const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '5000000' },
    domains: { type: 'string', default: '1000000' },
    contacts: { type: 'string', default: '5000000' },
    rounds: { type: 'string', default: '5' },
  },
});
const entries = Number(values.entries);
const domains = Number(values.domains);
const contacts = Number(values.contacts);
const rounds = Number(values.rounds);
const workspace = 1;

const dataDir = makeDataDir();
const log = createLogger('warn');
const server = await startEmbeddedPostgres({ dataDir, log });
const db = openDatabase({ url: server.appUrl });
try {
  await migrate(server.ownerUrl, { log });
  await fill();
  await measureLists();
  await measureDomain();
} finally {
  await db.close();
  await server.stop();
  removeDataDir(dataDir);
}

/**
 * Runs as the tables' owner and builds the trigram index afterwards, because filling is not
 * measured.
 */
async function fill(): Promise<void> {
  const client = new pg.Client({ connectionString: server.ownerUrl });
  await client.connect();
  const run = (text: string) => client.query(text);
  await run(`set work_mem = '256MB'; set maintenance_work_mem = '512MB'; set synchronous_commit = off`);
  await run('drop index suppressions_trigrams; drop index domain_suppressions_trigrams');
  await run(`insert into suppressions (workspace_id, local, domain, reason, created_by)
    select ${workspace}, 'person' || n, 'firm' || n % 200000 || case n % 3 when 0 then '.co.uk' when 1 then '.uk' else '.com' end,
           (array['imported', 'imported', 'imported', 'unsubscribed', 'bounced', 'complained'])[1 + n % 6], 'somebody@acme.co.uk'
    from generate_series(1, ${entries}) n order by 3, 2`);
  await run(`insert into domain_suppressions (workspace_id, domain, reason)
    select ${workspace}, 'blocked' || n || '.co.uk', 'imported' from generate_series(1, ${domains}) n`);
  await run(
    `create index suppressions_trigrams on suppressions using gin ((local || '@' || domain) gin_trgm_ops)`,
  );
  await run(
    'create index domain_suppressions_trigrams on domain_suppressions using gin (domain gin_trgm_ops)',
  );
  await run(`insert into suppression_counts (workspace_id, list, part, entries)
    select workspace_id, 'email', reason, count(*) from suppressions group by 1, 3
    union all select workspace_id, 'domain', reason, count(*) from domain_suppressions group by 1, 3`);
  await run(`insert into contacts (workspace_id, local, domain)
    select ${workspace}, 'contact' || n, case when n % 5 = 0 then 'large.co.uk' else 'place' || n % 150000 || '.uk' end
    from generate_series(1, ${contacts}) n`);
  await run(`insert into contact_domains (workspace_id, domain, valid)
    select workspace_id, domain, count(*) from contacts group by 1, 2`);
  await run(`insert into contact_counts (workspace_id, active, domains)
    select workspace_id, sum(valid), count(*) from contact_domains group by 1`);
  await run('vacuum analyze');
  await client.end();
}

async function measureLists(): Promise<void> {
  const questions = {
    'first page': { page: 1 },
    'page 1000': { page: 1000 },
    'last page': { page: Math.floor(entries / 20) },
    'reason, first page': { page: 1, reason: 'complained' as const },
    'reason, page 1000': { page: 1000, reason: 'imported' as const },
    'rare text': { page: 1, search: 'person4242424' },
    'rare in one reason': { page: 1, search: 'person42424', reason: 'bounced' as const },
    'common text': { page: 1, search: '.co.uk' },
    'common in one reason': { page: 1, search: 'firm1', reason: 'unsubscribed' as const },
    'text that is nowhere': { page: 1, search: 'zzyzx' },
  };
  const all: number[] = [];
  for (const [name, question] of Object.entries(questions)) {
    for (const list of ['emails', 'domains'] as const) {
      const times: number[] = [];
      let total = '';
      for (let round = 0; round < rounds; round++) {
        const started = performance.now();
        const found = await db.asTenant(workspace, async (tx) => {
          const query = { ...question, limit: 20 };
          const { totalCount, totalIsEstimate } =
            list === 'emails'
              ? await listAddresses(tx, workspace, query)
              : await listDomains(tx, workspace, query);
          return { totalCount, totalIsEstimate };
        });
        times.push(performance.now() - started);
        total = `${found.totalIsEstimate ? 'about ' : ''}${found.totalCount.toLocaleString('en-GB')}`;
      }
      all.push(...times);
      const sorted = times.toSorted((a, b) => a - b);
      console.log(
        `  ${list.padEnd(8)}${name.padEnd(24)}${percentile(sorted, 50).toFixed(0).padStart(6)} ms, slowest ${sorted.at(-1)?.toFixed(0).padStart(5)} ms  ${total}`,
      );
    }
  }
  all.sort((a, b) => a - b);
  const p95 = percentile(all, 95);
  report({
    promise: `lists of ${entries.toLocaleString('en-GB')} suppressed addresses and ${domains.toLocaleString('en-GB')} domains, p95`,
    figure: `${p95.toFixed(0)} ms`,
    against: '150 ms',
    ratio: p95 / 150,
  });
}

async function measureDomain(): Promise<void> {
  const started = performance.now();
  const entry = await db.asTenant(workspace, (tx) =>
    suppressWholeDomain(
      tx,
      { workspaceId: workspace, email: 'somebody@acme.co.uk' },
      { domain: 'large.co.uk' },
    ),
  );
  const took = performance.now() - started;
  report({
    promise: `suppress a domain of ${entry.affectedCount.toLocaleString('en-GB')} contacts`,
    figure: `${took.toFixed(0)} ms`,
    against: '1,000 ms',
    ratio: took / 1000,
  });
}
