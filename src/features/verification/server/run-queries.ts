import { type RawBuilder, sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { VerificationResult } from '../contract.ts';
import type { ContactRows } from './judging/judge-rows.ts';
import { judgedKey } from './verdict-queries.ts';

type Fragment = RawBuilder<unknown>;

/**
 * The next contacts `c` after an id for which `chosen` is true, in order, as one text. The server's
 * main thread then need not parse a million rows; it passes the text on unchanged. A tab or line
 * break becomes a space. Only text that is no address contains one.
 */
export async function readContacts(
  tx: TenantTx,
  workspaceId: number,
  options: { after: number; limit: number; chosen: Fragment; withMail: boolean },
): Promise<ContactRows> {
  const known = options.withMail
    ? sql` || E'\t' || coalesce(m.state, '') || E'\t' || coalesce(m.via, '')`
    : sql``;
  const { rows } = await sql<ContactRows>`
    select coalesce(min(id), 0) as "firstId", coalesce(max(id), 0) as "lastId", count(*) as count,
           coalesce(string_agg(line, E'\n'), '') as text
    from (
      select c.id, c.id || E'\t' || ${judgedKey} || E'\t' || c.state || E'\t' || translate(
        case when c.state = 1 and c.address is not null then c.address
             when c.domain = '' then c.local else c.local || '@' || c.domain end, E'\t\n\r', '   ')${known} as line
      from (
        select * from contacts c
        where c.workspace_id = ${workspaceId} and c.id > ${options.after} and ${options.chosen}
        order by c.id limit ${options.limit}
      ) c
      ${options.withMail ? sql`left join domain_mail m on m.domain = c.domain and m.expires_at > now()` : sql``}
    ) batch`.execute(tx);
  return rows[0] ?? { firstId: 0, lastId: 0, count: 0, text: '' };
}

/** Domains of the contacts `c` for which `chosen` is true, after `after`, in order. */
export async function selectChosenDomains(
  tx: TenantTx,
  workspaceId: number,
  chosen: Fragment,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`
    select distinct c.domain from contacts c
    where c.workspace_id = ${workspaceId} and c.domain > ${after} and ${chosen}
    order by c.domain limit ${limit}`.execute(tx);
  return rows.map((row) => row.domain);
}

export interface RunRow {
  id: number;
  taskId: number;
  whole: boolean;
  dns: boolean;
  selection: object | null;
  result: VerificationResult | null;
  startedBy: string | null;
  startedAt: Date;
  finishedAt: Date | null;
}

const columns = sql`id, task_id as "taskId", whole, dns, selection, result, started_by as "startedBy",
  started_at as "startedAt", finished_at as "finishedAt"`;

/** The record of a task's run. A resumed run already has it. */
export async function beginRun(
  tx: TenantTx,
  workspaceId: number,
  run: {
    taskId: number;
    whole: boolean;
    dns: boolean;
    selection: object | null;
    startedBy: string | null;
  },
): Promise<number> {
  const selection = run.selection === null ? null : JSON.stringify(run.selection);
  await sql`
    insert into verification_runs (workspace_id, task_id, whole, dns, selection, started_by)
    values (${workspaceId}, ${run.taskId}, ${run.whole}, ${run.dns}, ${selection}::jsonb, ${run.startedBy})
    on conflict (workspace_id, task_id) do nothing`.execute(tx);
  const { rows } = await sql<{ id: number }>`
    select id from verification_runs where workspace_id = ${workspaceId} and task_id = ${run.taskId}`.execute(
    tx,
  );
  return rows[0]?.id as number;
}

/** Closes a run with its result. `throughId` is the last contact it looked at. */
export async function finishRun(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  end: { result: VerificationResult; throughId: number },
): Promise<void> {
  await sql`
    update verification_runs
    set result = ${JSON.stringify(end.result)}::jsonb, through_id = ${end.throughId}, finished_at = now()
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Ended runs, newest first. */
export async function selectRuns(
  tx: TenantTx,
  workspaceId: number,
  page: { skip: number; take: number },
): Promise<{ rows: RunRow[]; total: number }> {
  const { rows } = await sql<RunRow & { total: number }>`
    select ${columns}, count(*) over () as total from verification_runs
    where workspace_id = ${workspaceId} and finished_at is not null
    order by id desc offset ${page.skip} limit ${page.take}`.execute(tx);
  return { rows, total: rows[0]?.total ?? 0 };
}

/** One ended run. */
export async function selectRun(tx: TenantTx, workspaceId: number, id: number): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`
    select ${columns} from verification_runs
    where workspace_id = ${workspaceId} and id = ${id} and finished_at is not null`.execute(tx);
  return rows[0];
}

/**
 * The ended run that gave a contact its verdict: a run over all contacts, which dates unchanged
 * verdicts by its start, or a run over this contact alone. Other selections may be long and are not
 * searched. `checkedAt` has no microseconds.
 */
export async function selectRunFor(
  tx: TenantTx,
  workspaceId: number,
  contactId: number,
  checkedAt: Date,
): Promise<{ id: number; whole: boolean; startedBy: string | null } | undefined> {
  const { rows } = await sql<{ id: number; whole: boolean; startedBy: string | null }>`
    select id, whole, started_by as "startedBy" from verification_runs
    where workspace_id = ${workspaceId} and case
      when date_trunc('milliseconds', started_at) > ${checkedAt}::timestamptz then false
      when finished_at is null or finished_at < ${checkedAt}::timestamptz then false
      when whole then through_id >= ${contactId}::bigint
      else selection = jsonb_build_object('ids', jsonb_build_array(${contactId}::bigint)) end
    order by id desc limit 1`.execute(tx);
  return rows[0];
}
