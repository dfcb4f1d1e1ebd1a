// `npm test` runs the checks and every test. `npm test -- unit e2e` runs those kinds. `npm test --
// views` runs every kind for that feature. Both together run those kinds for those features.
// `docs/testing.md` says how tests are sorted. Ends with where the time went and one line of
// counts.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { checks } from './check.mjs';
import { projectEnvironment, runSteps } from './run.mjs';
import { areas, areasOf, testFiles } from './test-files.mjs';

const kinds = ['unit', 'integration', 'e2e'];
const reportFile = '.tmp/tests.json';

const words = process.argv.slice(2);
const unknown = words.filter((word) => !['check', ...kinds, ...areas].includes(word));
if (unknown.length > 0) {
  console.error(
    `Neither a kind of test nor a feature: ${unknown.join(', ')}.\n` +
      `Kinds: check, ${kinds.join(', ')}.\nFeatures: ${areas.join(', ')}.`,
  );
  process.exit(2);
}
const chosenAreas = words.filter((word) => areas.includes(word));
const named = kinds.filter((kind) => words.includes(kind));
const onlyChecks = words.length > 0 && words.every((word) => word === 'check');
const chosenKinds = onlyChecks ? [] : named.length > 0 ? named : kinds;
const began = Date.now();

// Side by side: while one waits, the other can use the processor.
const [checked, tested] = await Promise.all([
  words.length === 0 || words.includes('check') ? runSteps(checks, 1) : undefined,
  chosenKinds.length > 0 ? runTests() : undefined,
]);
const total = { passed: checked?.passed ?? 0, failed: checked?.failed ?? 0 };
const lines = checked ? [`checks: ${checked.passed} passed, ${checked.failed} failed`] : [];
if (tested) {
  tellTimes(tested.files);
  for (const kind of chosenKinds) {
    const count = countsOf(tested.files.filter((file) => file.kind === kind));
    total.passed += count.passed;
    total.failed += count.failed;
    lines.push(`${kind}: ${inWords(count)}`);
  }
  // A failure outside a test, for instance in the set-up, has no name, but the run has still
  // failed.
  const outside = Math.max(tested.errors, tested.status !== 0 && total.failed === 0 ? 1 : 0);
  if (outside > 0) lines.push(`outside the tests: ${outside} failed`);
  total.failed += outside;
  // Only continuous integration has an end; see test/support/in-time.ts.
  const leftOut = tested.files.filter(({ passed, failed, skipped }) => passed + failed + skipped === 0);
  if (leftOut.length > 0)
    console.log(`\nNot begun, as the time was over:\n${leftOut.map(({ file }) => file).join('\n')}`);
  if (leftOut.length > 0) lines.push(`not begun: ${leftOut.length} files`);
  const retried = tested.files.flatMap((file) => file.retried);
  if (retried.length > 0)
    console.log(`\nPassed only when tried again, which is a failure:\n${retried.join('\n')}`);
}
console.log(`\n${lines.join('\n')}\n${time(Date.now() - began)} in all`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** One run for all kinds, so that the processes that run files never wait for a kind to end. */
async function runTests() {
  rmSync(reportFile, { force: true });
  const files = chosenAreas.length > 0 ? filesOf(chosenAreas) : [];
  if (chosenAreas.length > 0 && files.length === 0) return { status: 0, files: [], errors: 0 };
  const args = ['run', ...chosenKinds.flatMap((kind) => ['--project', kind]), ...files];
  const status = await new Promise((resolve) => {
    const child = spawn('vitest', args, { stdio: 'inherit', env: projectEnvironment });
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
  try {
    return { status, ...JSON.parse(readFileSync(reportFile, 'utf8')) };
  } catch {
    return { status, files: [], errors: 1 }; // it ended before it could write its report
  }
}

function filesOf(wanted) {
  return testFiles().filter((file) => areasOf(file).some((area) => wanted.includes(area)));
}

function countsOf(files) {
  const sum = (key) => files.reduce((all, file) => all + file[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function time(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Where the time went. Several files run at once, so their times add up to more than the clock
 * shows.
 */
function tellTimes(files) {
  if (files.length === 0) return;
  const took = ({ ms }) => ms.load + ms.hooks + ms.tests;
  const sum = (some, of) => some.reduce((all, file) => all + of(file), 0);
  const whole = sum(files, took);
  const share = (ms) => `${((100 * ms) / whole).toFixed(0)} %`.padStart(5);
  const row = (ms, what) => `${time(ms).padStart(12)} ${share(ms)}  ${what}`;

  console.log('\nWhat each kind took, of it loading files, their hooks, and their tests:');
  for (const kind of kinds) {
    const some = files.filter((file) => file.kind === kind);
    if (some.length === 0) continue;
    const parts = ['load', 'hooks', 'tests'].map((part) => time(sum(some, ({ ms }) => ms[part])));
    console.log(row(sum(some, took), `${kind}: ${some.length} files (${parts.join(', ')})`));
  }
  console.log('\nThe slowest files:');
  for (const file of files.toSorted((a, b) => took(b) - took(a)).slice(0, 12))
    console.log(row(took(file), file.file));
  const byArea = new Map();
  for (const file of files) {
    const owners = areasOf(file.file);
    for (const area of owners.length > 0 ? owners : ['of no one feature'])
      byArea.set(area, (byArea.get(area) ?? 0) + took(file) / Math.max(1, owners.length));
  }
  console.log('\nWhat each feature took; a file of several is parted evenly among them:');
  for (const [area, ms] of [...byArea].toSorted(([, a], [, b]) => b - a)) console.log(row(ms, area));
}
