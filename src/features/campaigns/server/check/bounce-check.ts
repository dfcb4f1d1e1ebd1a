import { verdicts } from '#features/addresses/rules/verdict.ts';
import { selectBounceFigures } from '#features/bounces/server/index.ts';
import type { MailingStanding } from '#features/sending/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { formatCount, formatDecimal, formatNumber } from '#platform/shared/words.ts';
import type { CampaignAudience, CampaignCheck } from '../../contract.ts';
import { and } from '../../rules/audience.ts';
import { type ByVerdict, mostBounces, predictBounces } from '../../rules/predicted-bounces.ts';
import { audienceTree } from '../audience/audience-tree.ts';
import type { CampaignsContext } from '../context.ts';

/** Fewer messages say nothing about a workspace. */
const fewestSent = 1_000;

interface BounceCheck {
  check: CampaignCheck['checks'][number];
  predicted: NonNullable<CampaignCheck['predictedBounces']>;
  leaveOut: CampaignCheck['leaveOut'];
}

/** How many messages will come back, by the verdicts of the recipients and earlier campaigns. */
export async function bounceCheck(
  context: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  { audience, recipients }: { audience: CampaignAudience; recipients: number },
  recent: readonly MailingStanding[],
): Promise<BounceCheck> {
  const people = await countByVerdict(context, tx, workspaceId, audience, recipients);
  const { leaveOut, ...told } = predictBounces(people, await ownShare(context, tx, workspaceId, recent));
  const predicted = { ...told, limit: mostBounces };
  const { bounces, share } = predicted;
  const about = { key: 'bounces', title: 'Predicted bounces' } as const;
  const words = `About ${formatNumber(bounces)} of ${formatNumber(predicted.recipients)} will come back (${percent(share)}).`;
  if (share < mostBounces)
    return { check: { ...about, result: 'pass', words, fix: null }, predicted, leaveOut: null };
  const verified = people.unverified > predicted.recipients / 5;
  return {
    check: {
      ...{ ...about, result: 'advice' },
      words: `${words} From ${percent(mostBounces)} on, receivers think less of a sender.`,
      fix: leaveOut
        ? `Leave out ${formatCount(leaveOut.contacts, 'contact')} with the verdict ${leaveOut.verdicts.join(' or ')}.`
        : verified
          ? `Verify your contacts: ${formatNumber(people.unverified)} of them never were.`
          : 'Remove contacts with bad verdicts.',
    },
    predicted,
    leaveOut,
  };
}

async function countByVerdict(
  { audience }: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  chosen: CampaignAudience,
  recipients: number,
): Promise<ByVerdict> {
  const tree = and(await audienceTree({ audience }, tx, workspaceId, chosen), {
    condition: 'status',
    value: 'active',
  });
  const counted: Record<string, number> = {};
  let rest = recipients;
  // The worst first: some of them may be left out for another reason, and are not counted twice.
  for (const verdict of [...verdicts].reverse()) {
    const found = await audience.count(tx, workspaceId, and(tree, { condition: 'verdict', value: verdict }));
    counted[verdict] = Math.min(found, rest);
    rest -= counted[verdict];
  }
  return { ...(counted as Omit<ByVerdict, 'unverified'>), unverified: rest };
}

/**
 * What part of the messages of recent campaigns came back. Null where there were too few. Nothing
 * comes back of what went into the outbox, so that says nothing.
 */
async function ownShare(
  { sending }: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  recent: readonly MailingStanding[],
): Promise<number | null> {
  const all = recent.map(({ id }) => id);
  const neverLeft = await sending.neverLeft(tx, workspaceId, all);
  const ids = all.filter((id) => !neverLeft.has(id));
  const sent = recent
    .filter(({ id }) => !neverLeft.has(id))
    .reduce((sum, one) => sum + one.sent + one.failed, 0);
  if (sent < fewestSent) return null;
  const figures = await selectBounceFigures(tx, workspaceId, ids);
  return figures.reduce((sum, one) => sum + one.hard + one.soft, 0) / sent;
}

const percent = (share: number): string => `${formatDecimal(Math.round(share * 1_000) / 10)}%`;
