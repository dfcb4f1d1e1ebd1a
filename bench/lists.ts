import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CompiledQuery, sql } from 'kysely';
import type { ContactFilter } from '#features/audience/contract.ts';
import type { PageRequest } from '#features/audience/rules/plan.ts';
import { audienceOf } from '#features/audience/server/index.ts';
import { verificationConditions } from '#features/verification/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { openDataset, workspaceId } from './dataset.ts';
import { fillMixed, verifyMixed } from './mixed-dataset.ts';

/**
 * Pages of lists in every order, and counts, over contacts of every kind: how long each takes, and
 * what its statements read. With `--verify 0,0.5`, the older half of the contacts gets verdicts
 * first. `--only` chooses lists by parts of their names, `--first` leaves out far pages, `--counts`
 * adds the counts, and `--plans` prints the plan of each statement.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    keep: { type: 'string' },
    verify: { type: 'string' },
    only: { type: 'string', default: '' },
    plans: { type: 'boolean', default: false },
    counts: { type: 'boolean', default: false },
    first: { type: 'boolean', default: false },
  },
});

interface PlanNode {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

/** What the statements of a call read: rows of tables and indexes, and blocks of 8 kB. */
interface Read {
  statements: number;
  rows: number;
  blocks: number;
  slowest: number;
}

const rowsOf = (node: PlanNode): number => {
  const own = node['Relation Name']
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0;
  return own + (node.Plans ?? []).reduce((sum, one) => sum + rowsOf(one), 0);
};

/** A member of an object that keeps its state in itself. */
function boundTo<T extends object>(target: T, name: PropertyKey): unknown {
  const member: unknown = Reflect.get(target, name);
  return typeof member === 'function' ? member.bind(target) : member;
}

/** The transaction, with each of its statements explained after it ran. */
function explaining(tx: TenantTx, read: Read): TenantTx {
  const executor = tx.getExecutor();
  const watched = new Proxy(executor, {
    get(target, name) {
      if (name !== 'executeQuery') return boundTo(target, name);
      return async (query: CompiledQuery) => {
        if (!/^\s*(select|with)\b/i.test(query.sql)) return target.executeQuery(query);
        const explained = await target.executeQuery<{
          'QUERY PLAN': [{ Plan: PlanNode; 'Execution Time': number }];
        }>({
          ...query,
          sql: `explain (analyze, buffers, format json) ${query.sql}`,
        });
        const [plan] = explained.rows[0]?.['QUERY PLAN'] ?? [];
        if (plan) {
          read.statements += 1;
          read.rows += rowsOf(plan.Plan);
          read.blocks += plan.Plan['Shared Hit Blocks'] + plan.Plan['Shared Read Blocks'];
          read.slowest = Math.max(read.slowest, plan['Execution Time']);
        }
        if (values.plans) {
          const text = await target.executeQuery<{ 'QUERY PLAN': string }>({
            ...query,
            sql: `explain (analyze, buffers) ${query.sql}`,
          });
          console.log(query.sql.replaceAll(/\{[^}]{300,}\}/g, '{…}'));
          console.log(text.rows.map((row) => `    ${row['QUERY PLAN'].slice(0, 300)}`).join('\n'));
        }
        return target.executeQuery(query);
      };
    },
  });
  return new Proxy(tx, {
    get: (target, name) => (name === 'getExecutor' ? () => watched : boundTo(target, name)),
  });
}

