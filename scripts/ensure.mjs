// Makes a clone ready before `npm start` and `npm test`: packages, the web build, a browser. Runs under whatever
// Node is there (20 or newer) and imports no package, because on a fresh clone there are none.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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
const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** `npm ci` when the packages are missing or belong to another lockfile, platform or half-finished install. */
function ensurePackages() {
  const lockfile = at('package-lock.json');
  const stampFile = at('node_modules', '.installed-from');
  const stamp = createHash('sha256')
    .update(readFileSync(lockfile))
    .update(`${process.platform}-${process.arch}`)
    .digest('hex');
  if (textOf(stampFile) === stamp) return;
  // npm writes this file last, so it tells a finished install by hand.
  const installedByHand = modified(at('node_modules', '.package-lock.json')) >= modified(lockfile);
  if (
    textOf(stampFile) !== undefined ||
    !installedByHand ||
    !existsSync(at('node_modules', '.bin', 'node'))
  ) {
    console.log('Installing packages (npm ci)…');
    const npm = process.env.npm_execpath;
    const command = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
    const flags = [
      'ci',
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ];
    const answer = spawnSync(command[0], [...command.slice(1), ...flags], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, npm_config_ignore_scripts: 'false' },
    });
    if (answer.status !== 0) {
      fail(
        'The packages could not be installed. Is the npm registry reachable? Then run the same command again.',
      );
    }
  }
  const node = spawnSync(at('node_modules', '.bin', 'node'), ['--version'], { encoding: 'utf8' });
  if (node.status !== 0)
    fail('The Node that comes with the project does not run here. Remove node_modules and try again.');
  writeFileSync(stampFile, stamp);
}

/** Every file that the web build reads, or could come to read. */
function* webInputs(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'server') yield* webInputs(path);
    } else if (!entry.name.includes('.test.')) yield path;
  }
}

/** Builds the web part when what it is made of has changed since the last build. */
function ensureWebBuild() {
  if (!existsSync(at('vite.config.ts'))) return;
  const hash = createHash('sha256');
  const around = [
    'vite.config.ts',
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
