import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/**
 * A rule that catches nothing looks like a rule that nobody breaks. So this test breaks each one on
 * purpose, in a small product with a feature that no rule knows, and expects the right rule to
 * catch it.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));

/** A product that keeps every rule. */
const lawful: Record<string, string> = {
  'src/platform/shared/shared.ts': 'export type Shared = string;',
  'src/platform/server/handle.ts': 'export const handle = 1;',
  'src/platform/web/page.ts': 'export const page = 1;',
  'src/features/cats/contract.ts':
    "import type { Shared } from '#platform/shared/shared.ts';\nexport type Cat = Shared;",
  'src/features/cats/rules.ts':
    "import type { Cat } from './contract.ts';\nexport const isCat = (cat: Cat) => cat !== '';",
  'src/features/cats/rules/paws.ts': "import { isCat } from '../rules.ts';\nexport const paws = isCat;",
  'src/features/cats/server/queries.ts':
    "import { handle } from '#platform/server/handle.ts';\nexport const all = handle;",
  'src/features/cats/server/index.ts': "import { all } from './queries.ts';\nexport const cats = all;",
  'src/features/cats/web/index.ts':
    "import { page } from '#platform/web/page.ts';\nexport const cats = page;",
  'src/features/cats/web/list.ts': 'export const list = 1;',
  'src/features/dogs/rules.ts':
    "import { isCat } from '#features/cats/rules.ts';\nexport const chases = isCat;",
  'src/features/dogs/server/index.ts':
    "import { cats } from '#features/cats/server/index.ts';\nexport const dogs = cats;",
  'src/features/dogs/web/index.ts':
    "import { cats } from '#features/cats/web/index.ts';\nexport const dogs = cats;",
  'src/features/dogs/server/dogs.test.ts':
    "import { support } from '#test/support/support.ts';\nexport const used = support;",
  'src/features/dogs/sample-calls.ts':
    "import { support } from '#test/support/support.ts';\nexport const samples = support;",
  'src/apps/server.ts': "import { dogs } from '#features/dogs/server/index.ts';\nexport const app = dogs;",
  'test/support/support.ts': 'export const support = 1;',
};

/** One more file each, and the rule that must catch it. Type-only imports count like any other. */
const breaches: [rule: string, file: string, content: string][] = [
  [
    'no-cycles',
    'src/features/cats/server/queries.ts',
    "import { cats } from './index.ts';\nexport const all = () => cats;",
  ],
  [
    'no-cycles',
    'src/features/cats/contract.ts',
    "import type { isCat } from './rules.ts';\nexport type Cat = string | typeof isCat;",
  ],
  [
    'nothing-imports-apps',
    'src/features/dogs/server/start.ts',
    "import { app } from '#apps/server.ts';\nexport const x = app;",
  ],
  [
    'nothing-imports-apps',
    'test/e2e/app.ts',
    "import { app } from '#apps/server.ts';\nexport const x = app;",
  ],
  [
    'pure-rooms-stay-pure',
    'src/features/dogs/contract.ts',
    "import type { handle } from '#platform/server/handle.ts';\nexport type X = typeof handle;",
  ],
  [
    'pure-rooms-stay-pure',
    'src/features/dogs/rules/bark.ts',
    "import { dogs } from '../server/index.ts';\nexport const x = dogs;",
  ],
  [
    'rules-do-no-input-or-output',
    'src/features/dogs/rules/files.ts',
    "import { readFileSync } from 'node:fs';\nexport const x = readFileSync;",
  ],
  [
    'rules-know-no-server-or-web-package',
    'src/features/dogs/rules/sql.ts',
    "import pg from 'pg';\nexport const x = pg;",
  ],
  [
    'server-imports',
    'src/features/dogs/server/reach.ts',
    "import { all } from '#features/cats/server/queries.ts';\nexport const x = all;",
  ],
  [
    'server-imports',
    'src/features/dogs/server/reach.ts',
    "import type { all } from '../../cats/server/queries.ts';\nexport type X = typeof all;",
  ],
  [
    'server-imports',
    'src/features/dogs/server/screen.ts',
    "import { page } from '#platform/web/page.ts';\nexport const x = page;",
  ],
  [
    'server-imports',
    'src/features/dogs/server/own-screen.ts',
    "import { dogs } from '../web/index.ts';\nexport const x = dogs;",
  ],
  [
    'server-tests-imports',
    'src/features/dogs/server/screen.test.ts',
    "import { page } from '#platform/web/page.ts';\nexport const x = page;",
  ],
  [
    'web-imports',
    'src/features/dogs/web/reach.ts',
    "import { list } from '#features/cats/web/list.ts';\nexport const x = list;",
  ],
  [
    'web-imports',
    'src/features/dogs/web/server.tsx',
    "import type { dogs } from '../server/index.ts';\nexport type X = typeof dogs;",
  ],
  ['web-has-no-node', 'src/platform/web/sql.ts', "import pg from 'pg';\nexport const x = pg;"],
  [
    'web-has-no-node-core',
    'src/features/dogs/web/files.ts',
    "import { join } from 'node:path';\nexport const x = join;",
  ],
  [
    'platform-knows-no-feature',
    'src/platform/server/dogs.ts',
    "import { dogs } from '#features/dogs/server/index.ts';\nexport const x = dogs;",
  ],
  [
    'platform-shared-imports',
    'src/platform/shared/handle.ts',
    "import { handle } from '#platform/server/handle.ts';\nexport const x = handle;",
  ],
  [
    'platform-server-imports',
    'src/platform/server/page.ts',
    "import { page } from '#platform/web/page.ts';\nexport const x = page;",
  ],
  [
    'platform-web-imports',
    'src/platform/web/handle.ts',
    "import { handle } from '#platform/server/handle.ts';\nexport const x = handle;",
  ],
  [
    'product-has-no-test-code',
    'src/apps/support.ts',
    "import { support } from '#test/support/support.ts';\nexport const x = support;",
  ],
  [
    'product-has-no-test-code',
    'src/features/dogs/server/tried.ts',
    "import { samples } from '../sample-calls.ts';\nexport const x = samples;",
  ],
  [
    'only-queries-and-verbs-hold-the-database',
    'src/features/dogs/server/routes.ts',
    "import pg from 'pg';\nexport const x = pg;",
  ],
  [
    'a-known-place-for-every-file',
    'src/features/dogs/bark.ts',
    "import type { Shared } from '#platform/shared/shared.ts';\nexport type X = Shared;",
  ],
  [
    'everything-resolves',
    'src/features/dogs/server/lost.ts',
    "import { x } from './nowhere.ts';\nexport const y = x;",
  ],
  [
    'declared-packages-only',
    'src/features/dogs/server/borrowed.ts',
    "import type { X } from 'pg-protocol';\nexport type Y = X;",
  ],
  [
    'product-needs-no-dev-package',
    'src/features/dogs/server/borrowed.ts',
    "import { build } from 'vite';\nexport const x = build;",
  ],
];

