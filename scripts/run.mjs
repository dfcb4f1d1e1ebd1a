// Runs named commands side by side, shows each result when it arrives, and the whole output of
// those that failed.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** The environment with the project's own programs and Node first on the PATH. */
export const projectEnvironment = {
  ...process.env,
  PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH}`,
  // Lets Node compile once and not in every program that starts.
  NODE_COMPILE_CACHE: join(process.cwd(), '.tmp', 'compile-cache'),
  FORCE_COLOR: process.stdout.isTTY ? '1' : '0',
};

/**
 * @param {{ name: string, command: string[], says?: true }[]} steps a step that `says` shows its
 * output even when it passes
 * @param {number} [atOnce] how many run side by side
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runSteps(steps, atOnce = Math.max(2, availableParallelism())) {
  const waiting = [...steps];
  const count = { passed: 0, failed: 0 };
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const began = Date.now();
      const { code, output } = await run(step.command);
      const seconds = ((Date.now() - began) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${step.name} (${seconds} s)`);
      if (code !== 0 || step.says) console.log(output.trimEnd());
      count[code === 0 ? 'passed' : 'failed'] += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return count;
}

function run([program, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: projectEnvironment });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
