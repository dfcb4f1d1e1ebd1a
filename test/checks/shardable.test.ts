import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/**
 * The schema can be sharded by workspace: each workspace table is distributed by `workspace_id`, so
 * that all rows of a workspace are on one node. docs/decisions/0027 explains what tables and
 * statements need for that. This test enforces it.
 */
interface Table {
  name: string;
  body: string;
  /** Later statements about it: indexes, policies, grants. */
  rest: string;
}

/** Tables on one node or on every node, and why their keys need not begin with `workspace_id`. */
const undistributed: Record<string, string> = {
  accounts: 'sign-in',
  admin_actions: 'installation',
  domain_mail: 'installation: what name servers said, for all workspaces',
  invitations: 'sign-in: found by its secret before the workspace is known',
  members: 'sign-in: found by the person before the workspace is known',
  nightly_place: 'installation: how far the nightly work has come',
  notification_choices: 'sign-in: a choice of the person, for all workspaces',
  outbox: 'installation: mail of the product itself, some of it for no workspace',
  rate_limits: 'sign-in',
  schema_migrations: 'installation',
  sessions: 'sign-in',
  two_factors: 'sign-in',
  uptime_spans: 'installation',
  users: 'sign-in',
  verifications: 'sign-in',
  workspaces: 'on every node',
};

/**
 * The import engine's slots: scratch tables lent to one import at a time. They stay on the
 * coordinator, see decision 27.
 */
const isSlot = (name: string) => /^import_(staging|judged|sums|dead_domains)_\d$/.test(name);

function tablesIn(schema: string): Table[] {
  const starts = [
    ...schema.matchAll(/^create (?:unlogged )?table (\w+) \(\n([\s\S]*?)\n\)(?: partition by [^;]+)?;\n/gm),
  ];
  return starts.map((match) => {
    const from = match.index + match[0].length;
    const rest = schema.slice(from).split(/^create (?:unlogged )?table |^CREATE OR REPLACE /m, 1)[0] ?? '';
    return { name: match[1] ?? '', body: match[2] ?? '', rest };
  });
}

const distributedIn = (tables: Table[]) =>
  tables.filter(({ name }) => !(name in undistributed) && !isSlot(name));

/** Why a table cannot be distributed by its workspace, in sentences. */
function faultsOf({ name, body, rest }: Table, distributed: Set<string>): string[] {
  if (!/^ {2}workspace_id bigint not null/m.test(body)) return [`${name} has no workspace_id`];
  const keys = [...body.matchAll(/constraint \w+ (PRIMARY KEY|UNIQUE) \(([^)]*)\)/g)].map((match) => [
    match[1],
    match[2],
  ]);
  for (const [, columns] of rest.matchAll(/^CREATE UNIQUE INDEX .*? USING btree \((.*)\)/gm))
    keys.push(['unique index', columns]);
  const foreign = [...body.matchAll(/FOREIGN KEY \(([^)]*)\) REFERENCES (\w+)\(/g)].filter(
    ([, columns = '', target = '']) =>
      !(target === 'workspaces' || (columns.startsWith('workspace_id') && distributed.has(target))),
  );
  return [
    ...keys
      .filter(([, columns]) => !columns?.startsWith('workspace_id'))
      .map(([kind, columns]) => `${name}: ${kind} (${columns}) does not begin with workspace_id`),
    ...foreign.map(
      ([, columns, target]) => `${name}: foreign key (${columns}) to ${target} leaves its workspace`,
    ),
    ...(rest.includes(`alter table ${name} enable row level security;`)
      ? []
      : [`${name} has no row-level security`]),
  ];
}