function write(folder: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), `${content}\n`);
  }
}

interface Violation {
  rule: { name: string };
  from: string;
  /** For a cycle: the files on it. `from` is any one of them. */
  cycle?: { name: string }[];
}

function cruise(folder: string): Promise<{ modules: number; violations: Violation[] }> {
  const program = join(root, 'node_modules', '.bin', 'depcruise');
  const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src', 'test'];
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (!stdout) return reject(error ?? new Error(stderr));
      const { summary, modules } = JSON.parse(stdout) as {
        summary: { violations: Violation[] };
        modules: unknown[];
      };
      resolve({ modules: modules.length, violations: summary.violations });
    });
  });
}

const config = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {
  forbidden: { name: string }[];
};

describe('import rules', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'import-rules-'));
    for (const name of ['.dependency-cruiser.cjs', 'package.json', 'tsconfig.json', 'tsconfig.base.json']) {
      cpSync(join(root, name), join(folder, name));
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    write(folder, lawful);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('let a product that keeps them pass, having read every file', async () => {
    const { modules, violations } = await cruise(folder);
    expect(violations).toEqual([]);
    expect(modules).toBe(Object.keys(lawful).length);
  });

  it('each have a planted breach', () => {
    expect([...new Set(breaches.map(([rule]) => rule))].sort()).toEqual(
      config.forbidden.map((rule) => rule.name).sort(),
    );
  });

  // One round adds as many breaches as possible, so that a single run of the tool checks them all.
  it('catch every breach planted in a feature they have never heard of', async () => {
    const rounds: (typeof breaches)[] = [];
    for (const breach of breaches) {
      const round = rounds.find((planted) => planted.every(([, file]) => file !== breach[1])) ?? [];
      if (round.length === 0) rounds.push(round);
      round.push(breach);
    }
    for (const round of rounds) {
      write(folder, Object.fromEntries(round.map(([, file, content]) => [file, content])));
      const { violations } = await cruise(folder);
      const caught = violations.flatMap(({ rule, from, cycle }) =>
        [from, ...(cycle ?? []).map((file) => file.name)].map((file) => `${rule.name}: ${file}`),
      );
      for (const [rule, file] of round) expect(caught).toContain(`${rule}: ${file}`);
      for (const [, file] of round) rmSync(join(folder, file));
      write(folder, lawful);
    }
  });
});
