import { sql } from 'kysely';
import { mayBeMailed } from '#features/basis/server/index.ts';
import type { Basis } from '#features/contacts/contract.ts';
import { contactStates } from '#features/contacts/rules.ts';
import { isSuppressed, suppressionJoins } from '#features/contacts/server/index.ts';
import { type FrequencyCap, readCap } from '#features/pace/server/index.ts';
import { pausesIn } from '#features/tracking/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';

/** How long people are left alone between campaigns. */
export interface Rest {
  /** Whoever was mailed in so many days is left out. */
  days: number | null;
  cap: FrequencyCap | null;
}

/** What the workspace and the mailing ask for. Null: nobody has to rest. */
export async function readRest(tx: TenantTx, workspaceId: number, days: number | null): Promise<Rest | null> {
  const cap = await readCap(tx, workspaceId);
  return days === null && cap === null ? null : { days, cap };
}

/**
 * Who was mailed lately, as rows of contact_id, rests and is_capped. Those whose turn is still to
 * come count too: two campaigns that begin at the same time would else both go to them.
 */
export function mailedLately(workspaceId: number, { days, cap }: Rest, notMailing: number | null): Fragment {
  const within = (some: number) =>
    sql`coalesce(s.ended_at, now()) > now() - make_interval(days => ${some}::int)`;
  const longest = Math.max(days ?? 0, cap?.days ?? 0);
  return sql`
    select contact_id, rests, is_capped
    from (
      select s.contact_id,
        ${days === null ? sql`false` : sql`bool_or(${within(days)})`} as rests,
        ${cap === null ? sql`false` : sql`count(*) filter (where ${within(cap.days)}) >= ${cap.messages}::int`} as is_capped
      from sends s
      where s.workspace_id = ${workspaceId} and s.contact_id is not null
        and s.state in ('pending', 'handed', 'deferred', 'sent', 'uncertain') and ${within(longest)}
        and s.mailing_id = any(array(
          select m.id from mailings m
          where m.workspace_id = ${workspaceId} and m.kind = 'campaign'
            and m.id is distinct from ${notMailing}::bigint
            and coalesce(m.ended_at, now()) > now() - make_interval(days => ${longest}::int)
        ))
      group by s.contact_id
    ) l
    where rests or is_capped`;
}

/** Contacts that may be mailed and are left alone, by reason. */
interface Rested {
  /** They take a break. */
  paused: number;
  mailed_lately: number;
  over_cap: number;
}

/** How many of the contacts that may be mailed are left alone, each counted once. */
export async function countRested(
  tx: TenantTx,
  workspaceId: number,
  asked: { matching: Fragment; mailable: readonly Basis[]; days: number | null },
): Promise<Rested> {
  const rest = await readRest(tx, workspaceId, asked.days);
  const isPaused = await pausesIn(tx, workspaceId);
  const mayBe = sql`
    ${asked.matching} and c.state = ${sql.lit(contactStates.valid)} and not ${isSuppressed}
    and ${mayBeMailed(asked.mailable)}`;
  const counted = { paused: 0, mailed_lately: 0, over_cap: 0 };
  if (isPaused) {
    const { rows } = await sql<{ paused: number }>`
      select count(*) as paused from contacts c ${suppressionJoins}
      where c.workspace_id = ${workspaceId} and ${isPaused} and ${mayBe}`.execute(tx);
    counted.paused = rows[0]?.paused ?? 0;
  }
  if (rest === null) return counted;
  const { rows } = await sql<Omit<Rested, 'paused'>>`
    select count(*) filter (where l.rests) as mailed_lately, count(*) filter (where not l.rests) as over_cap
    from (${mailedLately(workspaceId, rest, null)}) l
    join contacts c on c.workspace_id = ${workspaceId} and c.id = l.contact_id
    ${suppressionJoins}
    where not ${isPaused ?? sql`false`} and ${mayBe}`.execute(tx);
  return { ...counted, ...rows[0] };
}
