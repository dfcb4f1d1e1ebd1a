import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/**
 * Only its owner writes a table. The owner is the feature named in the comment `-- owner:
 * <feature>` just above CREATE TABLE in a migration, or in a later line `-- owner: <feature> owns
 * <table>`. The last one counts. The test reads both written SQL and Kysely's builders.
 */
interface Owners {
  byTable: Map<string, string>;
  /** Tables without the comment. */
  ownerless: string[];
}

function ownersIn(migrations: string): Owners {
  const owners: Owners = { byTable: new Map(), ownerless: [] };
  const creation =
    /(?:--[ \t]*owner:[ \t]*([a-z-]+)[^\n]*\n(?:[ \t]*--[^\n]*\n)*)?[ \t]*create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?"?([a-z_]+)"?(\s+partition\s+of)?/gi;
  for (const [, owner, table = '', partition] of migrations.matchAll(creation)) {
    if (partition) continue;
    if (owner) owners.byTable.set(table, owner);
    else owners.ownerless.push(table);
  }
  for (const [, owner = '', table = ''] of migrations.matchAll(change)) {
    if (!owners.byTable.has(table)) owners.ownerless.push(table);
    owners.byTable.set(table, owner);
  }
  return owners;
}

/** A table that moved to another feature. */
const change = /^--[ \t]*owner:[ \t]*([a-z-]+)[ \t]+owns[ \t]+([a-z_]+)[ \t]*$/gim;

const writes = [
  /\b(?:insert\s+into|delete\s+from(?:\s+only)?|merge\s+into|truncate(?:\s+table)?|copy)\s+"?([a-z_]+)"?/gi,
  /\bupdate\s+(?:only\s+)?"?([a-z_]+)"?\s+(?:(?:as\s+)?[a-z_]+\s+)?set\b/gi,
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*['"`]([a-z_]+)/g,
];

/** Sentences like `contacts writes suppressions, which belongs to suppressions`. */
function trespasses(feature: string, source: string, byTable: Map<string, string>): string[] {
  const tables = writes.flatMap((pattern) => [...source.matchAll(pattern)].map((match) => match[1] ?? ''));
  return [...new Set(tables)]
    .filter((table) => (byTable.get(table) ?? feature) !== feature)
    .map((table) => `${feature} writes ${table}, which belongs to ${byTable.get(table)}`);
}

const migrations = globSync('db/migrations/*.sql')
  .sort()
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

describe('tables', () => {
  it('each name their owner in the migration that makes them', () => {
    const { byTable, ownerless } = ownersIn(migrations);
    expect(byTable.size).toBeGreaterThan(5);
    expect(ownerless).toEqual([]);
  });

  it('are owned by features that exist', () => {
    const features = new Set(globSync('src/features/*').map((path) => path.split('/').at(-1)));
    const strangers = [...ownersIn(migrations).byTable].filter(
      ([, owner]) => !features.has(owner) && owner !== 'platform',
    );
    expect(strangers).toEqual([]);
  });

  it('are written by their owner only', () => {
    const { byTable } = ownersIn(migrations);
    const files = globSync('src/features/*/server/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
    const found = files.flatMap((file) =>
      trespasses(file.split('/')[2] ?? '', readFileSync(file, 'utf8'), byTable).map(
        (sentence) => `${file}: ${sentence}`,
      ),
    );
    expect(found).toEqual([]);
  });

  it.each([
    'insert into dogs (name) values (1)',
    'INSERT INTO "dogs" select 1',
    'update dogs set name = 1',
    'update only dogs d set name = 1',
    'delete from dogs where true',
    'truncate table dogs',
    'copy dogs (name) from stdin',
    'merge into dogs using cats on true',
    "db.insertInto('dogs')",
    "db.updateTable('dogs as d')",
    "db.deleteFrom('dogs')",
  ])('a stranger is caught writing: %s', (source) => {
    const { byTable } = ownersIn('-- owner: dogs\ncreate table dogs (name text);\n');
    expect(trespasses('cats', source, byTable)).toEqual(['cats writes dogs, which belongs to dogs']);
    expect(trespasses('dogs', source, byTable)).toEqual([]);
  });

  it('a table that moved belongs to whom it moved to last', () => {
    const made = '-- owner: dogs\ncreate table bones (name text);\n';
    const moved = `${made}-- owner: cats owns bones\n-- owner: birds owns bones\n`;
    expect(ownersIn(moved).byTable.get('bones')).toBe('birds');
    expect(ownersIn('-- owner: cats owns nothing').ownerless).toEqual(['nothing']);
  });

  it('reading is free, and a table without an owner is noticed', () => {
    const { byTable } = ownersIn('-- owner: dogs\n-- and why\ncreate unlogged table dogs (name text);');
    expect(trespasses('cats', 'select * from dogs for update', byTable)).toEqual([]);
    expect(ownersIn('create table dogs ();').ownerless).toEqual(['dogs']);
  });
});
