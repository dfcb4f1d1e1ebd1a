import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { MailingKind } from '../../rules/mailing.ts';
import { booksOf } from '../mailing-queries.ts';

/** The figures of a part. */
export type PartFigures = Record<'total' | 'sent' | 'failed' | 'skipped' | 'uncertain' | 'deferred', number>;

/** A part whose figures were not those of its sends. */
export interface MendedPart {
  id: number;
  mailingId: number;
  was: PartFigures;
  is: PartFigures;
}

/**
 * Compares the figures of parts with their sends, and corrects those that differ. The caller has
 * locked the parts by an earlier statement of this transaction, so all that was committed for them
 * is seen, and nothing is written beside it.
 */
export async function mendFigures(
  tx: TenantTx,
  workspaceId: number,
  parts: readonly number[],
): Promise<MendedPart[]> {
  const { rows } = await sql<MendedPart>`
    with counted as materialized (
      select p.id, s.*,
        jsonb_build_object('total', p.total, 'sent', p.sent, 'failed', p.failed, 'skipped', p.skipped,
          'uncertain', p.uncertain, 'deferred', p.deferred) as was
      from send_parts p
      cross join lateral (
        select count(*) as total, count(*) filter (where state = 'sent') as sent,
          count(*) filter (where state = 'failed') as failed, count(*) filter (where state = 'skipped') as skipped,
          count(*) filter (where state = 'uncertain') as uncertain, count(*) filter (where state = 'deferred') as deferred
        from sends
        where workspace_id = ${workspaceId} and mailing_id = p.mailing_id and id between p.first_send and p.last_send
          and (p.test_group is null or test_group = p.test_group) and state <> 'left_out'
      ) s
      where p.workspace_id = ${workspaceId} and p.id = any(${[...parts]}::bigint[])
    )
    update send_parts p
    set total = c.total, sent = c.sent, failed = c.failed, skipped = c.skipped, uncertain = c.uncertain,
      deferred = c.deferred
    from counted c
    where p.workspace_id = ${workspaceId} and p.id = any(${[...parts]}::bigint[]) and p.id = c.id
      and (p.total, p.sent, p.failed, p.skipped, p.uncertain, p.deferred)
        is distinct from (c.total, c.sent, c.failed, c.skipped, c.uncertain, c.deferred)
    returning p.id, p.mailing_id as "mailingId", c.was,
      jsonb_build_object('total', p.total, 'sent', p.sent, 'failed', p.failed, 'skipped', p.skipped,
        'uncertain', p.uncertain, 'deferred', p.deferred) as is`.execute(tx);
  return rows;
}

/** Mailings that have ended since they were last compared, the oldest first. */
export async function selectUnreconciled(
  tx: TenantTx,
  workspaceId: number,
  many: number,
): Promise<{ id: number; kind: MailingKind }[]> {
  const { rows } = await sql<{ id: number; kind: MailingKind }>`
    select id, kind from mailings
    where workspace_id = ${workspaceId} and ended_at is not null and reconciled_at is null
    order by id limit ${many}`.execute(tx);
  return rows;
}

export async function selectPartsOf(
  tx: TenantTx,
  workspaceId: number,
  mailingIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from send_parts
    where workspace_id = ${workspaceId} and mailing_id = any(${[...mailingIds]}::bigint[])
    order by mailing_id, first_send`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Writes the books anew. Mailings that were opened again meanwhile are compared once more after
 * their end.
 */
export async function noteReconciled(
  tx: TenantTx,
  workspaceId: number,
  mailingIds: readonly number[],
): Promise<void> {
  await sql`
    update mailings set reconciled_at = clock_timestamp(), books = ${booksOf}
    where workspace_id = ${workspaceId} and id = any(${[...mailingIds]}::bigint[]) and ended_at is not null`.execute(
    tx,
  );
}
