// Prepares a clone for `npm start` and `npm test`: packages, the web build, a browser. Runs under
// any installed Node (20 or newer) and imports no package, because a fresh clone has none.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from './chromium.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => join(root, ...parts);

function fail(sentence) {
  console.error(`\n${sentence}\n`);
  process.exit(1);
}

const textOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

/**
 * True when node_modules has what package-lock.json asks for, and its Node runs here. npm writes
 * node_modules/.package-lock.json last, so a half-finished install has none. But what it lists may
 * be gone, or was never there in a copied folder. Packages for other platforms may be absent.
 */
function packagesAreInstalled() {
  const installed = textOf(at('node_modules', '.package-lock.json'));
  if (installed === undefined) return false;
  const present = JSON.parse(installed).packages;
  const asked = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages;
  const complete = Object.entries(asked).every(([path, { version, optional, devOptional }]) => {
    if (path === '') return true;
    if (!present[path]) return Boolean(optional || devOptional);
    return present[path].version === version && existsSync(at(path, 'package.json'));
  });
  return complete && spawnSync(at('node_modules', '.bin', 'node'), ['--version']).status === 0;
}

/** Runs `npm ci` when the packages are missing, half-installed or different from the lockfile. */
function ensurePackages() {
  if (packagesAreInstalled()) return;
  console.log('Installing packages (npm ci)…');
  const npm = process.env.npm_execpath;
  const command = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const flags = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const answer = spawnSync(command[0], [...command.slice(1), ...flags], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, npm_config_ignore_scripts: 'false' },
  });
  if (answer.status !== 0) {
    fail(
      'The packages could not be installed; npm says why above. Is its registry reachable? Then run the same command again.',
    );
  }
  if (!packagesAreInstalled()) {
    fail(
      'npm finished, but the packages are not all there. Remove the folder node_modules and run the same command again.',
    );
  }
}

/** Every file that the web build reads or may read later. */
function* webInputs(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'server') yield* webInputs(path);
    } else if (!entry.name.includes('.test.')) yield path;
  }
}

/** Builds the web part when its inputs have changed since the last build. */
function ensureWebBuild() {
  if (!existsSync(at('vite.config.ts'))) return;
  const hash = createHash('sha256');
  const around = [
    'vite.config.ts',
    'scripts/without-words.ts',
    'index.html',
    'postcss.config.js',

    'tsconfig.web.json',
    'package.json',
    'package-lock.json',
  ];
  const files = [...around.map((name) => at(name)).filter(existsSync), ...webInputs(at('src'))].sort();
  for (const file of files)
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  const stamp = hash.digest('hex');
  const stampFile = at('.tmp', 'web-built-from');
  if (textOf(stampFile) === stamp && existsSync(at('dist', 'web'))) return;
  console.log('Building the web part…');
  const vite = at('node_modules', 'vite', 'bin', 'vite.js');
  const answer = spawnSync(at('node_modules', '.bin', 'node'), [vite, 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (answer.status !== 0) fail('The web part could not be built; the reason is above.');
  mkdirSync(at('.tmp'), { recursive: true });
  writeFileSync(stampFile, stamp);
}

const wanted = new Set(process.argv.slice(2));
ensurePackages();
if (wanted.has('web')) ensureWebBuild();
if (wanted.has('browser')) {
  const { sentence } = ensureChromium();
  if (sentence) fail(sentence);
}
