import { sql } from 'kysely';
import type { SystemDb } from '#platform/server/database.ts';

export interface ProcessName {
  process: string;
  host: string;
  role: string;
}

/** Extends a process's open line to now. False when it has none, or was silent for too long. */
export async function moveSpan(db: SystemDb, process: string, silenceSeconds: number): Promise<boolean> {
  const moved = await sql`
    update uptime_spans set seen_at = clock_timestamp()
    where process = ${process} and stopped_at is null
      and seen_at > clock_timestamp() - make_interval(secs => ${silenceSeconds})`.execute(db);
  return Number(moved.numAffectedRows ?? 0) === 1;
}

/** Ends a process's open line at the time it was last seen. */
export async function breakSpan(db: SystemDb, process: string): Promise<void> {
  await sql`
    update uptime_spans set stopped_at = seen_at where process = ${process} and stopped_at is null`.execute(
    db,
  );
}

/** Begins a line for a running process. */
export async function insertSpan(db: SystemDb, { process, host, role }: ProcessName): Promise<void> {
  await sql`
    insert into uptime_spans (process, host, role) values (${process}, ${host}, ${role})`.execute(db);
}

/** Ends a process's open line now, on an orderly stop. */
export async function endSpan(db: SystemDb, process: string): Promise<void> {
  await sql`
    update uptime_spans set seen_at = clock_timestamp(), stopped_at = clock_timestamp()
    where process = ${process} and stopped_at is null`.execute(db);
}

/** Deletes lines that ended too long ago to matter for any measurement. */
export async function deleteOldSpans(db: SystemDb, days: number): Promise<void> {
  await sql`delete from uptime_spans where seen_at < now() - make_interval(days => ${days}::int)`.execute(db);
}

export interface UptimeRow {
  since: Date | null;
  seconds: number;
  upSeconds: number;
  stretches: number;
}

/**
 * How long at least one process that answers people was up in the given number of days, or since
 * the first line, and in how many stretches. A process without an end counts as up until now unless
 * it was silent for too long; then until it was last seen.
 */
export async function selectUptime(
  db: SystemDb,
  { days, silenceSeconds }: { days: number; silenceSeconds: number },
): Promise<UptimeRow> {
  const { rows } = await sql<UptimeRow>`
    with span as (
      select began_at,
             case when stopped_at is not null then stopped_at
                  when seen_at > now() - make_interval(secs => ${silenceSeconds}) then now()
                  else seen_at end as ended_at
      from uptime_spans where role <> 'worker'
    ),
    measured as (
      select case when min(began_at) is not null
                  then greatest(min(began_at), now() - make_interval(days => ${days}::int)) end as since
      from span
    ),
    stretch as (
      select unnest(range_agg(tstzrange(greatest(began_at, since), ended_at))) as up
      from span cross join measured
      where ended_at > greatest(began_at, since)
    )
    select since, coalesce(extract(epoch from now() - since), 0)::float8 as seconds,
           coalesce((select sum(extract(epoch from upper(up) - lower(up))) from stretch), 0)::float8 as "upSeconds",
           (select count(*) from stretch) as stretches
    from measured`.execute(db);
  return rows[0] as UptimeRow;
}

/** Running processes, longest running first. */
export async function selectProcesses(
  db: SystemDb,
  silenceSeconds: number,
): Promise<(ProcessName & { upSince: Date })[]> {
  const { rows } = await sql<ProcessName & { upSince: Date }>`
    select process, host, role, began_at as "upSince" from uptime_spans
    where stopped_at is null and seen_at > now() - make_interval(secs => ${silenceSeconds})
    order by began_at, id`.execute(db);
  return rows;
}
