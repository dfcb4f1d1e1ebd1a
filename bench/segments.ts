import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { audienceOf } from '#features/audience/server/index.ts';
import { indexRecentBlocks } from '#features/audience/server/index-blocks.ts';
import type { SegmentRules } from '#features/segments/contract.ts';
import { londonDay } from '#features/segments/rules/days.ts';
import { segmentConditions } from '#features/segments/server/conditions.ts';
import { gatherFields } from '#features/segments/server/fields.ts';
import { preview } from '#features/segments/server/preview.ts';
import { openSegments } from '#features/segments/server/segments.ts';
import { verificationSegmentFields } from '#features/verification/server/conditions.ts';
import { verificationConditions } from '#features/verification/server/index.ts';
import { openDataset, workspaceId } from './dataset.ts';
import { fillMixed, verifyMixed } from './mixed-dataset.ts';
import { report } from './report.ts';

/**
 * Segments of three conditions over contacts of every kind: the estimate, the live count and the
 * first page, as somebody who edits one waits for them. `--rows` is the size of the workspace; the
 * promises are at 5,000,000 and 15,000,000. With `--verify 0,0.5`, the older half gets verdicts.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    keep: { type: 'string' },
    verify: { type: 'string', default: '0,0.5' },
    rounds: { type: 'string', default: '5' },
  },
});

const rule = (field: string, operator: string, value: string | string[] = '') => ({ field, operator, value });
const rulesOf = (...conditions: ReturnType<typeof rule>[]) => ({ conditions }) as SegmentRules;

const segments: Record<string, SegmentRules> = {
  'active, UK, from the website': rulesOf(
    rule('status', 'equals', 'active'),
    rule('uk', 'one_of', ['uk', 'likely_uk']),
    rule('source', 'equals', 'website'),
  ),
  'a domain ending, a name, not suppressed': rulesOf(
    rule('domain', 'ends_with', '.co.uk'),
    rule('name', 'contains', 'smith'),
    rule('status', 'not_equals', 'suppressed'),
  ),
  'added this year, corporate, active': rulesOf(
    rule('createdAt', 'in_last_days', '365'),
    rule('kind', 'equals', 'corporate'),
    rule('status', 'equals', 'active'),
  ),
  'one domain, a source, a name': rulesOf(
    rule('domain', 'equals', 'gmail.com'),
    rule('source', 'starts_with', 'web'),
    rule('name', 'is_not_empty'),
  ),
  'risky, a rare source, UK': rulesOf(
    rule('verdict', 'not_equals', 'valid'),
    rule('source', 'contains', 'fair'),
    rule('uk', 'equals', 'uk'),
  ),
};

const isFilled = values.keep !== undefined && existsSync(join(values.keep, 'postgres', 'PG_VERSION'));
const dataset = await openDataset(0, values.keep);
const { db } = dataset;
const audience = audienceOf([...verificationConditions, ...segmentConditions(() => [])]);
const fields = gatherFields(verificationSegmentFields);
const reading = { audience, fields, today: londonDay(new Date()) };
const kept = openSegments({ db, audience, fields: () => fields });
const { signal } = new AbortController();

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const started = performance.now();
  const result = await work();
  return { ms: performance.now() - started, result };
}

const percentile = (times: number[], share: number): number =>
  times.toSorted((one, other) => one - other)[Math.ceil(times.length * share) - 1] ?? 0;

const firstPage = (segmentRules: SegmentRules) =>
  db.asTenant(workspaceId, async (tx) => {
    const tree = await kept.tree(tx, workspaceId, segmentRules);
    const page = { sort: 'createdAt', order: 'desc', offset: 0, limit: 21 } as const;
    return audience.page(tx, workspaceId, tree, page);
  });

const ways = { estimate: 100, 'live count': 500, 'first page': 150 } as const;
const times: Record<keyof typeof ways, number[]> = { estimate: [], 'live count': [], 'first page': [] };

async function measure(name: string, segmentRules: SegmentRules): Promise<void> {
  const quick = await timed(() =>
    preview({ db, ...reading }, workspaceId, { segmentRules, quick: true }, signal),
  );
  const live = await timed(() => preview({ db, ...reading }, workspaceId, { segmentRules }, signal));
  const page = await timed(() => firstPage(segmentRules));
  times.estimate.push(quick.ms);
  times['live count'].push(live.ms);
  times['first page'].push(page.ms);
  const { total } = live.result;
  const told = `${total.isEstimate ? 'about ' : ''}${total.count.toLocaleString('en-GB')}`;
  const figures = [quick.ms, live.ms, page.ms].map((ms) => `${Math.round(ms)} ms`.padStart(10)).join('');
  console.log(`${name.padEnd(44)}${figures}  ${told} (estimated ${quick.result.total.count})`);
}

try {
  if (!isFilled) {
    await fillMixed(dataset.ownerUrl, Number(values.rows));
    await indexRecentBlocks(db, { maxBlocks: 4000 });
    if (values.verify) {
      const [from = 0, to = 1] = values.verify.split(',').map(Number);
      await verifyMixed(dataset.ownerUrl, from, to);
    }
  }
  console.log(`${''.padEnd(44)}  estimate      live      page`);
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const [name, rules] of Object.entries(segments)) await measure(name, rules);
  const rows = Number(values.rows).toLocaleString('en-GB');
  for (const [way, most] of Object.entries(ways) as [keyof typeof ways, number][]) {
    const p95 = percentile(times[way], 0.95);
    report({
      promise: `segments of ${rows} contacts: ${way}`,
      figure: `p95 ${Math.round(p95)} ms, median ${Math.round(percentile(times[way], 0.5))} ms`,
      against: `${most} ms`,
      ratio: p95 / most,
    });
  }
} finally {
  await dataset.close();
}
