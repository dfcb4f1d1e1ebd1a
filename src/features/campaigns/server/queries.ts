import { type RawBuilder, sql } from 'kysely';
import type { TemplateDocument } from '#features/templates/rules/document/schema.ts';
import { asksForTagPattern } from '#features/templates/rules/tag-fields.ts';
import type { Fragment, SystemDb, TenantTx } from '#platform/server/database.ts';
import type { AbTest } from '../contract/ab-test.ts';
import type { CampaignAudience, CampaignUtm } from '../contract.ts';
import type { NeededLists } from '../rules/audience.ts';
import type { CampaignStatus, CampaignTemplate } from '../rules/campaign.ts';

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
const inLists: Partial<Record<keyof WrittenCampaign, string>> = {
  content: "''",
  textContent: 'null::text',
  document: 'null::jsonb',
  mjml: 'null::text',
  abTest: 'ab_test_in_lists',
};

const columns = (content: boolean) =>
  sql.raw(
    [
      'id, status, send_at as "sendAt", by_recipient_zone as "byRecipientZone", notice, mailing_id as "mailingId", sent_at as "sentAt", created_by as "createdBy"',
      'created_at as "createdAt", updated_at as "updatedAt", archived_at as "archivedAt"',
      ...writtenKeys.map((key) => `${(content ? undefined : inLists[key]) ?? written[key]} as "${key}"`),
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

/** The mailings of the last campaigns that were sent. */
export async function selectRecent(
  tx: TenantTx,
  workspaceId: number,
  { days, most }: { days: number; most: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select mailing_id as id from campaigns
    where workspace_id = ${workspaceId} and mailing_id is not null
      and sent_at > now() - make_interval(days => ${days}::int)
    order by sent_at desc limit ${most}`.execute(tx);
  return rows.map(({ id }) => id);
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

/** Which campaigns a list asks for. */
export interface CampaignFilter {
  archived: 'no' | 'only' | 'all';
  status?: CampaignStatus | undefined;
  sent?: boolean | undefined;
  search?: string | undefined;
  /** What leaves or left between two moments, see `spanOf`. */
  days: { first: Date | null; end: Date | null } | null;
  /** The number of the campaign that the list goes on after. */
  before?: number | undefined;
  limit: number;
  /** SQL that yields where mailings stand. */
  states: Fragment;
}

/** Campaigns that are not deleted, newest first, without their content. */
export async function selectCampaigns(
  tx: TenantTx,
  workspaceId: number,
  { archived, sent, search, before, limit, ...standing }: CampaignFilter,
): Promise<CampaignRow[]> {
  const tests = [sql`workspace_id = ${workspaceId} and deleted_at is null`];
  if (archived !== 'all')
    tests.push(archived === 'no' ? sql`archived_at is null` : sql`archived_at is not null`);
  if (sent !== undefined) tests.push(sent ? sql`sent_at is not null` : sql`sent_at is null`);
  if (search !== undefined && search !== '')
    tests.push(sql`(name ilike contains_pattern(${search}) or subject ilike contains_pattern(${search}))`);
  if (before !== undefined) tests.push(sql`id < ${before}`);
  if (standing.status !== undefined || standing.days !== null)
    tests.push(sql`id in (${standingAs(workspaceId, standing)})`);
  const { rows } = await sql<CampaignRow>`
    select ${columns(false)} from campaigns where ${sql.join(tests, sql` and `)}
    order by id desc limit ${limit}`.execute(tx);
  return rows;
}

/**
 * The ids of campaigns of a status, and of those that leave on some days, by the rules `statusOf`
 * and `spanOf`.
 */
function standingAs(
  workspaceId: number,
  { status, days, states }: Pick<CampaignFilter, 'status' | 'days' | 'states'>,
): Fragment {
  const tests = [sql`true`];
  if (status !== undefined) tests.push(sql`status = ${status}`);
  if (days) tests.push(sql`starts is not null`);
  if (days?.end) tests.push(sql`starts < ${days.end}`);
  // What ends as a day begins does not leave on it, unless it leaves all at once.
  if (days?.first) tests.push(sql`greatest(starts, ends - interval '1 millisecond') >= ${days.first}`);
  return sql`
    select id from (
      select id, status, starts, case when status = 'sending' then greatest(planned, clock_timestamp())
        else least(planned, ended_at) end as ends
      from (
        select *, starts + make_interval(hours => coalesce(spread_hours, 0)) as planned from (
          select c.id, c.spread_hours, m.ended_at,
            case when c.status = 'sent' then coalesce(m.status, 'failed') else c.status end as status,
            coalesce(case when c.by_recipient_zone and c.sent_at is not null then c.send_at end, c.sent_at,
              case when c.status = 'scheduled' then c.send_at end) as starts
          from campaigns c left join (${states}) m on m.workspace_id = c.workspace_id and m.id = c.mailing_id
          where c.workspace_id = ${workspaceId} and c.deleted_at is null
        ) begun
      ) planned
    ) found
    where ${sql.join(tests, sql` and `)}`;
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

/** The lists that these campaigns needed, of those that went to lists alone. */
export async function selectListsOf(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
): Promise<Map<number, NeededLists[]>> {
  const { rows } = await sql<{ id: number; needed: NeededLists[] }>`
    select c.id, (
      select jsonb_agg(jsonb_build_object('lists', one.lists, 'kept', coalesce((
        select jsonb_agg(l.id order by l.id) from lists l
        where l.workspace_id = m.workspace_id and l.deleted_at is null
          and l.id = any(array(select jsonb_array_elements_text(one.lists)::bigint))
      ), '[]')) order by one.at)
      from jsonb_array_elements(sets_of_lists(m.needed_lists, m.lists)) with ordinality as one(lists, at)
    ) as needed
    from campaigns c join mailings m on m.workspace_id = c.workspace_id and m.id = c.mailing_id
    where c.workspace_id = ${workspaceId} and c.id = any(${[...ids]}::bigint[]) and sets_of_lists(m.needed_lists, m.lists) <> '[]'`.execute(
    tx,
  );
  return new Map(rows.map(({ id, needed }) => [id, needed]));
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
      /** When it was given its time. */
      scheduledAt: Date | null;
      deletedAt: Date | null;
    }
  >,
): Promise<void> {
  const names = {
    status: 'status',
    sendAt: 'send_at',
    scheduledAt: 'scheduled_at',
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

/**
 * Scheduled campaigns whose time has come, and of which nobody has been asked yet. With `id`, only
 * that one. `isLate`: it should have begun more than two hours ago. One by recipient zone begins
 * when the hour of the first comes, or as soon as it is scheduled after that. Where nobody knows
 * when that was, the hour counts: `greatest` passes over null.
 */
export async function selectDueCampaigns(
  tx: TenantTx,
  workspaceId: number,
  id?: number,
): Promise<{ id: number; isLate: boolean }[]> {
  const first = sql`send_at - make_interval(hours => ${hoursAhead})`;
  const { rows } = await sql<{ id: number; isLate: boolean }>`
    select id,
      case when by_recipient_zone then greatest(${first}, scheduled_at) else send_at end
        < now() - interval '2 hours' as "isLate"
    from campaigns
    where workspace_id = ${workspaceId} and status = 'scheduled' and deleted_at is null and notice is null
      and case when by_recipient_zone then ${first} else send_at end <= now()
      ${id === undefined ? sql`` : sql`and id = ${id}`}
    order by send_at, id`.execute(tx);
  return rows;
}

/** Deletes what was deleted so many days ago. */
export async function forgetDeleted(tx: TenantTx, workspaceId: number, days: number): Promise<void> {
  await sql`
    delete from campaigns where workspace_id = ${workspaceId}
      and deleted_at < now() - make_interval(days => ${days}::int)`.execute(tx);
}

/**
 * The drafts and scheduled campaigns whose audience or content asks for a list or a tag, and those
 * on their way whose content does. `states` is SQL that yields where mailings stand.
 */
export async function selectUses(
  tx: TenantTx,
  workspaceId: number,
  { condition, id }: { condition: string; id: number },
  states: Fragment,
): Promise<{ kind: string; id: number; name: string; onlyBlocks?: true }[]> {
  const part = JSON.stringify([{ [condition]: id }]);
  const inContent =
    condition === 'tag'
      ? sql`concat_ws(' ', c.subject, c.preheader, c.content, c.text_content, c.ab_test::text) ~ ${asksForTagPattern(id)}`
      : sql`false`;
  const { rows } = await sql<{ id: number; name: string; isAsked: boolean }>`
    select id, name, "isAsked" from (
      select c.id, c.name, c.status <> 'sent'
          and (c.audience -> 'include' @> ${part}::jsonb or c.audience -> 'exclude' @> ${part}::jsonb) as "isAsked",
        (c.status <> 'sent' or m.status in ('sending', 'paused')) and ${inContent} as "isInContent"
      from campaigns c left join (${states}) m on m.workspace_id = c.workspace_id and m.id = c.mailing_id
      where c.workspace_id = ${workspaceId} and c.deleted_at is null
    ) found
    where "isAsked" or "isInContent"
    order by lower(name), id`.execute(tx);
  return rows.map(({ isAsked, ...row }) => ({
    kind: 'campaign',
    ...row,
    ...(isAsked ? {} : { onlyBlocks: true }),
  }));
}
