import { selectBack, selectBounceFigures, sendsBack } from '#features/bounces/server/index.ts';
import type { SendState } from '#features/sending/rules/mailing.ts';
import type { RecipientFilter, RecipientRow } from '#features/sending/server/index.ts';
import {
  readersWho,
  readersWhoFollowed,
  selectActs,
  selectFigures,
} from '#features/tracking/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { CampaignRecipient } from '../../contract.ts';
import type { RecipientAct } from '../../rules/campaign.ts';
import { stateInWords } from '../../rules/state-words.ts';
import type { CampaignsContext } from '../context.ts';
import { deliveredOf } from '../delivered.ts';

/** Which recipients are asked for. */
export interface AskedRecipients {
  state: SendState | null;
  did: RecipientAct | null;
  /** Where a link leads that they followed. */
  link: string | null;
  /** Whose opens and clicks count. */
  count: 'people' | 'all';
  search: string | null;
}

/**
 * The recipients asked for, as the ledger can find them. Throws `invalid_input` for a link that is
 * asked for together with something other than a click.
 */
export function filterOf(
  workspaceId: number,
  mailingId: number,
  { did, link, count, ...filter }: AskedRecipients,
): RecipientFilter {
  if (link !== null && did !== null && did !== 'clicked') {
    const message = 'Who followed a link has clicked. Ask for one of both.';
    throw new AppError('invalid_input', message, { fields: { link: message } });
  }
  if (link !== null) return { ...filter, among: readersWhoFollowed(workspaceId, mailingId, link, count) };
  if (did === null) return filter;
  const bounced = sendsBack(workspaceId, mailingId, 'bounce');
  if (did === 'got')
    // Nothing is `sent` and something else.
    return filter.state === null || filter.state === 'sent'
      ? { ...filter, state: 'sent', without: bounced }
      : { ...filter, among: bounced, without: bounced };
  if (did === 'bounced') return { ...filter, among: bounced };
  if (did === 'complained') return { ...filter, among: sendsBack(workspaceId, mailingId, 'complaint') };
  return { ...filter, among: readersWho(workspaceId, mailingId, did, count) };
}

/** How many recipients there are as asked for. What the figures know is not counted. */
export async function countAsked(
  { sending }: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  asked: AskedRecipients,
): Promise<number> {
  const counted = (filter: RecipientFilter) => sending.countRecipients(tx, workspaceId, mailingId, filter);
  const { did, state, search, link } = asked;
  if (search !== null || link !== null || (state !== null && did !== null))
    return counted(filterOf(workspaceId, mailingId, asked));
  if (did === null) return counted({ state, search });
  if (did !== 'got') return figureOf(tx, workspaceId, mailingId, { did, count: asked.count });
  const standings = await sending.standings(tx, workspaceId, [mailingId]);
  const back = await selectBounceFigures(tx, workspaceId, [mailingId]);
  return (await deliveredOf(tx, sending, workspaceId, standings, back)).get(mailingId) ?? 0;
}

async function figureOf(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  { did, count }: { did: Exclude<RecipientAct, 'got'>; count: 'people' | 'all' },
): Promise<number> {
  if (did === 'bounced' || did === 'complained') {
    const [figures] = await selectBounceFigures(tx, workspaceId, [mailingId]);
    if (!figures) return 0;
    return did === 'complained' ? figures.complained : figures.hard + figures.soft;
  }
  const [figures] = await selectFigures(tx, workspaceId, [mailingId]);
  if (!figures) return 0;
  if (did === 'left') return figures.unsubscribed;
  if (did === 'opened') return count === 'all' ? figures.opened : figures.humanOpened;
  return count === 'all' ? figures.clicked : figures.humanClicked;
}

/** Recipients as callers see them, with what each did. */
export async function presentAll(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  rows: readonly RecipientRow[],
  count: 'people' | 'all',
): Promise<CampaignRecipient[]> {
  const ids = rows.map(({ id }) => id);
  const did = await selectActs(tx, workspaceId, mailingId, ids, count);
  const acts = new Map(did.map((one) => [one.sendId, one]));
  const back = Map.groupBy(await selectBack(tx, workspaceId, mailingId, ids), ({ sendId }) => sendId);
  return rows.map(({ dueAt, handedAt, endedAt, ...row }) => {
    const state = row.state === 'handed' ? 'pending' : row.state;
    const act = acts.get(row.id);
    const toldOf = (event: 'bounce' | 'complaint') =>
      back.get(row.id)?.find((one) => one.event === event)?.at ?? null;
    const times = {
      ...{ dueAt, handedAt, endedAt },
      openedAt: act?.openedAt ?? null,
      clickedAt: act?.clickedAt ?? null,
      leftAt: act?.leftAt ?? null,
      bouncedAt: toldOf('bounce'),
      complainedAt: toldOf('complaint'),
    };
    return { ...row, state, words: stateInWords(state, row.reason, row.reply), ...inIso(times) };
  });
}

const inIso = <Name extends string>(times: Record<Name, Date | null>): Record<Name, string | null> =>
  Object.fromEntries(
    Object.entries<Date | null>(times).map(([name, at]) => [name, at?.toISOString() ?? null]),
  ) as Record<Name, string | null>;
