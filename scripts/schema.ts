import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '#platform/server/embedded-postgres.ts';
import { createLogger } from '#platform/server/logging.ts';
import { migrate } from '#platform/server/migrate.ts';

/**
 * `npm run db:schema` applies every migration to an empty database and writes the result to
 * db/schema.sql, for people to read. With `--check` it only compares, and exits with 1 when the
 * file is stale. The embedded PostgreSQL has no pg_dump, so this program reads the catalogue. It
 * sorts by name, so the text depends only on the migrations.
 */
const file = 'db/schema.sql';

interface Table {
  oid: number;
  name: string;
  kind: 'table' | 'unlogged table';
  row_security: boolean;
  comment: string | null;
  partition: string | null;
  partition_of: string | null;
}

/** The whole schema `public` as SQL text. */
async function describeSchema(client: pg.Client): Promise<string> {
  const all = async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await client.query<T>(text, values)).rows;
  const lines = async (text: string, values: unknown[] = []) =>
    (await all<{ line: string }>(text, values)).map((row) => row.line);

  // Names without a schema prefix, because everything is in `public`.
  await client.query('set search_path = public, pg_catalog');
  const sections = [
    '-- Written by `npm run db:schema` from db/migrations. Do not edit: write a migration.',
    (await lines(extensionsSql)).join('\n'),
    (await lines(typesSql)).join('\n'),
    (await lines(sequencesSql)).join('\n'),
  ];
  for (const table of await all<Table>(tablesSql)) sections.push(await describeTable(table, lines));
  sections.push(...(await lines(viewsSql)), ...(await lines(functionsSql)));
  sections.push((await lines(defaultPrivilegesSql)).join('\n'));
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

async function describeTable(
  table: Table,
  lines: (text: string, values: unknown[]) => Promise<string[]>,
): Promise<string> {
  const inside = [...(await lines(columnsSql, [table.oid])), ...(await lines(constraintsSql, [table.oid]))];
  const head = table.partition_of
    ? `create ${table.kind} ${table.name} partition of ${table.partition_of} ${table.partition}`
    : `create ${table.kind} ${table.name} (\n${inside.map((line) => `  ${line}`).join(',\n')}\n)`;
  return [
    table.comment ? `-- ${table.comment.replaceAll('\n', '\n-- ')}` : '',
    `${head}${table.partition && !table.partition_of ? ` partition by ${table.partition}` : ''};`,
    ...(await lines(indexesSql, [table.oid])),
    table.row_security ? `alter table ${table.name} enable row level security;` : '',
    ...(await lines(policiesSql, [table.oid])),
    ...(await lines(triggersSql, [table.oid])),
    ...(await lines(grantsSql, [table.oid])),
  ]
    .filter(Boolean)
    .join('\n');
}

/** True for objects that belong to an extension. */
const ofExtension = (oid: string) =>
  `exists (select from pg_depend d where d.objid = ${oid} and d.deptype = 'e')`;
const inPublic = `'public'::regnamespace`;

const extensionsSql = `
  select format('create extension %I;', extname) as line from pg_extension where extname <> 'plpgsql' order by extname`;

const typesSql = `
  select case t.typtype
           when 'e' then format('create type %I as enum (%s);', t.typname,
             (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) from pg_enum where enumtypid = t.oid))
           else format('create domain %I as %s%s%s;', t.typname, format_type(t.typbasetype, t.typtypmod),
             case when t.typnotnull then ' not null' else '' end,
             (select coalesce(string_agg(' ' || pg_get_constraintdef(c.oid), '' order by c.conname), '')
              from pg_constraint c where c.contypid = t.oid and c.contype = 'c'))
         end as line
  from pg_type t
  where t.typnamespace = ${inPublic} and t.typtype in ('e', 'd') and not ${ofExtension('t.oid')}
  order by t.typname`;

/** Independent sequences. Those of identity and serial columns belong to their column. */
const sequencesSql = `
  select format('create sequence %I;', c.relname) as line
  from pg_class c
  where c.relkind = 'S' and c.relnamespace = ${inPublic}
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i', 'e'))
  order by c.relname`;

const tablesSql = `
  select c.oid, quote_ident(c.relname) as name, c.relrowsecurity as row_security, obj_description(c.oid, 'pg_class') as comment,
         case c.relpersistence when 'u' then 'unlogged table' else 'table' end as kind,
         case when c.relispartition then pg_get_expr(c.relpartbound, c.oid)
              when c.relkind = 'p' then pg_get_partkeydef(c.oid) end as partition,
         (select i.inhparent::regclass::text from pg_inherits i where i.inhrelid = c.oid and c.relispartition) as partition_of
  from pg_class c
  where c.relkind in ('r', 'p') and c.relnamespace = ${inPublic} and not ${ofExtension('c.oid')}
  order by c.relname`;

