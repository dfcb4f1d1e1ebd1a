import { type BounceFigures, selectBounceFigures } from '#features/bounces/server/index.ts';
import type { MailingStanding, Sending } from '#features/sending/server/index.ts';
import { selectFigures } from '#features/tracking/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Campaign } from '../contract.ts';
import { statusOf } from '../rules/campaign.ts';
import { deliveredOf } from './delivered.ts';
import { type CampaignRow, selectCampaign } from './queries.ts';

/** The campaign as stored. Throws `not_found`. */
export async function needCampaign(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  options?: { lock?: boolean; deleted?: boolean },
): Promise<CampaignRow> {
  const row = await selectCampaign(tx, workspaceId, id, options);
  if (row) return row;
  throw new AppError('not_found', 'This campaign is not there any more. Reload the page.');
}

/** Throws `changed_meanwhile` when it is not as it was at `updatedAt`. Undefined: nobody looked. */
export function refuseChanged(row: CampaignRow, updatedAt: string | undefined): void {
  if (updatedAt !== undefined && updatedAt !== row.updatedAt.toISOString())
    throw new AppError('changed_meanwhile', 'Somebody has changed this campaign meanwhile. Reload the page.');
}

/** The campaign as callers see it. Throws `not_found`. */
export async function showCampaign(
  tx: TenantTx,
  sending: Sending,
  workspaceId: number,
  id: number,
): Promise<Campaign> {
  const row = await needCampaign(tx, workspaceId, id);
  const [campaign] = await withStandings(tx, sending, workspaceId, [row]);
  return campaign as Campaign;
}

/** The campaigns with where their mailings stand. */
export async function withStandings(
  tx: TenantTx,
  sending: Sending,
  workspaceId: number,
  rows: readonly CampaignRow[],
): Promise<Campaign[]> {
  const ids = rows.flatMap(({ mailingId }) => (mailingId === null ? [] : [mailingId]));
  const found = ids.length > 0 ? await sending.standings(tx, workspaceId, ids) : [];
  const standings = new Map(found.map((standing) => [standing.id, standing]));
  const counted = ids.length > 0 ? await selectFigures(tx, workspaceId, ids) : [];
  const figures = new Map(counted.map((one) => [one.mailingId, one]));
  const back = ids.length > 0 ? await selectBounceFigures(tx, workspaceId, ids) : [];
  const bounces = new Map(back.map((one) => [one.mailingId, one]));
  const delivered = await deliveredOf(tx, sending, workspaceId, found, back);
  const kept = ids.length > 0 ? await sending.kept(tx, workspaceId, ids) : new Set();
  const neverLeft = ids.length > 0 ? await sending.neverLeft(tx, workspaceId, ids) : new Set();
  return rows.map((row) => {
    const id = row.mailingId ?? 0;
    const campaign = present(
      row,
      standings.get(id) ?? null,
      figures.get(id) ?? null,
      bounces.get(id) ?? null,
    );
    return {
      ...campaign,
      delivered: delivered.get(id) ?? 0,
      keptMailingId: kept.has(id) ? id : null,
      neverLeft: neverLeft.has(id),
    };
  });
}

type MailingFigures = Awaited<ReturnType<typeof selectFigures>>[number];

function present(
  row: CampaignRow,
  mailing: MailingStanding | null,
  figures: MailingFigures | null,
  bounces: BounceFigures | null,
): Omit<Campaign, 'delivered' | 'keptMailingId' | 'neverLeft'> {
  const { mailingId: _mailing, sendAt, sentAt, createdAt, updatedAt, archivedAt, ...rest } = row;
  return {
    ...rest,
    status: statusOf(row.status, mailing),
    notice: mailing?.notice ?? row.notice,
    totalRecipients: mailing?.total ?? 0,
    sent: mailing?.sent ?? 0,
    failed: mailing?.failed ?? 0,
    skipped: mailing?.skipped ?? 0,
    uncertain: mailing?.uncertain ?? 0,
    pending: mailing?.pending ?? 0,
    leftOut: mailing?.leftOut ?? {},
    opened: figures?.humanOpened ?? 0,
    clicked: figures?.humanClicked ?? 0,
    machineOpened: figures ? figures.opened - figures.humanOpened : 0,
    machineClicked: figures ? figures.clicked - figures.humanClicked : 0,
    bounced: bounces ? bounces.hard + bounces.soft : 0,
    complained: bounces?.complained ?? 0,
    unsubscribed: figures?.unsubscribed ?? 0,
    sendAt: sendAt?.toISOString() ?? null,
    sentAt: sentAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    endedAt: mailing?.endedAt?.toISOString() ?? null,
    archivedAt: archivedAt?.toISOString() ?? null,
  };
}
