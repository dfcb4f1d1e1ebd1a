import { parseArgs } from 'node:util';
import { registerContactFeatures } from '#test/support/contact-features.ts';
import { createTestHttp, stubCaller } from '#test/support/stub-caller.ts';
import { testTasks } from '#test/support/tasks.ts';
import { openDataset, workspaceId } from './dataset.ts';
import { percentile } from './product.ts';
import { report } from './report.ts';

/** The dashboard's figures at full size, against counting them live on the same server. */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '15000000' },
    calls: { type: 'string', default: '500' },
    keep: { type: 'string' },
  },
});
const rows = Number(values.rows);
const dataset = await openDataset(rows, values.keep);
try {
  const { db } = dataset;
  const http = await createTestHttp((router) => {
    registerContactFeatures(router, { db, tasks: testTasks(db) });
  });
  const caller = stubCaller(workspaceId, 'viewer');
  const times: number[] = [];
  for (let call = 0; call < Number(values.calls); call++) {
    const started = performance.now();
    const { status } = await http.call(caller, 'GET', '/api/stats');
    if (status !== 200) throw new Error(`GET /api/stats answered ${status}`);
    times.push(performance.now() - started);
  }
  await http.app.close();
  times.sort((a, b) => a - b);
  const started = performance.now();
  await db.pool.query({
    text: `begin; set local app.workspace_id = '${workspaceId}';
           select count(*), count(*) filter (where state = 1), count(distinct domain) from contacts; commit`,
  });
  const live = performance.now() - started;
  const p95 = percentile(times, 95);
  console.log(
    `GET /api/stats at ${rows.toLocaleString('en-GB')} contacts: p50 ${percentile(times, 50).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
  );
  console.log(`yardstick, counting them live: ${live.toFixed(0)} ms; ratio ${(p95 / live).toFixed(5)}`);
  report({
    promise: `dashboard stats at ${rows.toLocaleString('en-GB')} contacts, p95`,
    figure: `${p95.toFixed(1)} ms`,
    against: '20 ms',
    ratio: p95 / 20,
  });
} finally {
  await dataset.close();
}
