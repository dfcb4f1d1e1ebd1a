#!/usr/bin/env node
// The command `email-manager`, under any installed Node (20 or newer). It hands over to the
// project's own Node, which runs TypeScript directly. It imports no package, because a fresh clone
// has none.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const node = join(root, 'node_modules', '.bin', 'node');

if (root.includes(`${sep}node_modules${sep}`)) {
  console.error(
    'email-manager runs from a clone of its project, not from a packed copy: Node reads no TypeScript in node_modules.\nIn the clone, run `npm link`; then the command is there everywhere.',
  );
  process.exit(1);
}
if (!existsSync(join(root, 'node_modules', '.package-lock.json')) || !existsSync(node)) {
  // Standard output belongs to the command.
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'ensure.mjs')], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(1);
}

const child = spawn(node, [join(root, 'src', 'apps', 'cli.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// The command ends cleanly when told to, and this process ends with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`The command could not be started: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
