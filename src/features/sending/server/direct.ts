import { sql } from 'kysely';
import { keepSent } from '#features/images/server/index.ts';
import { compileTemplate } from '#features/templates/rules/compile.ts';
import { storeLinks } from '#features/tracking/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { partSize } from './freeze-queries.ts';
import { insertMailing, type MailingContent } from './mailing-queries.ts';

/** Somebody who gets a message without being a contact. */
export interface DirectRecipient {
  /** The identity key of the address. */
  local: string;
  domain: string;
  /** Merge fields. `email` is the address as it was given, `name` the name. */
  data: Readonly<Record<string, unknown>>;
  /** Why it is not mailed. Null when it is. */
  skipped: 'suppressed' | null;
}

/**
 * Makes a mailing to these addresses and answers its number: a transactional one, or a test. Its
 * sends are numbered from 1, in their order. It may leave once the transaction has committed; call
 * `wake` then.
 */
export async function createDirect(
  tx: TenantTx,
  workspaceId: number,
  mailing: MailingContent & {
    createdBy: string | null;
    needsServer: boolean;
    kind?: 'transactional' | 'test';
  },
  recipients: readonly DirectRecipient[],
): Promise<number> {
  const id = await insertMailing(tx, workspaceId, { kind: 'transactional', ...mailing, audience: null });
  if (mailing.tracksClicks) {
    const { subject, preheader, html, text } = mailing;
    await storeLinks(tx, workspaceId, id, compileTemplate({ subject, preheader, html, text }).links);
  }
  const data = recipients.map((one) => JSON.stringify(one.data));
  await keepSent(tx, workspaceId, [mailing.html, JSON.stringify(mailing.mergeData), ...data]);
  await sql`
    insert into sends (workspace_id, mailing_id, id, local, domain, state, reason, ended_at, data)
    select ${workspaceId}::bigint, ${id}::bigint, r.place, r.local, r.domain,
      case when r.skipped is null then 'pending' else 'skipped' end, r.skipped,
      case when r.skipped is null then null else clock_timestamp() end, r.data::jsonb
    from unnest(${recipients.map(({ local }) => local)}::text[], ${recipients.map(({ domain }) => domain)}::text[],
      ${recipients.map(({ skipped }) => skipped)}::text[],
      ${data}::text[])
      with ordinality r(local, domain, skipped, data, place)`.execute(tx);
  await sql`
    with parts as (
      insert into send_parts (workspace_id, mailing_id, first_send, last_send, total, skipped, status)
      select workspace_id, mailing_id, min(id), max(id), count(*), count(*) filter (where state = 'skipped'),
        case when bool_and(state = 'skipped') then 'done' else 'open' end
      from sends where workspace_id = ${workspaceId} and mailing_id = ${id}
      group by workspace_id, mailing_id, (id - 1) / ${sql.lit(partSize)} order by 3
      returning status
    ), open as (select bool_or(status = 'open') as is_open from parts)
    update mailings m
    set status = case when open.is_open then 'sending' else 'completed' end, started_at = clock_timestamp(),
      ended_at = case when open.is_open then null else clock_timestamp() end
    from open where m.workspace_id = ${workspaceId} and m.id = ${id}`.execute(tx);
  return id;
}

/** Deletes transactional mailings and tests that ended so many days ago, with their ledger. */
export async function forgetDirect(tx: TenantTx, workspaceId: number, days: number): Promise<void> {
  await sql`
    with old as materialized (
      select id from mailings
      where workspace_id = ${workspaceId} and kind <> 'campaign'
        and ended_at < now() - make_interval(days => ${days}::int)
    ), sent as (
      delete from sends where workspace_id = ${workspaceId} and mailing_id in (select id from old)
    ), parts as (
      delete from send_parts where workspace_id = ${workspaceId} and mailing_id in (select id from old)
    )
    delete from mailings where workspace_id = ${workspaceId} and id in (select id from old)`.execute(tx);
}

/** Deletes what fills these messages. They stay in the books. */
export async function forgetData(
  tx: TenantTx,
  workspaceId: number,
  sends: readonly { mailingId: number; sendId: number }[],
): Promise<void> {
  await sql`
    update sends s set data = null
    from unnest(${sends.map(({ mailingId }) => mailingId)}::bigint[], ${sends.map(({ sendId }) => sendId)}::bigint[])
      k(mailing_id, id)
    where s.workspace_id = ${workspaceId} and s.mailing_id = k.mailing_id and s.id = k.id`.execute(tx);
}
