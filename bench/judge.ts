import { parseArgs } from 'node:util';
import { disposableDomains, generalRoles } from '#features/addresses/rules/lists.ts';
import { createJudge } from '#features/addresses/rules.ts';
import { idna } from '#features/addresses/server/index.ts';
import { dirtyRows } from '#test/support/dirty-data.ts';
import { report } from './report.ts';

/**
 * Verdicts without the DNS, on one core, over contact files as they arrive. Beside it a yardstick that nobody would ship: a bare
 * regular expression, the two halves, and a look-up in a set each for roles and throwaway domains.
 */
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '3' } },
});
const rows = Number(values.rows);

/** Seconds in which a million addresses may be judged, so that reading, judging and saving them stays within ten. */
const allowedPerMillion = 4;

function firstCells(): string[] {
  const cells: string[] = [];
  let rest = '';
  for (const chunk of dirtyRows({ rows, header: false })) {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const isQuoted = line.startsWith('"');
      cells.push(line.slice(isQuoted ? 1 : 0, line.indexOf(isQuoted ? '"' : ',', 1)));
    }
  }
  return cells;
}

const pattern = /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i;

function yardstick(addresses: readonly string[]): number {
  const roles = generalRoles();
  const disposable = disposableDomains();
  let found = 0;
  for (const address of addresses) {
    if (!pattern.test(address)) continue;
    const at = address.indexOf('@');
    if (roles.has(address.slice(0, at).toLowerCase())) found++;
    if (disposable.has(address.slice(at + 1).toLowerCase())) found++;
  }
  return found;
}

function judgeAll(addresses: readonly string[]): number {
  const judge = createJudge({ idna });
  let risk = 0;
  for (const address of addresses) risk += judge(address).risk;
  return risk;
}

/** Of the processor, the collector's threads included, so that neighbours on the machine do not count. */
function seconds(run: () => number): number {
  const before = process.cpuUsage();
  if (Number.isNaN(run())) throw new Error('The work must not be optimised away');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const addresses = firstCells();
const times: number[] = [];
const yardsticks: number[] = [];
for (let round = 0; round < Number(values.rounds); round++) {
  yardsticks.push(seconds(() => yardstick(addresses)));
  times.push(seconds(() => judgeAll(addresses)));
}
// The slowest round counts: a job begins with empty caches.
const slowest = Math.max(...times);
const least = Math.min(...yardsticks);
const perSecond = Math.round(addresses.length / slowest);
report({
  promise: 'Judge addresses without the DNS',
  figure: `${slowest.toFixed(2)} s of one core for ${addresses.length.toLocaleString('en-GB')} (${perSecond.toLocaleString('en-GB')} a second, ${(slowest / least).toFixed(1)} × a bare regular expression and two look-ups)`,
  against: `${((allowedPerMillion * addresses.length) / 1e6).toFixed(2)} s`,
  ratio: slowest / ((allowedPerMillion * addresses.length) / 1e6),
});
