import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Papa from 'papaparse';
import { dirtyRows } from '#test/support/dirty-data.ts';
import { report } from './report.ts';

/**
 * `email-manager clean` over a dirty file, against reading the same file with papaparse and
 * ignoring its rows. Compares processor time, because other work on the machine does not lengthen
 * it.
 */
const { values } = parseArgs({ options: { rows: { type: 'string', default: '1500000' } } });
const rows = Number(values.rows);
const folder = await mkdtemp(join(tmpdir(), 'email-manager-bench-'));
const at = (name: string) => join(folder, name);

interface Run {
  seconds: number;
  /** Processor time of all threads. */
  busySeconds: number;
  /** The most memory ever resident. */
  megabytes: number;
  counts: Record<string, number>;
}

/** Runs the command, which reports its resource use when it ends. */
async function clean(): Promise<Run> {
  const cli = fileURLToPath(new URL('../src/apps/cli.ts', import.meta.url));
  const tell = `data:text/javascript,process.on('exit',()=>process.stderr.write('@used '+JSON.stringify(process.resourceUsage())))`;
  const args = [
    '--import',
    tell,
    cli,
    'clean',
    at('in.csv'),
    '-o',
    at('out.csv'),
    '-r',
    at('rejects.csv'),
    '--json',
  ];
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let told = '';
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (told += text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`the command ended with ${code}: ${told}`);
  const used: NodeJS.ResourceUsage = JSON.parse(/@used (.*)/.exec(told)?.[1] ?? '');
  return {
    seconds: (performance.now() - started) / 1000,
    busySeconds: (used.userCPUTime + used.systemCPUTime) / 1e6,
    megabytes: used.maxRSS / 1024,
    counts: JSON.parse(out),
  };
}

function readOnly(): Promise<number> {
  const before = process.cpuUsage();
  return new Promise((resolve, reject) => {
    Papa.parse(createReadStream(at('in.csv'), 'utf8'), {
      step: () => undefined,
      complete: () => {
        const { user, system } = process.cpuUsage(before);
        resolve((user + system) / 1e6);
      },
      error: reject,
    });
  });
}

/** Judging, comparing and writing may cost this many times as much as reading alone. */
const allowed = 10;

try {
  const file = dirtyRows({ rows });
  await pipeline(Readable.from(file), createWriteStream(at('in.csv')));
  const yardstick = await readOnly();
  const { seconds, busySeconds, megabytes, counts } = await clean();
  for (const [fate, count] of Object.entries(file.expected()))
    if (counts[fate] !== count) throw new Error(`${fate}: ${counts[fate]} rows, not ${count}`);
  const size = `${rows.toLocaleString('en-GB')} rows`;
  report({
    promise: `clean ${size} from the command line`,
    figure: `${busySeconds.toFixed(1)} s of the processor (${seconds.toFixed(1)} s in all)`,
    against: `${allowed} times reading them with papaparse (${yardstick.toFixed(1)} s)`,
    ratio: busySeconds / (allowed * yardstick),
  });
  report({
    promise: `memory of cleaning ${size}`,
    figure: `${megabytes.toFixed(0)} MB`,
    against: '600 MB',
    ratio: megabytes / 600,
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
