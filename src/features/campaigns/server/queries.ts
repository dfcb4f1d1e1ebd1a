import { type RawBuilder, sql } from 'kysely';
import type { TemplateDocument } from '#features/templates/rules/document/schema.ts';
import type { SystemDb, TenantTx } from '#platform/server/database.ts';
import type { AbTest } from '../contract/ab-test.ts';
import type { CampaignAudience, CampaignUtm } from '../contract.ts';
import type { CampaignTemplate } from '../rules/campaign.ts';

/** What people write. */
export interface WrittenCampaign {
  name: string;
  subject: string;
  preheader: string;
  content: string;
  textContent: string | null;
  /** What the content is made from. At most one of both. */
  document: TemplateDocument | null;
  mjml: string | null;
  template: CampaignTemplate;
  templateId: number | null;
  fromName: string | null;
  fromAddress: string | null;
  replyTo: string | null;
  trackOpens: boolean;
  trackClicks: boolean;
  utm: CampaignUtm | null;
  audience: CampaignAudience;
  spreadHours: number | null;
  abTest: AbTest | null;
}

export interface CampaignRow extends WrittenCampaign {
  id: number;
  status: 'draft' | 'scheduled' | 'sent';
  sendAt: Date | null;
  /** Whether it leaves when each recipient's clocks show what those of London show at `sendAt`. */
  byRecipientZone: boolean;
  notice: string | null;
  mailingId: number | null;
  sentAt: Date | null;
  createdBy: string | null;
  createdAt: Date;
  updatedAt: Date;
  archivedAt: Date | null;
}

/** The column of each field that people write. */
const written = {
  name: 'name',
  subject: 'subject',
  preheader: 'preheader',
  content: 'content',
  textContent: 'text_content',
  document: 'document',
  mjml: 'mjml',
  template: 'template',
  templateId: 'template_id',
  fromName: 'from_name',
  fromAddress: 'from_address',
  replyTo: 'reply_to',
  trackOpens: 'tracks_opens',
  trackClicks: 'tracks_clicks',
  utm: 'utm',
  audience: 'audience',
  spreadHours: 'spread_hours',
  abTest: 'ab_test',
} as const satisfies Record<keyof WrittenCampaign, string>;
const writtenKeys = Object.keys(written) as (keyof WrittenCampaign)[];

/** What lists leave out, and what stands there. */
const empty: Partial<Record<keyof WrittenCampaign, string>> = {
  content: "''",
  textContent: 'null::text',
  document: 'null::jsonb',
  mjml: 'null::text',
};

const columns = (content: boolean) =>
  sql.raw(
    [
      'id, status, send_at as "sendAt", by_recipient_zone as "byRecipientZone", notice, mailing_id as "mailingId", sent_at as "sentAt", created_by as "createdBy"',
      'created_at as "createdAt", updated_at as "updatedAt", archived_at as "archivedAt"',
      ...writtenKeys.map((key) => `${(content ? undefined : empty[key]) ?? written[key]} as "${key}"`),
    ].join(', '),
  );

const asColumn = (key: keyof WrittenCampaign, value: WrittenCampaign[typeof key]): RawBuilder<unknown> =>
  value !== null && typeof value === 'object' ? sql`${JSON.stringify(value)}::jsonb` : sql`${value}`;

