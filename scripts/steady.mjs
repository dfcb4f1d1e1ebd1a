// `npm run test:steady -- 10` runs the browser tests this many times, each time in a different
// order, while two processes keep the cores busy. A file name after the number runs only that file.
// Ends with a table, one row per run, with the load of the machine at the run's end. `BUSY=0`
// leaves the two processes out, where the machine has other work. `FIRST=6` begins with the sixth
// order, so that two folders can share the runs.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { projectEnvironment } from './run.mjs';

const [runs = '10', ...files] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(runs)) {
  console.error('Say first how many runs: npm run test:steady -- 10');
  process.exit(2);
}
const first = Number(process.env.FIRST ?? 1);
const reportFile = '.tmp/tests.json';
const busy = Array.from({ length: process.env.BUSY === '0' ? 0 : 2 }, () =>
  spawn(process.execPath, ['-e', 'for (;;);']),
);
const stopBusy = () => busy.forEach((one) => void one.kill('SIGKILL'));
let child;
process.on('exit', stopBusy);
// The tests end the products that they started, so they are told and waited for.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (!child) process.exit(1);
    child.once('close', () => process.exit(1));
    child.kill('SIGINT');
  });
}

const rows = [];
for (let run = 1; run <= Number(runs); run += 1) {
  const order = first + run - 1;
  console.log(`\n== run ${run} of ${runs}, order ${order}`);
  rows.push(await oneRun(order));
}
console.log('\norder  passed  failed  seconds   load  what failed');
for (const { order, passed, failed, seconds, load, names } of rows)
  console.log(
    `${String(order).padStart(5)} ${String(passed).padStart(8)} ${String(failed).padStart(7)} ` +
      `${String(seconds).padStart(8)} ${load.toFixed(1).padStart(6)}  ${names.join('; ')}`,
  );
const steady = rows.filter(({ failed }) => failed === 0).length;
console.log(`\n${steady} of ${runs} runs without a failure`);
process.exit(steady === rows.length ? 0 : 1);

async function oneRun(order) {
  rmSync(reportFile, { force: true });
  const began = Date.now();
  const args = ['run', '--project', 'e2e', `--sequence.seed=${order}`, ...files];
  const status = await new Promise((resolve) => {
    child = spawn('vitest', args, { stdio: 'inherit', env: projectEnvironment });
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
  const report = readReport();
  const sum = (key) => report.files.reduce((all, file) => all + file[key], 0);
  const failed = sum('failed') + report.errors;
  return {
    order,
    passed: sum('passed'),
    // A failure outside every test has no name.
    failed: status !== 0 && failed === 0 ? 1 : failed,
    seconds: Math.round((Date.now() - began) / 1000),
    load: loadavg()[0] ?? 0,
    names: report.files.flatMap((file) => file.failures.map((name) => `${file.file}: ${name}`)),
  };
}

function readReport() {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8'));
  } catch {
    return { files: [], errors: 1 };
  }
}
