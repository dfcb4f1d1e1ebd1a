// Runs after a failed `npm test` in continuous integration, where the machine may be busy. Repeats
// the checks and the failed files alone, and names what failed first.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { projectEnvironment } from './run.mjs';

const { files, errors } = JSON.parse(readFileSync('.tmp/tests.json', 'utf8'));
const failed = files.filter((file) => file.failed > 0);
console.log('\nFailed at the first try:');
for (const { file, failures } of failed) console.log(`  ${file}: ${failures.join('; ')}`);
const most = 3;
if (failed.length > most) {
  console.log(
    `More than ${most} files: this is no matter of a busy machine.\n\n0 passed, ${failed.length} failed`,
  );
  process.exit(1);
}
// A failure outside a test has no file to repeat.
if (errors > 0) {
  console.log(`Outside the tests: ${errors} failed.\n\n0 passed, ${errors} failed`);
  process.exit(1);
}
// What has failed is tried again, however late it is.
const env = { ...projectEnvironment, TEST_UNTIL: '' };
const run = (program, args) => spawnSync(program, args, { stdio: 'inherit', env }).status ?? 1;
const checked = run('node', ['scripts/check.mjs']);
const names = failed.map(({ file }) => file);
const tested = names.length > 0 ? run('vitest', ['run', ...names]) : 0;
const isGreen = checked === 0 && tested === 0;
console.log(`\n${isGreen ? 'Passed only at the second try' : 'Failed at the second try too'}\n`);
const count = files.reduce((sum, file) => sum + file.passed, 0) + (isGreen ? failed.length : 0);
console.log(`${count} passed, ${isGreen ? 0 : Math.max(1, failed.length)} failed`);
process.exit(isGreen ? 0 : 1);