export async function insertCampaign(
  tx: TenantTx,
  workspaceId: number,
  campaign: WrittenCampaign,
  createdBy: string | null,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into campaigns (workspace_id, created_by, ${sql.raw(writtenKeys.map((key) => written[key]).join(', '))})
    values (${workspaceId}, ${createdBy}, ${sql.join(writtenKeys.map((key) => asColumn(key, campaign[key])))})
    returning id`.execute(tx);
  return (rows[0] as { id: number }).id;
}

export async function updateWritten(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  changes: Partial<WrittenCampaign>,
): Promise<void> {
  const sets = writtenKeys.flatMap((key) => {
    const value = changes[key];
    return value === undefined ? [] : [sql`${sql.raw(written[key])} = ${asColumn(key, value)}`];
  });
  await sql`
    update campaigns set ${sql.join([...sets, sql`updated_at = clock_timestamp()`])}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** One that is not deleted. With `lock`, nobody else changes it until the transaction ends. */
export async function selectCampaign(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  { lock = false, deleted = false }: { lock?: boolean; deleted?: boolean } = {},
): Promise<CampaignRow | undefined> {
  const { rows } = await sql<CampaignRow>`
    select ${columns(true)} from campaigns
    where workspace_id = ${workspaceId} and id = ${id}
      and deleted_at is ${deleted ? sql`not null` : sql`null`} ${lock ? sql`for update` : sql``}`.execute(tx);
  return rows[0];
}

/**
 * All that are not deleted, newest first, without their content. `before`: those that leave by
 * then.
 */
export async function selectCampaigns(
  tx: TenantTx,
  workspaceId: number,
  {
    archived,
    search,
    before = null,
  }: { archived: 'no' | 'only' | 'all'; search?: string | undefined; before?: Date | null },
): Promise<CampaignRow[]> {
  const which = { no: sql`and archived_at is null`, only: sql`and archived_at is not null`, all: sql`` }[
    archived
  ];
  const { rows } = await sql<CampaignRow>`
    select ${columns(false)} from campaigns
    where workspace_id = ${workspaceId} and deleted_at is null ${which}
      and (${search ?? null}::text is null or name ilike contains_pattern(${search ?? ''})
        or subject ilike contains_pattern(${search ?? ''}))
      and (${before}::timestamptz is null or coalesce(sent_at, send_at) < ${before}::timestamptz)
    order by id desc`.execute(tx);
  return rows;
}

/** Those of these campaigns that were sent. */
export async function selectSent(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from campaigns
    where workspace_id = ${workspaceId} and id = any(${[...ids]}::bigint[]) and mailing_id is not null`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

export async function countCampaigns(tx: TenantTx, workspaceId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from campaigns where workspace_id = ${workspaceId} and deleted_at is null`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Where it stands, and what goes with that. */
export async function setStanding(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  standing: Partial<
    Pick<
      CampaignRow,
      'status' | 'sendAt' | 'byRecipientZone' | 'notice' | 'mailingId' | 'sentAt' | 'archivedAt'
    > & {
      deletedAt: Date | null;
    }
  >,
): Promise<void> {
  const names = {
    status: 'status',
    sendAt: 'send_at',
    byRecipientZone: 'by_recipient_zone',
    notice: 'notice',
    mailingId: 'mailing_id',
    sentAt: 'sent_at',
    archivedAt: 'archived_at',
    deletedAt: 'deleted_at',
  };
  const sets = Object.entries(standing).map(
    ([key, value]) => sql`${sql.raw(names[key as keyof typeof names])} = ${value}`,
  );
  await sql`
    update campaigns set ${sql.join(sets)} where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** The clocks of the first, on the islands of Kiribati, are so many hours ahead of London's. */
const hoursAhead = 14;

/** The workspaces with scheduled campaigns whose time has come. */
export async function selectWorkspacesWithDue(db: SystemDb): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select w.id from workspaces_with_due_campaigns(${hoursAhead}) w (id)`.execute(db);
  return rows.map(({ id }) => id);
}

/** Scheduled campaigns whose time has come, and of which nobody has been asked yet. */
export async function selectDueCampaigns(
  tx: TenantTx,
  workspaceId: number,
): Promise<{ id: number; isLate: boolean }[]> {
  const { rows } = await sql<{ id: number; isLate: boolean }>`
    select id, send_at < now() - interval '2 hours' as "isLate" from campaigns
    where workspace_id = ${workspaceId} and status = 'scheduled' and deleted_at is null and notice is null
      and send_at - case when by_recipient_zone then make_interval(hours => ${hoursAhead}) else interval '0' end <= now()
    order by send_at, id`.execute(tx);
  return rows;
}

/** Deletes what was deleted so many days ago. */
export async function forgetDeleted(tx: TenantTx, workspaceId: number, days: number): Promise<void> {
  await sql`
    delete from campaigns where workspace_id = ${workspaceId}
      and deleted_at < now() - make_interval(days => ${days}::int)`.execute(tx);
}

/** The drafts and scheduled campaigns whose audience names a list or a tag. */
export async function selectUses(
  tx: TenantTx,
  workspaceId: number,
  { condition, id }: { condition: string; id: number },
): Promise<{ kind: string; id: number; name: string }[]> {
  const part = JSON.stringify([{ [condition]: id }]);
  const { rows } = await sql<{ kind: string; id: number; name: string }>`
    select 'campaign' as kind, id, name from campaigns
    where workspace_id = ${workspaceId} and deleted_at is null and status in ('draft', 'scheduled')
      and (audience -> 'include' @> ${part}::jsonb or audience -> 'exclude' @> ${part}::jsonb)
    order by lower(name), id`.execute(tx);
  return rows;
}
