import { isDeepStrictEqual } from 'node:util';
import { recordActivity } from '#features/activities/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import type { TemplateDocument } from '#features/templates/rules/document/schema.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import type { BodyOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { formatNumber } from '#platform/shared/words.ts';
import {
  type Campaign,
  type createCampaign as createEndpoint,
  longestCampaignName,
  mostCampaigns,
  type updateCampaign as updateEndpoint,
} from '../contract.ts';
import { campaignError } from '../rules/codes.ts';
import { refuseUndecidable } from './ab-test/refuse-undecidable.ts';
import { audienceTree } from './audience/audience-tree.ts';
import { type CampaignsContext, type Doer, doerOf } from './context.ts';
import { countCampaigns, insertCampaign, updateWritten, type WrittenCampaign } from './queries.ts';
import { refuseTwoClocks } from './refuse-two-clocks.ts';
import { refuseWithoutSend } from './refuse-without-send.ts';
import { needCampaign, refuseChanged, showCampaign } from './show-campaign.ts';

/** Records in the audit log what happened to a campaign. */
export const note = (
  tx: TenantTx,
  { workspaceId, actor }: Doer,
  action: string,
  id: number,
  details: Record<string, unknown>,
) =>
  recordAudit(tx, workspaceId, { actor, action: `campaign.${action}`, subject: `campaign:${id}`, details });

/** The same for everybody to see on the dashboard. */
export const tell = (
  tx: TenantTx,
  { workspaceId, actor }: Doer,
  action: string,
  { id, name, status = 'completed' }: { id: number; name: string; status?: 'completed' | 'in-progress' },
) =>
  recordActivity(tx, workspaceId, {
    ...{ action, details: name, status, icon: 'send', iconColor: 'primary', actor, link: `/campaigns/${id}` },
  });

/** Makes a draft. Throws `conflict` when there are too many, and `invalid_input`. */
export async function createCampaign(
  context: CampaignsContext,
  tx: TenantTx,
  doer: Doer,
  made: Made<BodyOf<typeof createEndpoint>>,
): Promise<Campaign> {
  const { workspaceId } = doer;
  const { templateId = null, ...given } = made;
  const begun = templateId === null ? null : await context.templates.content(tx, workspaceId, templateId);
  const content = given.content ?? begun?.htmlContent;
  if (content === undefined) throw missing('content', 'Content is required');
  const template = given.template ?? (begun ? 'custom' : undefined);
  if (template === undefined) throw missing('template', 'Choose a template');
  return addDraft(context, tx, doer, {
    ...blank,
    ...withoutUndefined(given),
    content,
    // A copy of its own, which goes on in the way it was written.
    document: given.content === undefined ? (begun?.document ?? null) : (given.document ?? null),
    mjml: given.content === undefined ? (begun?.mjml ?? null) : (given.mjml ?? null),
    template,
    templateId,
    textContent: given.textContent ?? (given.content === undefined ? (begun?.textContent ?? null) : null),
  });
}

/** A draft like another campaign. */
export async function duplicateCampaign(
  context: CampaignsContext,
  tx: TenantTx,
  doer: Doer,
  id: number,
): Promise<Campaign> {
  const row = await needCampaign(tx, doer.workspaceId, id);
  return addDraft(context, tx, doer, { ...row, name: nameOfCopy(row.name) }, { copyOfCampaign: id });
}

/** Makes a draft of this. Throws `conflict` when there are too many, and `invalid_input`. */
export async function addDraft(
  context: CampaignsContext,
  tx: TenantTx,
  doer: Doer,
  campaign: WrittenCampaign,
  details: Record<string, unknown> = {},
): Promise<Campaign> {
  const { workspaceId, actor } = doer;
  if ((await countCampaigns(tx, workspaceId)) >= mostCampaigns)
    throw new AppError(
      'conflict',
      `A workspace has at most ${formatNumber(mostCampaigns)} campaigns. Delete one first.`,
    );
  refuseUndecidable(campaign);
  // Refuses what the audience would not understand.
  context.audience.stored.parse(await audienceTree(context, tx, workspaceId, campaign.audience));
  const id = await insertCampaign(tx, workspaceId, campaign, actor);
  await note(tx, doer, 'created', id, { name: campaign.name, ...details });
  await tell(tx, doer, 'Campaign Created', { id, name: campaign.name });
  return showCampaign(tx, context.sending, workspaceId, id);
}

