import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';

/** The longest wait of a domain that goes on asking for less mail. */
const longestSeconds = 4 * 3600;
/** After so many hours without asking, it begins anew: many ask once on each day of a campaign. */
const forgivenHours = 6;
/** Days after which nobody needs to know that a domain once asked. */
const keptDays = 2;

/**
 * Whose servers take the mail of a domain: the provider that verification has found by its MX
 * records, so that all domains hosted by one wait together. Else the domain itself. `d` is its row
 * of `domain_mail`.
 */
export const providerOf = (domain: Fragment): Fragment => sql`coalesce(d.provider, ${domain})`;

/**
 * Lets campaign messages to the domains of these sends wait, because their servers have asked for
 * less mail. A domain that asks again soon after its wait waits twice as long. What was under way
 * together when it asked asks once.
 */
export async function slowDown(
  tx: TenantTx,
  { workspaceId, mailingId }: { workspaceId: number; mailingId: number },
  sends: readonly { id: number; seconds: number }[],
): Promise<void> {
  const ids = sends.map(({ id }) => id);
  const isForgiven = sql`z.until < clock_timestamp() - make_interval(hours => ${forgivenHours})`;
  await sql`
    insert into slow_domains as z (workspace_id, domain, until, times)
    select ${workspaceId}::bigint, ${providerOf(sql`s.domain`)}, clock_timestamp() + make_interval(secs => max(a.seconds)), 1
    from unnest(${ids}::bigint[], ${sends.map(({ seconds }) => seconds)}::int[]) as a(send, seconds)
    join sends s on s.workspace_id = ${workspaceId} and s.mailing_id = ${mailingId}
      and s.id = any(${ids}::bigint[]) and s.id = a.send
    left join domain_mail d on d.domain = s.domain
    group by 2 order by 2
    on conflict (workspace_id, domain) do update
    set until = case when ${isForgiven} then excluded.until else clock_timestamp() + least(
          (excluded.until - clock_timestamp()) * power(2, least(z.times, 10)), make_interval(secs => ${longestSeconds})
        ) end,
      times = case when ${isForgiven} then 1 else z.times + 1 end
    where z.until <= clock_timestamp()`.execute(tx);
}

export async function forgetSlowDomains(tx: TenantTx, workspaceId: number): Promise<void> {
  await sql`
    delete from slow_domains
    where workspace_id = ${workspaceId} and until < now() - make_interval(days => ${keptDays})`.execute(tx);
}