const columnsSql = `
  select concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
           case when a.attcollation <> t.typcollation then format('collate %I', col.collname) end,
           case when a.attidentity = 'a' then 'generated always as identity'
                when a.attidentity = 'd' then 'generated by default as identity'
                when a.attgenerated <> '' then format('generated always as (%s) stored', pg_get_expr(def.adbin, def.adrelid))
                when def.adbin is not null then 'default ' || pg_get_expr(def.adbin, def.adrelid) end,
           case when a.attnotnull and a.attidentity = '' then 'not null' end) as line
  from pg_attribute a
  join pg_type t on t.oid = a.atttypid
  left join pg_collation col on col.oid = a.attcollation
  left join pg_attrdef def on def.adrelid = a.attrelid and def.adnum = a.attnum
  where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped
  order by a.attnum`;

/** NOT NULL is written with its column. PostgreSQL 18 also stores it as a constraint. */
const constraintsSql = `
  select format('constraint %I %s', conname, pg_get_constraintdef(oid)) as line
  from pg_constraint
  where conrelid = $1 and contype in ('p', 'u', 'f', 'c', 'x') and conparentid = 0
  order by array_position(array['p', 'u', 'f', 'c', 'x'], contype::text), conname`;

const indexesSql = `
  select pg_get_indexdef(i.indexrelid) || ';' as line
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where i.indrelid = $1 and not c.relispartition
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = i.indrelid and k.contype in ('p', 'u', 'x'))
  order by c.relname`;

const policiesSql = `
  select format('create policy %I on %s%s for %s to %s%s%s;', p.polname, p.polrelid::regclass,
           case when p.polpermissive then '' else ' as restrictive' end,
           case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
           case when p.polroles = '{0}' then 'public' else
             (select string_agg(quote_ident(rolname), ', ' order by rolname) from pg_roles where oid = any (p.polroles)) end,
           ' using (' || pg_get_expr(p.polqual, p.polrelid) || ')',
           ' with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')') as line
  from pg_policy p where p.polrelid = $1 order by p.polname`;

const triggersSql = `
  select pg_get_triggerdef(oid) || ';' as line from pg_trigger
  where tgrelid = $1 and not tgisinternal and tgparentid = 0 order by tgname`;

/** What roles other than the owner may do. */
const grantsSql = `
  select format('grant %s on %s to %s;', string_agg(lower(a.privilege_type), ', ' order by a.privilege_type),
           c.oid::regclass, coalesce(r.rolname, 'public')) as line
  from pg_class c cross join aclexplode(c.relacl) a left join pg_roles r on r.oid = a.grantee
  where c.oid = $1 and a.grantee <> c.relowner
  group by c.oid, r.rolname order by r.rolname`;

const viewsSql = `
  select format(E'create %sview %I as\\n%s', case c.relkind when 'm' then 'materialized ' else '' end, c.relname,
           pg_get_viewdef(c.oid, true)) as line
  from pg_class c
  where c.relkind in ('v', 'm') and c.relnamespace = ${inPublic} and not ${ofExtension('c.oid')}
  order by c.relname`;

const functionsSql = `
  select rtrim(pg_get_functiondef(p.oid), E'\\n') || ';' || coalesce((
           select string_agg(format(E'\\ngrant execute on function %s to %s;', p.oid::regprocedure, coalesce(r.rolname, 'public')), ''
                             order by coalesce(r.rolname, 'public'))
           from aclexplode(p.proacl) a left join pg_roles r on r.oid = a.grantee
           where a.grantee <> p.proowner), '') as line
  from pg_proc p
  where p.pronamespace = ${inPublic} and p.prokind in ('f', 'p') and not ${ofExtension('p.oid')}
  order by p.proname, pg_get_function_identity_arguments(p.oid)`;

const defaultPrivilegesSql = `
  select format('alter default privileges in schema public grant %s on %s to %I;',
           string_agg(lower(a.privilege_type), ', ' order by a.privilege_type),
           case d.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions' else d.defaclobjtype::text end,
           r.rolname) as line
  from pg_default_acl d cross join aclexplode(d.defaclacl) a join pg_roles r on r.oid = a.grantee
  where d.defaclnamespace = ${inPublic} and a.grantee <> d.defaclrole
  group by d.defaclobjtype, r.rolname order by d.defaclobjtype, r.rolname`;

async function main(): Promise<number> {
  const log = createLogger('warn');
  const folder = mkdtempSync(join(tmpdir(), 'email-manager-schema-'));
  chmodSync(folder, 0o711); // under root the server runs as another user, who has to get in
  const settings = { fsync: 'off', shared_buffers: '32MB', max_wal_size: '512MB' };
  const database = await startEmbeddedPostgres({ dataDir: folder, log, settings });
  try {
    await migrate(database.ownerUrl, { log });
    const client = new pg.Client({ connectionString: database.ownerUrl });
    await client.connect();
    const text = await describeSchema(client);
    await client.end();
    if (!process.argv.includes('--check')) {
      writeFileSync(file, text);
      return 0;
    }
    if (textOf(file) === text) return 0;
    console.error(`${file} is not what the migrations make. Run: npm run db:schema`);
    return 1;
  } finally {
    database.stopNow();
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

process.exitCode = await main();