/** The condition of each join of a table, up to whatever can follow it. */
const joins =
  /\bjoin\s+([a-z_]+)\s+(?:as\s+)?(?:[a-z]\w*\s+)?\b(?:on|using)\b(.*?)(?=\bjoin\b|\bwhere\b|\bgroup by\b|\border by\b|\bcross\b|\bunion\b|[`;]|$)/gis;

/** The parts of some SQL, or of a program with SQL in it, that would not work on shards. */
function unshardable(source: string, distributed: Set<string>): string[] {
  const faults = [...source.matchAll(joins)]
    .filter(([, table = '', condition = '']) => distributed.has(table) && !condition.includes('workspace_id'))
    .map(([, table]) => `joins ${table} without its workspace_id`);
  if (/\bcreate\s+(?:local\s+|global\s+)?temp(?:orary)?\s+table\b/i.test(source))
    faults.push('makes a temporary table');
  if (/\bset_config\s*\(\s*'app\.workspace_id'/i.test(source))
    faults.push('names the workspace by set_config()');
  return faults;
}

/** Functions that see every workspace's rows, and do not keep to the current one by themselves. */
const crossing = (source: string): string[] =>
  [
    ...source.matchAll(
      /^CREATE OR REPLACE FUNCTION public\.(\w+)\((?:(?!^CREATE ).)*?\$function\$.*?\$function\$/gms,
    ),
  ]
    .filter(([text]) => text.includes('SECURITY DEFINER') && !text.includes('current_workspace()'))
    .map(([, name = '']) => name);

const schema = readFileSync('db/schema.sql', 'utf8');
const tables = tablesIn(schema);
const distributed = new Set(distributedIn(tables).map(({ name }) => name));

describe('the schema can be sharded by workspace', () => {
  it('each table of a workspace has it first in every key', () => {
    expect(distributed.size).toBeGreaterThan(35);
    expect(distributedIn(tables).flatMap((table) => faultsOf(table, distributed))).toEqual([]);
  });

  it('each function that looks into all workspaces is named in the decision record', () => {
    const record = readFileSync('docs/decisions/0027-shardable.md', 'utf8');
    const functions = crossing(schema);
    expect(functions.length).toBeGreaterThan(15);
    expect(functions.filter((name) => !/_everywhere$/.test(name) && !record.includes(`\`${name}\``))).toEqual(
      [],
    );
    const body = (rest: string) =>
      `CREATE OR REPLACE FUNCTION public.walk()\n SECURITY DEFINER\nAS $function$ ${rest} $function$`;
    expect(crossing(body('select 1 from dogs'))).toEqual(['walk']);
    expect(crossing(body('select 1 from dogs where workspace_id = current_workspace()'))).toEqual([]);
  });

  it('no exception is for a table that is not there', () => {
    const names = new Set(tables.map(({ name }) => name));
    expect(Object.keys(undistributed).filter((name) => !names.has(name))).toEqual([]);
  });

  it('no statement reaches beyond its shard', () => {
    const files = [...globSync('src/**/*.ts').filter((file) => !/\.test\.ts$/.test(file)), 'db/schema.sql'];
    const found = files.flatMap((file) =>
      unshardable(readFileSync(file, 'utf8'), distributed).map((fault) => `${file} ${fault}`),
    );
    expect(found).toEqual([]);
  });

  const table = (body: string, rest = 'alter table dogs enable row level security;\n'): string[] =>
    tablesIn(`create table dogs (\n${body}\n);\n${rest}`).flatMap((one) =>
      faultsOf(one, new Set(['dogs', 'cats'])),
    );
  const workspace = '  workspace_id bigint not null,\n';

  it.each([
    ['  id bigint not null', undefined, 'dogs has no workspace_id'],
    [
      `${workspace}  constraint dogs_pkey PRIMARY KEY (id)`,
      undefined,
      'dogs: PRIMARY KEY (id) does not begin with workspace_id',
    ],
    [
      `${workspace}  constraint dogs_key UNIQUE (name, workspace_id)`,
      undefined,
      'dogs: UNIQUE (name, workspace_id) does not begin with workspace_id',
    ],
    [
      `${workspace}  name text`,
      'CREATE UNIQUE INDEX dogs_name ON public.dogs USING btree (name);\nalter table dogs enable row level security;\n',
      'dogs: unique index (name) does not begin with workspace_id',
    ],
    [
      `${workspace}  constraint dogs_cat FOREIGN KEY (cat_id) REFERENCES cats(id)`,
      undefined,
      'dogs: foreign key (cat_id) to cats leaves its workspace',
    ],
    [
      `${workspace}  constraint dogs_user FOREIGN KEY (workspace_id, user_id) REFERENCES users(id)`,
      undefined,
      'dogs: foreign key (workspace_id, user_id) to users leaves its workspace',
    ],
    [`${workspace}  name text`, '', 'dogs has no row-level security'],
  ])('a table that breaks it is caught: %s', (body, rest, fault) => {
    expect(table(body, rest)).toEqual([fault]);
  });

  it('a table that keeps it passes', () => {
    const body = `${workspace}  constraint dogs_cat FOREIGN KEY (workspace_id, cat_id) REFERENCES cats(workspace_id, id),
  constraint dogs_ws FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint dogs_pkey PRIMARY KEY (workspace_id, id)`;
    expect(table(body)).toEqual([]);
  });

  it.each([
    [
      'select * from cats c join dogs d on d.id = c.dog_id where c.id = 1',
      'joins dogs without its workspace_id',
    ],
    ['select * from cats left join dogs using (id)', 'joins dogs without its workspace_id'],
    ['create temp table some (id int)', 'makes a temporary table'],
    ['create temporary table some (id int)', 'makes a temporary table'],
    ["select set_config('app.workspace_id', '1', true)", 'names the workspace by set_config()'],
  ])('a statement that breaks it is caught: %s', (statement, fault) => {
    expect(unshardable(statement, new Set(['dogs']))).toEqual([fault]);
  });

  it.each([
    'select * from cats c join dogs d on d.workspace_id = c.workspace_id and d.id = c.dog_id',
    'select * from cats join dogs using (workspace_id, id) where true',
    'select * from cats c join users u on u.id = c.user_id',
  ])('a statement that keeps it passes: %s', (statement) => {
    expect(unshardable(statement, new Set(['dogs']))).toEqual([]);
  });
});
