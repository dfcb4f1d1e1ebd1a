import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Result, resultMark } from './report.ts';

/**
 * Runs every bench and prints the table of promises. `--rows` is the size of the workspace for
 * search, stats, export, verification and bulk work, and of the suppression lists (default
 * 1,000,000). The promises for search, stats and export are at 15,000,000, which takes some 8
 * minutes to fill for each. Those for bulk work and the lists are at 5,000,000. `--only` runs one
 * bench.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    'import-rows': { type: 'string', default: '1500000' },
    only: { type: 'string' },
  },
});

const benches: [file: string, args: string[]][] = [
  ['start', []],
  ['page-weight', []],
  ['judge', []],
  ['render', []],
  ['messages', []],
  ['editor', []],
  ['track', []],
  ['small', []],
  ['import', ['--rows', values['import-rows']]],
  ['import', ['--rows', values['import-rows'], '--own-domains']],
  ['cli', ['--rows', values['import-rows']]],
  ['search', ['--rows', values.rows]],
  ['stats', ['--rows', values.rows]],
  ['export', ['--rows', values.rows]],
  ['streams', []],
  ['verify', ['--rows', values.rows]],
  ['segments', ['--rows', values.rows]],
  ['bulk', ['--rows', values.rows]],
  ['tags', ['--rows', values.rows]],
  [
    'suppressions',
    ['--entries', values.rows, '--contacts', values.rows, '--domains', String(Number(values.rows) / 5)],
  ],
];

function run(file: string, args: string[]): Promise<{ results: Result[]; code: number | null }> {
  return new Promise((resolve) => {
    const path = fileURLToPath(new URL(`./${file}.ts`, import.meta.url));
    const child = spawn(process.execPath, [path, ...args], {
      env: { ...process.env, BENCH_TABLE: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const results: Result[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith(resultMark)) results.push(JSON.parse(line.slice(resultMark.length)));
      else console.log(`  ${line}`);
    });
    child.on('close', (code) => resolve({ results, code }));
  });
}

const table: Record<string, string>[] = [];
let failed = false;
for (const [file, args] of benches) {
  if (values.only && values.only !== file) continue;
  console.log(`\n== ${file}`);
  const { results, code } = await run(file, args);
  if (code !== 0) {
    failed = true;
    table.push({
      promise: file,
      figure: `the bench ended with ${code}`,
      against: '',
      ratio: '',
      kept: 'unknown',
    });
  }
  for (const { promise, figure, against, ratio } of results) {
    table.push({ promise, figure, against, ratio: ratio.toFixed(2), kept: ratio <= 1 ? 'yes' : 'no' });
  }
}
console.log('\nPromises, measured on this machine just now');
console.table(table);
process.exit(failed ? 1 : 0);
