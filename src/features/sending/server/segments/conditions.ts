import { sql } from 'kysely';
import { condition } from '#features/audience/server/index.ts';
import { dayOf, testSql } from '#features/segments/server/index.ts';
import type { Fragment } from '#platform/server/database.ts';
import {
  type CampaignAct,
  campaignActs,
  campaignRule,
  lastActRule,
} from '../../rules/campaign-conditions.ts';

/** The mailings of some campaigns, or of all. */
const mailingsOf = (workspaceId: number, campaigns: readonly number[]): Fragment => sql`array(
  select m.id from mailings m where m.workspace_id = ${workspaceId} and m.kind = 'campaign'
    ${campaigns.length === 0 ? sql`` : sql`and m.campaign_id = any(array[${sql.join([...campaigns])}]::bigint[])`})`;

const moments = { opened: sql`t.human_opened_at`, clicked: sql`t.human_clicked_at` };

/**
 * A contact that got a campaign is found by the ledger's primary key, which is the mailing and the
 * contact; what it did, by the index over contacts.
 */
const didSql = (act: CampaignAct, campaigns: readonly number[], workspaceId: number): Fragment => {
  const mailings = mailingsOf(workspaceId, campaigns);
  if (act === 'sent')
    return sql`exists (
      select from sends s where s.workspace_id = ${workspaceId} and s.mailing_id = any(${mailings}) and s.id = c.id
        and s.state = 'sent')`;
  return sql`exists (
    select from tracked_sends t
    where t.workspace_id = ${workspaceId} and t.contact_id = c.id and ${moments[act]} is not null
      ${campaigns.length === 0 ? sql`` : sql`and t.mailing_id = any(${mailings})`})`;
};

/** The day of the newest, as text; null when there is none. */
export const lastActDay = (act: 'opened' | 'clicked', workspaceId: number): Fragment =>
  dayOf(
    sql`(select max(${moments[act]}) from tracked_sends t where t.workspace_id = ${workspaceId} and t.contact_id = c.id)`,
  );

export const campaignConditions = [
  ...campaignActs.map((act) =>
    condition(campaignRule(act), (campaigns, { workspaceId }) => didSql(act, campaigns, workspaceId)),
  ),
  ...(['opened', 'clicked'] as const).map((act) =>
    condition(lastActRule(act), (test, { workspaceId }) => {
      const day = lastActDay(act, workspaceId);
      return testSql(test, { text: day, day });
    }),
  ),
];
