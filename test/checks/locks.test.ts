import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Lock } from '#platform/server/locks.ts';

/** The locks that features declare, each in its `server/locks.ts`. */
const declared: Lock[] = [];
for (const file of globSync('src/features/*/server/locks.ts'))
  declared.push(...Object.values((await import(join(process.cwd(), file))) as Record<string, Lock>));

const twice = (values: (string | number)[]) => values.filter((value, at) => values.indexOf(value) !== at);

/** Lines of `source` that lock, or set a waiting time, without using the registry. */
const pastTheRegistry = (source: string) =>
  source
    .split('\n')
    .filter((line) => /pg_(try_)?advisory|\block_timeout\b/.test(line.replace(/^\s*(\*|\/\/).*/, '')));

describe('locks', () => {
  it('have a name, a number and a rank of their own', () => {
    expect(declared.length).toBeGreaterThan(5);
    for (const of of ['name', 'number', 'rank'] as const)
      expect(twice(declared.map((lock) => lock[of]))).toEqual([]);
  });

  it('are taken in one place', () => {
    const files = globSync('src/**/*.ts').filter(
      (file) =>
        !/\.test\.ts$|platform\/server\/(locks|start-locks|pools)\.ts$|imports\/server\/engine\/connection\.ts$/.test(
          file,
        ),
    );
    const found = files.flatMap((file) =>
      pastTheRegistry(readFileSync(file, 'utf8')).map((line) => `${file}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
    expect(pastTheRegistry('await sql`select pg_advisory_xact_lock(1)`; // why')).toHaveLength(1);
  });

  it('that functions of the database take are declared too', () => {
    const numbers = [...readFileSync('db/schema.sql', 'utf8').matchAll(/pg_advisory_xact_lock\((\d+)/g)];
    expect(numbers.length).toBeGreaterThan(0);
    const known = declared.map(({ number }) => number);
    for (const [, number] of numbers) expect(known).toContain(Number(number));
  });
});
