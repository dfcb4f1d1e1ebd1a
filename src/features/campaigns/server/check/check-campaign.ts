import { compileTemplate, type MergeField, type TemplateLink } from '#features/templates/rules/compile.ts';
import { knownFieldsOf } from '#features/templates/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { formatCount } from '#platform/shared/words.ts';
import type { CampaignCheck } from '../../contract.ts';
import { contentChecks } from '../../rules/content-checks.ts';
import { mergedChecks } from '../../rules/merged-checks.ts';
import { variantRows } from '../ab-test/variants.ts';
import { countWithBasis } from '../audience/count-audience.ts';
import type { CampaignsContext } from '../context.ts';
import { mailingOf } from '../mailing-of.ts';
import type { CampaignRow } from '../queries.ts';
import { needCampaign } from '../show-campaign.ts';
import { bounceCheck } from './bounce-check.ts';
import { emptyFieldsChecks } from './empty-fields.ts';
import { leftOutBecause } from './left-out-because.ts';
import { recentCampaigns } from './recent-campaigns.ts';
import { senderChecks, serverCheck } from './sender-checks.ts';
import { testChecks } from './test-check.ts';
import { whenAndHowFast } from './when.ts';

type Check = CampaignCheck['checks'][number];
type Counted = Pick<CampaignCheck, 'recipients' | 'leftOut'>;

/** What stands in the way of a campaign, and what to look at again. It is the same for drafts. */
export async function checkCampaign(
  context: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<CampaignCheck> {
  const row = await needCampaign(tx, workspaceId, id);
  const leaves = await context.leaves(tx, workspaceId);
  const { whom, counted } = await audienceChecks(context, tx, workspaceId, row);
  const { recipients } = counted;
  const recent = await recentCampaigns(context, tx, workspaceId);
  const bounces =
    recipients === 0 ? null : await bounceCheck(context, tx, workspaceId, { ...row, recipients }, recent);
  const { senders, contents, fields, links, fromAddress } = await variantChecks(
    context,
    tx,
    workspaceId,
    row,
    leaves,
  );
  const fills = await emptyFieldsChecks(context, tx, workspaceId, { ...row, recipients, fields, links });
  // The worst comes first.
  const checks = [
    ...fills.filter(({ key }) => key === 'empty_links'),
    ...whom,
    ...(bounces ? [bounces.check] : []),
    ...senders,
    ...contents,
    ...fills.filter(({ key }) => key !== 'empty_links'),
    ...(await testChecks(context, tx, workspaceId, { ...row, recipients })),
    serverCheck(context, (await context.ownMailHosts(tx, workspaceId)).length > 0),
  ];
  return {
    canSend: row.status !== 'sent' && checks.every(({ result }) => result !== 'block'),
    ...counted,
    leftOutBecause: await leftOutBecause(context, tx, workspaceId, {
      ...{ chosen: row.audience, suppressed: counted.leftOut.suppressed ?? 0 },
    }),
    predictedBounces: bounces?.predicted ?? null,
    leaveOut: bounces?.leaveOut ?? null,
    when: await whenAndHowFast(context, tx, workspaceId, { row, recipients, fromAddress, recent }),
    checks,
  };
}

/** What is to be said of who sends it and of what it says, in each variant of its test. */
async function variantChecks(
  context: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  row: CampaignRow,
  leaves: boolean,
) {
  const known = await knownFieldsOf(tx, workspaceId);
  const senders: Check[][] = [];
  const contents: Check[][] = [];
  const fields: MergeField[] = [];
  const links: TemplateLink[] = [];
  const { fromAddress } = await mailingOf(tx, workspaceId, row, context.config);
  for (const own of variantRows(row)) {
    const content = await mailingOf(tx, workspaceId, own, context.config);
    const { subject, preheader, html, text } = content;
    const source = { subject, preheader, html, text };
    const compiled = compileTemplate(source, known);
    const hasOwnText = Boolean(own.textContent?.trim());
    senders.push(await senderChecks(context, tx, workspaceId, content, leaves));
    contents.push(contentChecks(source, compiled, { hasOwnText, leaves }));
    fields.push(...compiled.fields);
    links.push(...compiled.links);
  }
  return { senders: mergedChecks(senders), contents: mergedChecks(contents), fields, links, fromAddress };
}

/**
 * Whom it goes to, and on what basis. An audience that cannot be read any more, as a list was
 * deleted, blocks.
 */
async function audienceChecks(
  context: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  { audience }: CampaignRow,
): Promise<{ whom: Check[]; counted: Counted }> {
  const about = { key: 'audience', title: 'Recipients' } as const;
  const fix = 'Edit the campaign and choose another audience.';
  try {
    const { counted, unknown } = await countWithBasis(context, tx, workspaceId, audience);
    const nobody = { ...about, result: 'block', words: 'Nobody would get it.', fix } as const;
    const some = { ...about, result: 'pass', words: 'Each person gets it once.', fix: null } as const;
    return { counted, whom: [counted.recipients === 0 ? nobody : some, basisCheck(counted, unknown)] };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'internal') throw error;
    return {
      counted: { recipients: 0, leftOut: {} },
      whom: [{ ...about, result: 'block', words: error.message, fix }],
    };
  }
}

/** On what basis the recipients get marketing, and how many get none for want of one. */
function basisCheck({ leftOut: { no_basis: noBasis = 0 } }: Counted, unknown: number): Check {
  const about = { key: 'marketing_basis', title: 'Marketing basis' } as const;
  const out =
    noBasis === 0 ? '' : ` ${formatCount(noBasis, 'contact is', 'contacts are')} left out by theirs.`;
  if (unknown === 0)
    return {
      ...{ ...about, result: 'pass', fix: null },
      words: `Everybody who gets it has a basis that you mail.${out}`,
    };
  return {
    ...{ ...about, result: 'advice' },
    words: `Of ${formatCount(unknown, 'recipient')} nobody has said on what basis they may get marketing.${out} PECR asks for consent or the soft opt-in before individuals are mailed.`,
    fix: 'Set the marketing basis of those contacts, or leave the unknown out in the settings.',
  };
}
