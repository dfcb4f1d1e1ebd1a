// `npm run dev`: the API restarts when its code changes, and the open page gets the changed web
// code. Ctrl-C stops both.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { projectEnvironment } from './run.mjs';

const port = process.env.PORT ?? '3000';
const webPort = process.env.WEB_PORT ?? '5173';
const publicUrl = process.env.PUBLIC_URL ?? `http://localhost:${webPort}`;
const env = {
  ...projectEnvironment,
  PORT: port,
  PUBLIC_URL: publicUrl,
  API_PORT: port,
};
const start = (program, args) => spawn(program, args, { stdio: 'inherit', env });
const children = [start('node', ['--watch', '--watch-preserve-output', 'src/apps/server.ts'])];
if (existsSync('vite.config.ts')) children.push(start('vite', ['--port', webPort, '--strictPort']));

let stopping = false;
function stop(signal, code = 0) {
  if (stopping) return;
  stopping = true;
  process.exitCode = code;
  for (const child of children) child.kill(signal);
}
// Ctrl-C reaches the children by itself. This program only has to outlive them.
process.on('SIGINT', () => stop('SIGTERM'));
process.on('SIGTERM', () => stop('SIGTERM'));
for (const child of children) child.once('exit', (code) => stop('SIGTERM', code ?? 0));
