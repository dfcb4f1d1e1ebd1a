import { parseArgs } from 'node:util';
import { audienceOf } from '#features/audience/server/index.ts';
import { verificationConditions } from '#features/verification/server/index.ts';

import { addressAt } from '#test/support/dirty-data.ts';
import { openDataset, workspaceId } from './dataset.ts';
import { percentile } from './product.ts';
import { report } from './report.ts';

/**
 * Search at full size: first page and total for rare, middling, common, domain, in-name and unknown
 * terms.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '15000000' },
    rounds: { type: 'string', default: '5' },
    keep: { type: 'string' },
  },
});
const rows = Number(values.rows);
const rounds = Number(values.rounds);

const sample = (ordinal: number) => addressAt(1, ordinal % rows);
const domainOf = (address: string) => address.slice(address.indexOf('@') + 1);
const terms: Record<string, string[]> = {
  'whole address': [sample(10), sample(123_457), sample(999_983)],
  'name and number': ['margaret.hughes1', 'oliver_smith2', 'sophie.taylor'],
  'small domain': [domainOf(sample(7)), domainOf(sample(65_537)), 'plumbing2.co.uk'],
  'middle of a name': ['garet', 'ughes', 'lliam', 'phie'],
  'first name': ['margaret', 'oliver', 'sophie'],
  'large provider': ['btinternet', 'gmail', 'sky.', '@virgin'],
  common: ['.co.uk', 'smith', 'son', 'ann'],
  'across the @': ['smith@b', 's@a', 'jones@'],
  nowhere: ['qqqxz', 'zzyzx@nowhere', 'smithxyz'],
  'two letters': ['ab', '.u'],
};

const dataset = await openDataset(rows, values.keep);
const audience = audienceOf(verificationConditions);
try {
  const all: number[] = [];
  let exact = 0;
  console.log(`search over ${rows.toLocaleString('en-GB')} contacts, first page of 20 with total`);
  for (const [kind, list] of Object.entries(terms)) {
    for (const term of list) {
      const tree = audience.of({ filter: { search: term } });
      const times: number[] = [];
      let shown = '';
      for (let round = 0; round < rounds; round++) {
        const started = performance.now();
        const found = await dataset.db.asTenant(workspaceId, (tx) =>
          audience.page(tx, workspaceId, tree, { sort: 'createdAt', order: 'desc', offset: 0, limit: 20 }),
        );
        times.push(performance.now() - started);
        if (round === 0 && !found.isEstimate) exact++;
        shown = `${found.isEstimate ? 'about ' : ''}${found.total.toLocaleString('en-GB')}`;
      }
      const sorted = times.toSorted((a, b) => a - b);
      all.push(...times);
      console.log(
        `  ${kind.padEnd(18)}${term.padEnd(36)}${percentile(sorted, 50).toFixed(0).padStart(6)} ms, slowest ${sorted.at(-1)?.toFixed(0).padStart(5)} ms  ${shown}`,
      );
    }
  }
  all.sort((a, b) => a - b);
  const count = Object.values(terms).flat().length;
  const p95 = percentile(all, 95);
  console.log(
    `p50 ${percentile(all, 50).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms; ${exact} of ${count} totals exact`,
  );
  report({
    promise: `search over ${rows.toLocaleString('en-GB')} contacts, p95`,
    figure: `${p95.toFixed(0)} ms, ${exact} of ${count} totals exact`,
    against: '150 ms',
    ratio: p95 / 150,
  });
} finally {
  await dataset.close();
}
