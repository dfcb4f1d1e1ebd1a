import { type RawBuilder, sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { TemplateMode } from '../contract/content.ts';
import { joinMinutes } from '../contract.ts';
import type { TemplateCategory } from '../rules/categories.ts';

/** What people write: everything that a version keeps. */
export interface TemplateContent {
  name: string;
  description: string | null;
  category: TemplateCategory;
  mode: TemplateMode;
  /** What the HTML is made from, in every mode but html: MJML or a document. */
  source: unknown;
  htmlContent: string;
  textContent: string | null;
}

export interface SummaryRow extends Omit<TemplateContent, 'source' | 'htmlContent' | 'textContent'> {
  id: number;
  usageCount: number;
  version: number;
  createdAt: Date;
  savedAt: Date;
  savedById: number;
  savedBy: string | null;
  /** The name of the API key that saved it. */
  savedByKey: string | null;
  /** Until when automatic saves of the same person take its place. */
  joinsUntil: Date | null;
  /** That moment has not come yet. */
  isOpen: boolean;
}

export interface TemplateRow extends SummaryRow, TemplateContent {}

const summaryColumns = sql`
  t.id, v.name, v.description, v.category, v.mode, t.used_count as "usageCount", v.version,
  t.created_at as "createdAt", v.saved_at as "savedAt", v.saved_by as "savedById",
  coalesce(v.saved_by_key, u.name) as "savedBy", v.saved_by_key as "savedByKey",
  v.joins_until as "joinsUntil", coalesce(v.joins_until > clock_timestamp(), false) as "isOpen"`;
const contentColumns = sql`v.source, v.html_content as "htmlContent", v.text_content as "textContent"`;
const withVersions = sql`
  templates t
  join template_versions v on v.workspace_id = t.workspace_id and v.template_id = t.id
  left join users u on u.id = v.saved_by`;

export interface TemplateFilter {
  search?: string | undefined;
  category?: TemplateCategory | undefined;
}

/** The templates of a workspace that a filter means. `position` needs no escapes. */
const listed = (workspaceId: number, { search, category }: TemplateFilter): RawBuilder<unknown> => sql`
  t.workspace_id = ${workspaceId} and t.deleted_at is null and v.version = t.version
  ${category === undefined ? sql`` : sql`and v.category = ${category}`}
  ${search ? sql`and position(lower(${search}) in lower(v.name || ' ' || coalesce(v.description, ''))) > 0` : sql``}`;

export interface Piece {
  after: number | null;
  offset: number;
  limit: number;
}

/** Templates, newest first, with or without their content. */
export async function selectTemplates(
  tx: TenantTx,
  workspaceId: number,
  filter: TemplateFilter,
  { after, offset, limit, content }: Piece & { content: boolean },
): Promise<(SummaryRow & Partial<TemplateContent>)[]> {
  const { rows } = await sql<SummaryRow & Partial<TemplateContent>>`
    select ${summaryColumns} ${content ? sql`, ${contentColumns}` : sql``}
    from ${withVersions}
    where ${listed(workspaceId, filter)} ${after === null ? sql`` : sql`and t.id < ${after}`}
    order by t.id desc
    limit ${limit} offset ${offset}`.execute(tx);
  return rows;
}

/** How many templates a filter means. */
export async function countTemplates(
  tx: TenantTx,
  workspaceId: number,
  filter: TemplateFilter = {},
): Promise<number> {
  const { rows } = await sql<{ templates: number }>`
    select count(*) as templates from ${withVersions}
    where ${listed(workspaceId, filter)}`.execute(tx);
  return rows[0]?.templates ?? 0;
}

/**
 * A version by its number. The number of a save that was joined with later ones means the version
 * that holds them. Numbers before the oldest version mean none.
 */
const numbered = (workspaceId: number, id: number, version: number): RawBuilder<unknown> => {
  const kept = sql`template_versions w where w.workspace_id = ${workspaceId} and w.template_id = ${id}`;
  return sql`(select min(w.version) from ${kept} and w.version >= ${version})
    and exists (select from ${kept} and w.version <= ${version})`;
};

/** One template as it was in a version, or as it is now. Deleted ones only when asked for. */
export async function selectTemplate(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  { version, isDeleted = false }: { version?: number | undefined; isDeleted?: boolean } = {},
): Promise<TemplateRow | undefined> {
  const { rows } = await sql<TemplateRow>`
    select ${summaryColumns}, ${contentColumns}
    from ${withVersions}
    where t.workspace_id = ${workspaceId} and t.id = ${id} and (t.deleted_at is not null) = ${isDeleted}
      and v.version = ${version === undefined ? sql`t.version` : numbered(workspaceId, id, version)}`.execute(
    tx,
  );
  return rows[0];
}

/** The numbers of templates that are written in blocks, above one. */
export async function selectVisualIds(
  tx: TenantTx,
  workspaceId: number,
  after: number,
  most: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from templates t
    join template_versions v
      on v.workspace_id = t.workspace_id and v.template_id = t.id and v.version = t.version
    where t.workspace_id = ${workspaceId} and t.id > ${after} and t.deleted_at is null and v.mode = 'visual'
    order by t.id limit ${most}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The version that was kept before another one of the same template. */
export async function selectVersionBefore(
  tx: TenantTx,
  workspaceId: number,
  { id, version }: Pick<TemplateRow, 'id' | 'version'>,
): Promise<TemplateRow | undefined> {
  const { rows } = await sql<TemplateRow>`
    select ${summaryColumns}, ${contentColumns}
    from ${withVersions}
    where t.workspace_id = ${workspaceId} and t.id = ${id} and v.version < ${version}
    order by v.version desc limit 1`.execute(tx);
  return rows[0];
}

/** Locks a template until the transaction ends, so that two changes happen one after the other. */
export async function lockTemplate(tx: TenantTx, workspaceId: number, id: number): Promise<void> {
  await sql`select 1 from templates where workspace_id = ${workspaceId} and id = ${id} for update`.execute(
    tx,
  );
}

/** Stores a template without a version yet, and answers its id. */
export async function insertTemplate(tx: TenantTx, workspaceId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into templates (workspace_id) values (${workspaceId}) returning id`.execute(tx);
  const row = rows[0];
  if (!row) throw new Error('a template was kept without an answer');
  return row.id;
}

export interface NewVersion extends TemplateContent {
  version: number;
  restoredFrom?: number;
  savedBy: { userId: number; key: string | null };
  /** An automatic save. `until`: of the saves that it is joined with; null begins anew. */
  run?: { until: Date | null } | undefined;
}

/** Stores a version and makes it the one that counts. */
export async function insertVersion(
  tx: TenantTx,
  workspaceId: number,
  templateId: number,
  given: NewVersion,
): Promise<void> {
  const { name, description, category, mode, source, htmlContent, textContent, version, savedBy } = given;
  const json = source === null ? null : JSON.stringify(source);
  const { run } = given;
  const until = run
    ? sql`coalesce(${run.until}::timestamptz, clock_timestamp() + make_interval(mins => ${joinMinutes}))`
    : sql`null`;
  await sql`
    insert into template_versions (workspace_id, template_id, version, name, description, category, mode, source, html_content,
      text_content, restored_from, saved_by, saved_by_key, is_automatic, joins_until)
    values (${workspaceId}, ${templateId}, ${version}, ${name}, ${description}, ${category}, ${mode}, ${json}::jsonb, ${htmlContent},
      ${textContent}, ${given.restoredFrom ?? null}, ${savedBy.userId}, ${savedBy.key},
      ${run !== undefined}, ${until})`.execute(tx);
  await sql`
    update templates set version = ${version}
    where workspace_id = ${workspaceId} and id = ${templateId}`.execute(tx);
}

/** Forgets the versions of a template beyond the newest ones. */
export async function deleteOldVersions(
  tx: TenantTx,
  workspaceId: number,
  templateId: number,
  most: number,
): Promise<void> {
  const own = sql`workspace_id = ${workspaceId} and template_id = ${templateId}`;
  await sql`
    delete from template_versions
    where ${own} and version < (
      select version from template_versions where ${own} order by version desc limit 1 offset ${most - 1})`.execute(
    tx,
  );
}

/** Forgets one version of a template. */
export async function deleteVersion(
  tx: TenantTx,
  workspaceId: number,
  templateId: number,
  version: number,
): Promise<void> {
  await sql`
    delete from template_versions
    where workspace_id = ${workspaceId} and template_id = ${templateId} and version = ${version}`.execute(tx);
}

/**
 * Lets no later save take the place of a version: it was used, or somebody asked for it
 * (`isMeant`).
 */
export async function keepVersion(
  tx: TenantTx,
  workspaceId: number,
  { id, version }: Pick<TemplateRow, 'id' | 'version'>,
  { isMeant }: { isMeant: boolean },
): Promise<void> {
  await sql`
    update template_versions
    set joins_until = null, is_automatic = is_automatic and not ${isMeant}
    where workspace_id = ${workspaceId} and template_id = ${id} and version = ${version}
      and (joins_until is not null or is_automatic and ${isMeant})`.execute(tx);
}

export type LatestRow = Pick<SummaryRow, 'version' | 'savedAt' | 'savedById' | 'savedBy' | 'savedByKey'>;

/** Who saved the current version of a template that is not deleted, and when. */
export async function selectLatest(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<LatestRow | undefined> {
  const { rows } = await sql<LatestRow>`
    select ${summaryColumns} from ${withVersions}
    where t.workspace_id = ${workspaceId} and t.id = ${id} and t.deleted_at is null
      and v.version = t.version`.execute(tx);
  return rows[0];
}

export interface VersionRow {
  version: number;
  name: string;
  isCurrent: boolean;
  isAutomatic: boolean;
  restoredFrom: number | null;
  savedAt: Date;
  savedBy: string | null;
  htmlBytes: number;
}

/** The versions of a template that is not deleted, newest first. */
export async function selectVersions(tx: TenantTx, workspaceId: number, id: number): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select v.version, v.name, v.version = t.version as "isCurrent", v.is_automatic as "isAutomatic",
      v.restored_from as "restoredFrom",
      v.saved_at as "savedAt", coalesce(v.saved_by_key, u.name) as "savedBy",
      octet_length(v.html_content) as "htmlBytes"
    from ${withVersions}
    where t.workspace_id = ${workspaceId} and t.id = ${id} and t.deleted_at is null
    order by v.version desc`.execute(tx);
  return rows;
}

/** Counts one more use of a template, whose version stays what was used. */
export async function countUse(tx: TenantTx, workspaceId: number, id: number): Promise<void> {
  const { rows } = await sql<{ version: number }>`
    update templates set used_count = used_count + 1
    where workspace_id = ${workspaceId} and id = ${id}
    returning version`.execute(tx);
  const row = rows[0];
  if (row) await keepVersion(tx, workspaceId, { id, ...row }, { isMeant: false });
}

/** Marks a template as deleted or brings it back. */
export async function markDeleted(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  isDeleted: boolean,
): Promise<void> {
  await sql`
    update templates set deleted_at = ${isDeleted ? sql`now()` : sql`null`}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Forgets templates that were deleted more than this many days ago, with their versions. */
export async function forgetDeleted(tx: TenantTx, workspaceId: number, days: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    delete from templates
    where workspace_id = ${workspaceId} and deleted_at < now() - make_interval(days => ${days})
    returning id`.execute(tx);
  if (rows.length === 0) return;
  await sql`
    delete from template_versions
    where workspace_id = ${workspaceId} and template_id = any(${rows.map(({ id }) => id)})`.execute(tx);
}
