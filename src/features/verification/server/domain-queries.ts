import { sql } from 'kysely';
import type { DomainEvidence } from '#features/addresses/rules.ts';
import type { SystemDb, TenantTx } from '#platform/server/database.ts';

/** The cache of DNS answers, shared by all workspaces. */

type Handle = SystemDb | TenantTx;

export interface KnownDomain extends Pick<DomainEvidence, 'state' | 'via'> {
  domain: string;
  checkedAt: Date;
}

/** What is known about these domains and still valid. */
export async function selectKnownDomains(db: Handle, domains: readonly string[]): Promise<KnownDomain[]> {
  const { rows } = await sql<KnownDomain>`
    select domain, state, via, checked_at as "checkedAt" from domain_mail
    where domain = any(${[...domains]}::text[]) and expires_at > now()`.execute(db as SystemDb);
  return rows;
}

/** How long an answer is used. */
const holds = sql`case state when 'mail' then interval '7 days' when 'unknown' then interval '10 minutes' else interval '1 day' end`;

/**
 * Stores answers in the order of their domains, so that two that store the same ones cannot
 * deadlock. A lookup without an answer does not overwrite an answer that is still valid.
 */
export async function keepDomains(
  db: Handle,
  answers: readonly { domain: string; state: string; via: string | null; provider?: string }[],
): Promise<void> {
  if (answers.length === 0) return;
  await sql`
    insert into domain_mail as d (domain, state, via, provider, checked_at, expires_at)
    select domain, state, via, provider, now(), now() + ${holds}
    from unnest(${answers.map((one) => one.domain)}::text[], ${answers.map((one) => one.state)}::text[],
      ${answers.map((one) => one.via)}::text[], ${answers.map((one) => one.provider ?? null)}::text[])
      as g (domain, state, via, provider)
    order by domain
    on conflict (domain) do update
    set state = excluded.state, via = excluded.via, provider = excluded.provider, checked_at = excluded.checked_at, expires_at = excluded.expires_at
    where excluded.state <> 'unknown' or d.state = 'unknown' or d.expires_at <= now()`.execute(
    db as SystemDb,
  );
}

/**
 * Deletes answers a month after they became invalid, so that the earlier answer can still be shown
 * until then.
 */
export async function expireDomains(db: SystemDb): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from domain_mail where expires_at < now() - interval '30 days'`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Domains of the workspace's contacts after `after`, in order. */
export async function selectContactDomains(
  tx: TenantTx,
  workspaceId: number,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`
    select domain from contact_domains
    where workspace_id = ${workspaceId} and domain > ${after} and valid + invalid + duplicate > 0
    order by domain limit ${limit}`.execute(tx);
  return rows.map((row) => row.domain);
}