const filters: Record<string, ContactFilter> = {
  'all contacts': {},
  active: { status: 'active' },
  invalid: { status: 'invalid' },
  duplicate: { status: 'duplicate' },
  suppressed: { status: 'suppressed' },
  'verdict valid': { verdict: 'valid' },
  'verdict invalid': { verdict: 'invalid' },
  'verdict risky, active': { verdict: 'risky', status: 'active' },
  'uk class uk': { uk: 'uk' },
  'uk class likely_uk': { uk: 'likely_uk' },
  'uk class global': { uk: 'global' },
  'uk class not_uk': { uk: 'not_uk' },
  'kind corporate': { kind: 'corporate' },
  'kind free': { kind: 'free' },
  'kind nhs': { kind: 'nhs' },
  'kind role': { kind: 'role' },
  'kind disposable': { kind: 'disposable' },
  'kind role, invalid': { kind: 'role', status: 'invalid' },
  'kind role, uk': { kind: 'role', uk: 'uk' },
  'kind role, duplicate': { kind: 'role', status: 'duplicate' },
  'kind police, not uk': { kind: 'police', uk: 'not_uk' },
  'a large domain': { domain: 'gmail.com' },
  'common term': { search: 'smith' },
  'common term, role': { search: 'smith', kind: 'role' },
  'two letters': { search: 'qj' },
  'a source': { source: 'website' },
  'a rare source': { source: 'fair' },
};
const orders: Pick<PageRequest, 'sort' | 'order'>[] = [
  { sort: 'createdAt', order: 'desc' },
  { sort: 'address', order: 'asc' },
  { sort: 'verdict', order: 'asc' },
  { sort: 'verdict', order: 'desc' },
  { sort: 'risk', order: 'asc' },
  { sort: 'risk', order: 'desc' },
];
const limit = 21;

const isFilled = values.keep !== undefined && existsSync(join(values.keep, 'postgres', 'PG_VERSION'));
const dataset = await openDataset(0, values.keep);
const { db } = dataset;
const audience = audienceOf(verificationConditions);

const fixed = (figure: number, width: number) => Math.round(figure).toLocaleString('en-GB').padStart(width);

async function timed<T>(
  work: (tx: TenantTx) => Promise<T>,
): Promise<{ ms: number; result?: T; problem?: string }> {
  const started = performance.now();
  try {
    const result = await db.asTenant(workspaceId, async (tx) => {
      await sql`set local statement_timeout = '60s'`.execute(tx);
      return work(tx);
    });
    return { ms: performance.now() - started, result };
  } catch (error) {
    return {
      ms: performance.now() - started,
      problem: error instanceof AppError ? error.code : String(error),
    };
  }
}

async function tell(name: string, work: (tx: TenantTx) => Promise<string>): Promise<void> {
  const { ms, result, problem } = await timed(work);
  const read: Read = { statements: 0, rows: 0, blocks: 0, slowest: 0 };
  if (problem === undefined || problem === 'invalid_input') {
    const again = await timed((tx) => work(explaining(tx, read)));
    if (again.problem !== problem) console.log(`  ${again.problem}`);
  }
  console.log(
    `${name.padEnd(58)}${fixed(ms, 8)} ms ${fixed(read.rows, 12)} rows ${fixed(read.blocks, 11)} blocks  ${result ?? problem}`,
  );
}

async function page(filter: ContactFilter, wanted: PageRequest): Promise<(tx: TenantTx) => Promise<string>> {
  const tree = audience.of({ filter });
  return async (tx) => {
    const { ids, total, isEstimate } = await audience.page(tx, workspaceId, tree, wanted);
    return `${ids.length} of ${isEstimate ? 'about ' : ''}${total.toLocaleString('en-GB')}`;
  };
}

try {
  if (!isFilled) await fillMixed(dataset.ownerUrl, Number(values.rows));
  if (values.verify) {
    const [from = 0, to = 1] = values.verify.split(',').map(Number);
    await verifyMixed(dataset.ownerUrl, from, to);
  }
  for (const [name, filter] of Object.entries(filters)) {
    if (!values.only.split(',').some((part) => name.includes(part))) continue;
    const tree = audience.of({ filter });
    for (const by of orders) {
      const first = { ...by, offset: 0, limit };
      await tell(`${name}, by ${by.sort} ${by.order}, first`, await page(filter, first));
      const { result } = await timed((tx) => audience.page(tx, workspaceId, tree, first));
      if (values.first || !result || result.total < 2000) continue;
      await tell(
        `${name}, by ${by.sort} ${by.order}, half way`,
        await page(filter, { ...first, offset: Math.floor(result.total / 2) }),
      );
      await tell(
        `${name}, by ${by.sort} ${by.order}, last`,
        await page(filter, { ...first, offset: result.total - 20 }),
      );
    }
    if (values.counts)
      await tell(`${name}, counted`, async (tx) => String(await audience.count(tx, workspaceId, tree)));
  }
} finally {
  await dataset.close();
}
