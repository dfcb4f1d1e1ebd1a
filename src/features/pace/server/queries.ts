import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import { prepared } from '#platform/server/prepared.ts';
import type { FrequencyCap } from '../contract.ts';
import type { ListOutcome } from '../rules/changed-list.ts';
import type { Pace, WarmUp } from '../rules/grant.ts';
import type { ReceiverPace } from '../rules/places.ts';

/** Days come as text: a `Date` would shift them to the server's zone. */
export interface WarmUpRow extends WarmUp {
  domain: string;
}

const paceColumns = sql`
  per_hour as "perHour", per_day as "perDay", quiet_from as "quietFrom", quiet_to as "quietTo", tokens,
  tokens_at as "tokensAt", day::text, day_sent as "daySent"`;
const warmUpColumns = sql`
  domain, begun_on::text as "begunOn", first, double_every as "doubleEvery", most, day::text, day_sent as "daySent"`;

/** What limits messages from a domain, locked until the transaction ends, and the time now. */
export async function lockLimits(
  tx: TenantTx,
  workspaceId: number,
  domain: string,
): Promise<{ pace: Pace | null; warmUp: WarmUpRow | null; now: Date }> {
  const paces = await sql<Pace>`${prepared}
    select ${paceColumns} from send_paces where workspace_id = ${workspaceId} for update`.execute(tx);
  const warmUps = await sql<WarmUpRow>`${prepared}
    select ${warmUpColumns} from warm_ups where workspace_id = ${workspaceId} and domain = ${domain} for update`.execute(
    tx,
  );
  // Not before the locks: others may have used up what was there.
  const { rows } = await sql<{ now: Date }>`${prepared} select clock_timestamp() as now`.execute(tx);
  return {
    pace: paces.rows[0] ?? null,
    warmUp: warmUps.rows[0] ?? null,
    now: (rows[0] as { now: Date }).now,
  };
}

/** What a workspace allows each person. */
export async function readCap(tx: TenantTx, workspaceId: number): Promise<FrequencyCap | null> {
  const { rows } = await sql<FrequencyCap>`
    select cap_messages as messages, cap_days as days from send_paces
    where workspace_id = ${workspaceId} and cap_messages is not null`.execute(tx);
  return rows[0] ?? null;
}

/** Writes down that so many messages leave, or none, and what is left at this time. */
export async function useUp(
  tx: TenantTx,
  workspaceId: number,
  domain: string,
  used: { count: number; tokens: number; today: string; now: Date },
): Promise<void> {
  const { count, tokens, today, now } = used;
  await sql`${prepared}
    update send_paces
    set tokens = ${tokens}, tokens_at = ${now}, day = ${today}::date,
      day_sent = case when day = ${today}::date then day_sent else 0 end + ${count}::int
    where workspace_id = ${workspaceId}`.execute(tx);
  await sql`${prepared}
    update warm_ups
    set day = ${today}::date, day_sent = case when day = ${today}::date then day_sent else 0 end + ${count}::int
    where workspace_id = ${workspaceId} and domain = ${domain}`.execute(tx);
}

/** Takes back what was written down in this transaction for messages that did not leave. */
export async function unuse(tx: TenantTx, workspaceId: number, domain: string, count: number): Promise<void> {
  await sql`${prepared}
    update send_paces set tokens = tokens + ${count}::int, day_sent = greatest(0, day_sent - ${count}::int)
    where workspace_id = ${workspaceId}`.execute(tx);
  await sql`${prepared}
    update warm_ups set day_sent = greatest(0, day_sent - ${count}::int)
    where workspace_id = ${workspaceId} and domain = ${domain}`.execute(tx);
}

export async function selectPace(tx: TenantTx, workspaceId: number): Promise<Pace | null> {
  const { rows } = await sql<Pace>`
    select ${paceColumns} from send_paces where workspace_id = ${workspaceId}`.execute(tx);
  return rows[0] ?? null;
}

export async function selectWarmUps(tx: TenantTx, workspaceId: number): Promise<WarmUpRow[]> {
  const { rows } = await sql<WarmUpRow>`
    select ${warmUpColumns} from warm_ups where workspace_id = ${workspaceId} order by domain`.execute(tx);
  return rows;
}

/** Sets the limits. What was used today stays counted. */
export async function writePace(
  tx: TenantTx,
  workspaceId: number,
  {
    perHour,
    perDay,
    quietFrom,
    quietTo,
    cap,
  }: Pick<Pace, 'perHour' | 'perDay' | 'quietFrom' | 'quietTo'> & { cap: FrequencyCap | null },
): Promise<void> {
  await sql`
    insert into send_paces (workspace_id, per_hour, per_day, quiet_from, quiet_to, cap_messages, cap_days)
    values (${workspaceId}, ${perHour}, ${perDay}, ${quietFrom}, ${quietTo}, ${cap?.messages ?? null},
      ${cap?.days ?? null})
    on conflict (workspace_id) do update
    set per_hour = excluded.per_hour, per_day = excluded.per_day, quiet_from = excluded.quiet_from,
      quiet_to = excluded.quiet_to, cap_messages = excluded.cap_messages, cap_days = excluded.cap_days`.execute(
    tx,
  );
}

