import { sql } from 'kysely';
import { mostGroups } from '#features/audience/contract.ts';
import { choiceField, momentField, type Option } from '#features/segments/rules/field.ts';
import { anyOf, type Meaning, noneOf } from '#features/segments/rules/meaning.ts';
import { type SegmentField, segmentField } from '#features/segments/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { formatDay } from '#platform/shared/words.ts';
import { type CampaignAct, campaignRule, lastActRule } from '../../rules/campaign-conditions.ts';
import { lastActDay } from './conditions.ts';

const group = 'Campaigns';
/** As many as somebody may want to choose from. */
const mostOffered = 200;
/** More than a workspace may have. */
const mostKnown = 10_000;

interface CampaignName {
  id: number;
  name: string;
  /** In London. */
  day: string | null;
}

const optionOf = ({ id, name, day }: CampaignName): Option => ({
  value: String(id),
  label: day === null ? name : `${name} (${formatDay(day)})`,
  text: name,
});

/** Campaigns that were sent, the newest first. */
async function selectCampaignNames(tx: TenantTx, workspaceId: number, most: number): Promise<CampaignName[]> {
  const { rows } = await sql<CampaignName>`
    select campaign_id as id, name, to_char(started_at at time zone 'Europe/London', 'YYYY-MM-DD') as day
    from mailings
    where workspace_id = ${workspaceId} and kind = 'campaign' and campaign_id is not null
    order by id desc limit ${most}`.execute(tx);
  return rows;
}

const states: Record<CampaignAct, ReturnType<typeof sql>> = {
  sent: sql`s.state = 'sent'`,
  opened: sql`t.human_opened_at is not null`,
  clicked: sql`t.human_clicked_at is not null`,
};

/** The names of the campaigns that a contact got, opened or clicked in, the newest first. */
async function readCampaigns(
  tx: TenantTx,
  workspaceId: number,
  act: CampaignAct,
  contactId: number,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select m.name from mailings m
    join sends s on s.workspace_id = m.workspace_id and s.mailing_id = m.id and s.id = ${contactId}
    left join tracked_sends t on t.workspace_id = m.workspace_id and t.mailing_id = m.id and t.send_id = s.id
    where m.workspace_id = ${workspaceId} and m.kind = 'campaign' and ${states[act]}
    order by m.id desc limit ${mostOffered}`.execute(tx);
  return rows.map(({ name }) => name);
}

function campaignField(act: CampaignAct, label: string, noun: string): SegmentField {
  const { key } = campaignRule(act);
  const leaf = (campaigns: readonly number[]): Meaning => ({ condition: key, value: campaigns });
  const field = choiceField({ key, label, group, noun }, (value) => leaf([Number(value)]));
  return {
    ...field,
    meaning(test, chosen) {
      if (test.is === 'empty') return noneOf([leaf([])]);
      const ids = chosen.map(({ value }) => Number(value));
      const some: Meaning[] = [];
      for (let at = 0; at < ids.length; at += mostGroups) some.push(leaf(ids.slice(at, at + mostGroups)));
      return anyOf(some);
    },
    offered: async (tx, workspaceId) =>
      (await selectCampaignNames(tx, workspaceId, mostOffered)).map(optionOf),
    // All there are: one may be named by its number or its name.
    find: async (tx, workspaceId) => (await selectCampaignNames(tx, workspaceId, mostKnown)).map(optionOf),
    read: (tx, workspaceId, contact) => readCampaigns(tx, workspaceId, act, contact.id),
  };
}

function lastField(act: 'opened' | 'clicked', label: string): SegmentField {
  const { key } = lastActRule(act);
  return {
    ...momentField({ key, label, group, noun: label.toLowerCase(), verb: `last ${act}` }, key),
    async read(tx, workspaceId, { id }) {
      const { rows } = await sql<{ day: string | null }>`
        select ${lastActDay(act, workspaceId)} as day from contacts c
        where c.workspace_id = ${workspaceId} and c.id = ${id}`.execute(tx);
      return rows.flatMap(({ day }) => day ?? []);
    },
  };
}

/** What segments can ask of campaigns. What machines opened and clicked does not count. */
export const campaignFields = [
  campaignField('sent', 'Sent Campaign', 'sent campaign'),
  campaignField('opened', 'Opened Campaign', 'opened campaign'),
  campaignField('clicked', 'Clicked Campaign', 'clicked campaign'),
  lastField('opened', 'Last Open'),
  lastField('clicked', 'Last Click'),
].map(segmentField);
