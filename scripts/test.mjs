// `npm test`: the checks and every test; `npm test -- unit integration` only those kinds. Ends with one line of counts.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { checks } from './check.mjs';
import { projectEnvironment, runSteps } from './run.mjs';

const kinds = ['unit', 'integration', 'e2e'];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((kind) => ![...kinds, 'check'].includes(kind));
if (unknown.length > 0) {
  console.error(`Unknown kind of test: ${unknown.join(', ')}. There are: check, ${kinds.join(', ')}.`);
  process.exit(2);
}
const chosen = wanted.length > 0 ? wanted : ['check', ...kinds];
const total = { passed: 0, failed: 0, skipped: 0 };
const ran = [];
const retried = [];

if (chosen.includes('check')) {
  console.log('\n== checks');
  const count = await runSteps(checks);
  total.passed += count.passed;
  total.failed += count.failed;
  ran.push(`checks: ${count.passed} passed, ${count.failed} failed`);
}

mkdirSync('.tmp', { recursive: true });
for (const kind of kinds.filter((name) => chosen.includes(name))) {
  console.log(`\n== ${kind} tests`);
  const report = `.tmp/tests-${kind}.json`;
  rmSync(report, { force: true });
  const args = [
    'run',
    '--project',
    kind,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const { status } = spawnSync('vitest', args, { stdio: 'inherit', env: projectEnvironment });
  const count = countsIn(report);
  // A crash outside a test, for instance in the set-up, fails no test by name but the run all the same.
  if (status !== 0 && count.failed === 0) count.failed = 1;
  for (const key of Object.keys(total)) total[key] += count[key];
  retried.push(...count.retried);
  ran.push(
    `${kind}: ${count.passed} passed, ${count.failed} failed${count.skipped ? `, ${count.skipped} skipped` : ''}`,
  );
}

// Where a failed test is tried again, one that then passes has still shown something.
if (retried.length > 0) console.log(`\nPassed only when tried again:\n${retried.join('\n')}`);
console.log(`\n${ran.join('\n')}\n\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

function countsIn(report) {
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    // A file that could not be loaded has no tests to fail.
    const brokenFiles = result.testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.length === 0,
    );
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + brokenFiles.length,
      skipped: result.numPendingTests + result.numTodoTests,
      retried: result.testResults.flatMap(({ assertionResults }) =>
        assertionResults
          .filter(({ status, failureMessages }) => status === 'passed' && failureMessages?.length > 0)
          .map(({ fullName, failureMessages }) => `  ${fullName}: ${failureMessages[0].split('\n', 1)[0]}`),
      ),
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, retried: [] }; // vitest ended before it could write its report
  }
}
