import { parseArgs } from 'node:util';
import { disposableDomains, generalRoles } from '#features/addresses/rules/lists.ts';
import { createJudge } from '#features/addresses/rules.ts';
import { idna } from '#features/addresses/server/index.ts';
import { addresses, dirtyRows } from '#test/support/dirty-data.ts';
import { report } from './report.ts';

/**
 * Verdicts without the DNS, on one core, over a contact file as it arrives and over stored
 * contacts. The yardstick beside it is nothing anybody would ship: a bare regular expression, the
 * two halves, and one set look-up each for roles and throwaway domains.
 */
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '3' } },
});
const rows = Number(values.rows);

/**
 * Seconds for judging a million addresses, so that reading, judging and saving them takes at most
 * ten.
 */
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

function yardstick(list: readonly string[]): number {
  const roles = generalRoles();
  const disposable = disposableDomains();
  let found = 0;
  for (const address of list) {
    if (!pattern.test(address)) continue;
    const at = address.indexOf('@');
    if (roles.has(address.slice(0, at).toLowerCase())) found++;
    if (disposable.has(address.slice(at + 1).toLowerCase())) found++;
  }
  return found;
}

function judgeAll(list: readonly string[]): number {
  const judge = createJudge({ idna });
  let risk = 0;
  for (const address of list) risk += judge(address).risk;
  return risk;
}

/**
 * Processor time, including the garbage collector's threads, so that other programs on the machine
 * do not count.
 */
function seconds(run: () => number): number {
  const before = process.cpuUsage();
  if (Number.isNaN(run())) throw new Error('The work must not be optimised away');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Measures one list. The slowest round counts, because a job begins with empty caches. */
function measure(promise: string, list: readonly string[]): void {
  const times: number[] = [];
  const yardsticks: number[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    yardsticks.push(seconds(() => yardstick(list)));
    times.push(seconds(() => judgeAll(list)));
  }
  const slowest = Math.max(...times);
  const perSecond = Math.round(list.length / slowest).toLocaleString('en-GB');
  const allowed = (allowedPerMillion * list.length) / 1e6;
  const factor = (slowest / Math.min(...yardsticks)).toFixed(1);
  report({
    promise,
    figure: `${slowest.toFixed(2)} s of one core for ${list.length.toLocaleString('en-GB')} (${perSecond} a second, ${factor} × a bare regular expression and two look-ups)`,
    against: `${allowed.toFixed(2)} s`,
    ratio: slowest / allowed,
  });
}

measure('Judge a file as it arrives, without the DNS', firstCells());
measure('Judge stored contacts, without the DNS', [...addresses(rows)]);
