import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { ContactFilter } from '#features/audience/contract.ts';
import { everybody } from '#features/audience/rules/tree.ts';
import { audienceOf } from '#features/audience/server/index.ts';

import { createTasks } from '#features/tasks/server/index.ts';
import {
  createMailLookup,
  createMailServers,
  verificationConditions,
  verificationTask,
} from '#features/verification/server/index.ts';
import { createLogger } from '#platform/server/logging.ts';
import { openDataset, workspaceId } from './dataset.ts';
import { percentile } from './product.ts';
import { report } from './report.ts';

/**
 * A verification of all stored contacts without DNS, from the task's start to its result, while a
 * person makes calls. Then a second one, which finds nothing changed. Then first pages of filters
 * by verdict, rare and common.
 */
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, keep: { type: 'string' } },
});
const rows = Number(values.rows);
const by = { userId: null, name: 'Bench' };
const page = { sort: 'createdAt', order: 'desc', offset: 0, limit: 20 } as const;

const dataset = await openDataset(rows, values.keep);
const { db } = dataset;
const tasks = createTasks({ db, log: createLogger('warn'), leavesWorkToOthers: false });
const audience = audienceOf(verificationConditions);
const mailServers = createMailServers({ db, lookup: createMailLookup({ servers: [] }) });
tasks.define(verificationTask(db, mailServers, audience));
tasks.startWork();

async function firstPage(filter: ContactFilter): Promise<{ ms: number; total: number }> {
  const started = performance.now();
  const tree = audience.of({ filter });
  const { total } = await db.asTenant(workspaceId, (tx) => audience.page(tx, workspaceId, tree, page));
  return { ms: performance.now() - started, total };
}

/** Risks that no contact has by itself. */
const common = 98;
const rare = 99;

/** Gives this share of the contacts, evenly spread, a verdict that no other contact has. */
async function plant(share: number, risk: number): Promise<void> {
  const every = Math.round(1 / share);
  await db.asTenant(workspaceId, async (tx) => {
    await sql`
      with planted as (
        insert into verdict_profiles (workspace_id, verdict, reasons, risk, kind, uk)
        values (${workspaceId}, 'risky', '{planted}', ${risk}, null, null) returning id
      ),
      changed as (
        update contact_verifications v set profile_id = planted.id from planted
        where v.workspace_id = ${workspaceId} and v.contact_id % ${every} = 0 returning v.profile_id
      )
      select count(*) from changed`.execute(tx);
    await sql`
      update verdict_profiles p set contacts = (
        select count(*) from contact_verifications v
        where v.workspace_id = p.workspace_id and v.profile_id = p.id
      ) where p.workspace_id = ${workspaceId}`.execute(tx);
  });
}

async function run(): Promise<number> {
  const started = performance.now();
  const task = await tasks.start(
    workspaceId,
    'verification.run',
    { selection: null, dns: false, contacts: rows },
    by,
  );
  const ended = await tasks.finished(workspaceId, task.id);
  if (ended.status !== 'completed') throw new Error(ended.error ?? ended.status);
  console.log(JSON.stringify(ended.result));
  return (performance.now() - started) / 1000;
}

try {
  const times: number[] = [];
  let isRunning = true;
  const probing = (async () => {
    while (isRunning) {
      const started = performance.now();
      await db.asTenant(workspaceId, (tx) => audience.page(tx, workspaceId, everybody, page));
      times.push(performance.now() - started);
      await sleep(40);
    }
  })();
  const seconds = await run();
  isRunning = false;
  await probing;
  times.sort((one, other) => one - other);
  const contacts = rows.toLocaleString('en-GB');
  report({
    promise: `verification of ${contacts} contacts without DNS`,
    figure: `${seconds.toFixed(1)} s, ${Math.round(rows / seconds).toLocaleString('en-GB')} a second`,
    against: `10 s a million`,
    ratio: seconds / ((10 * rows) / 1_000_000),
  });
  report({
    promise: `a page of contacts meanwhile, p95 of ${times.length}`,
    figure: `${percentile(times, 95).toFixed(0)} ms`,
    against: '150 ms',
    ratio: percentile(times, 95) / 150,
  });
  const megabytes = process.resourceUsage().maxRSS / 1024;
  report({
    promise: "node's largest memory in that verification",
    figure: `${megabytes.toFixed(0)} MB`,
    against: '400 MB',
    ratio: megabytes / 400,
  });
  console.log(`again, with nothing changed: ${(await run()).toFixed(1)} s`);

  await plant(0.03, common);
  await plant(0.000_01, rare);
  await sql`analyze contact_verifications`.execute(db.system).catch(() => undefined);
  const pages: [string, ContactFilter][] = [
    ['common', { riskFrom: common, riskTo: common }],
    ['rare', { riskFrom: rare, riskTo: rare }],
    ['risk from 1', { riskFrom: 1 }],
    ['all valid', { verdict: 'valid' }],
  ];
  const slowest: number[] = [];
  for (const [name, filter] of pages) {
    const found: number[] = [];
    let total = 0;
    for (let round = 0; round < 10; round++) {
      const one = await firstPage(filter);
      found.push(one.ms);
      total = one.total;
    }
    found.sort((one, other) => one - other);
    slowest.push(percentile(found, 95));
    console.log(
      `  ${name.padEnd(14)}${total.toLocaleString('en-GB').padStart(12)} contacts ${percentile(found, 50).toFixed(0).padStart(6)} ms, slowest ${found.at(-1)?.toFixed(0)} ms`,
    );
  }
  report({
    promise: `first page of a filter by verdict over ${contacts} contacts, the slowest`,
    figure: `${Math.max(...slowest).toFixed(0)} ms`,
    against: '150 ms',
    ratio: Math.max(...slowest) / 150,
  });
} finally {
  await tasks.stop();
  mailServers.close();
  await dataset.close();
}