/** What was sent, with what its document or its MJML makes in place of them. */
type Made<Sent> = Omit<Sent, keyof typeof unmade> & Partial<Pick<WrittenCampaign, keyof typeof unmade>>;
type Change = Made<BodyOf<typeof updateEndpoint>>;

type Sent = Pick<Change, 'content' | 'preheader' | 'template'> &
  Pick<BodyOf<typeof updateEndpoint>, keyof typeof unmade>;

/**
 * What was sent, with the content that its document or its MJML makes. Throws `invalid_input` where
 * that cannot be made. The preheader is filled in when the message is sent, so the HTML is without
 * it.
 */
export async function madeOf<S extends Sent>(
  { templates }: Pick<CampaignsContext, 'templates'>,
  workspaceId: number,
  { document: sent, mjml, ...change }: S,
): Promise<Made<S>> {
  if (sent) {
    const { preheader, ...document } = sent;
    const made = await templates.made(workspaceId, { mode: 'visual', document });
    const kept = { ...(made.source as TemplateDocument), ...(preheader ? { preheader } : {}) };
    const own = { document: kept, mjml: null, content: made.htmlContent, template: 'custom' as const };
    return { ...change, preheader: preheader ?? '', ...own };
  }
  if (mjml === undefined) return change.content === undefined ? change : { ...change, ...unmade };
  const { htmlContent } = await templates.made(workspaceId, { mode: 'mjml', mjml });
  return { ...change, document: null, mjml, content: htmlContent, template: 'custom' };
}

/**
 * Changes what is not sent yet. Writing the same values again leaves no trace. Throws `conflict`,
 * `changed_meanwhile`, and `campaign_scheduled` where only a draft is meant: what is scheduled
 * leaves as somebody wanted it. Throws `forbidden` where whoever calls might not have scheduled it.
 */
export async function changeCampaign(
  context: CampaignsContext,
  tx: TenantTx,
  { workspaceId, caller }: { workspaceId: number; caller: Caller },
  id: number,
  { updatedAt, onlyDraft = false, ...changes }: Change,
): Promise<Campaign> {
  const row = await needCampaign(tx, workspaceId, id, { lock: true });
  if (row.status === 'sent')
    throw new AppError('conflict', 'This campaign was sent. Duplicate it to write another one like it.');
  const given = withoutUndefined(changes);
  const changed = (Object.keys(given) as (keyof typeof given)[]).filter(
    (key) => !isStored(given[key], row[key]),
  );
  // Whoever never saw the answer to a save sends it again, with the time of what was there before.
  if (changed.length === 0) return showCampaign(tx, context.sending, workspaceId, id);
  if (onlyDraft && row.status === 'scheduled')
    throw campaignError('campaign_scheduled', 'This campaign was scheduled meanwhile. Nothing was saved.');
  if (row.status === 'scheduled') refuseWithoutSend(caller);
  refuseChanged(row, updatedAt);
  refuseUndecidable({ ...row, ...given });
  refuseTwoClocks({ ...row, ...given });
  if (given.audience)
    context.audience.stored.parse(await audienceTree(context, tx, workspaceId, given.audience));
  await updateWritten(tx, workspaceId, id, given as Partial<WrittenCampaign>);
  await note(tx, doerOf(workspaceId, caller), 'changed', id, {
    name: given.name ?? row.name,
    fields: changed,
  });
  return showCampaign(tx, context.sending, workspaceId, id);
}

/** Whether a value is what stands in the table, where objects are kept as JSON. */
const isStored = (value: unknown, stored: unknown): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(value)), stored);

/** Content that is made from nothing else. */
const unmade = { document: null, mjml: null };

const blank = {
  ...unmade,
  preheader: '',
  textContent: null,
  fromName: null,
  fromAddress: null,
  replyTo: null,
  trackOpens: true,
  trackClicks: true,
  utm: null,
  audience: { include: [], exclude: [] },
  spreadHours: null,
  abTest: null,
} satisfies Partial<WrittenCampaign>;

const missing = (field: string, message: string) =>
  new AppError('invalid_input', message, { fields: { [field]: message } });

type Given<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };
const withoutUndefined = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;

const mark = ' (copy)';
const nameOfCopy = (name: string): string =>
  `${[...name].slice(0, longestCampaignName - mark.length).join('')}${mark}`;