/**
 * Locks a workspace's row until the transaction ends, so that whoever changes a part of the pace
 * reads what the one before has written. It comes before the rows of domains, as in `lockLimits`.
 */
export async function lockPace(tx: TenantTx, workspaceId: number): Promise<void> {
  await sql`
    insert into send_paces (workspace_id) values (${workspaceId})
    on conflict (workspace_id) do nothing`.execute(tx);
  await sql`select from send_paces where workspace_id = ${workspaceId} for update`.execute(tx);
}

export type Plan = Pick<WarmUpRow, 'domain' | 'begunOn' | 'first' | 'doubleEvery' | 'most'>;

/** Some domains warm up no longer, and others by these plans. What was used today stays counted. */
export async function writeWarmUps(
  tx: TenantTx,
  workspaceId: number,
  { written, ended }: ListOutcome<Plan>,
): Promise<void> {
  await sql`
    delete from warm_ups
    where workspace_id = ${workspaceId} and domain = any(${ended}::text[])`.execute(tx);
  for (const { domain, begunOn, first, doubleEvery, most } of written)
    await sql`
      insert into warm_ups (workspace_id, domain, begun_on, first, double_every, most)
      values (${workspaceId}, ${domain}, ${begunOn}::date, ${first}, ${doubleEvery}, ${most})
      on conflict (workspace_id, domain) do update
      set begun_on = excluded.begun_on, first = excluded.first, double_every = excluded.double_every,
        most = excluded.most`.execute(tx);
}

export interface ReceiverRow extends ReceiverPace {
  receiver: string;
}

/** The receivers that get no more than so many an hour. */
export async function selectReceivers(tx: TenantTx, workspaceId: number): Promise<ReceiverRow[]> {
  const { rows } = await sql<ReceiverRow>`${prepared}
    select receiver, per_hour as "perHour", next_at as "nextAt" from receiver_paces
    where workspace_id = ${workspaceId} order by receiver`.execute(tx);
  return rows;
}

/** The same, locked until the transaction ends, with the time after that. */
export async function lockReceivers(
  tx: TenantTx,
  workspaceId: number,
  receivers: readonly string[],
): Promise<{ rows: ReceiverRow[]; now: Date }> {
  const { rows } = await sql<ReceiverRow>`
    select receiver, per_hour as "perHour", next_at as "nextAt" from receiver_paces
    where workspace_id = ${workspaceId} and receiver = any(${[...receivers]}::text[])
    order by receiver for update`.execute(tx);
  const clock = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx);
  return { rows, now: (clock.rows[0] as { now: Date }).now };
}

/** Writes down which places are given out. */
export async function keepPlaces(
  tx: TenantTx,
  workspaceId: number,
  given: readonly { receiver: string; nextAt: Date }[],
): Promise<void> {
  await sql`
    update receiver_paces p set next_at = g.next_at
    from unnest(${given.map(({ receiver }) => receiver)}::text[], ${given.map(({ nextAt }) => nextAt)}::timestamptz[])
      as g (receiver, next_at)
    where p.workspace_id = ${workspaceId} and p.receiver = g.receiver`.execute(tx);
}

export type ReceiverLimit = Pick<ReceiverRow, 'receiver' | 'perHour'>;

/**
 * Some receivers are limited no longer, and others by these limits. Messages that have their places
 * keep them, up to an hour ahead; those after them get theirs by the new limit.
 */
export async function writeReceivers(
  tx: TenantTx,
  workspaceId: number,
  { written, ended }: ListOutcome<ReceiverLimit>,
): Promise<void> {
  await sql`
    delete from receiver_paces
    where workspace_id = ${workspaceId} and receiver = any(${ended}::text[])`.execute(tx);
  await sql`
    insert into receiver_paces (workspace_id, receiver, per_hour)
    select ${workspaceId}, receiver, per_hour
    from unnest(${written.map(({ receiver }) => receiver)}::text[], ${written.map(({ perHour }) => perHour)}::int[])
      as g (receiver, per_hour)
    order by receiver
    on conflict (workspace_id, receiver) do update
    set per_hour = excluded.per_hour,
      next_at = case when receiver_paces.per_hour = excluded.per_hour then receiver_paces.next_at else 'epoch' end`.execute(
    tx,
  );
}
