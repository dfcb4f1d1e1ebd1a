import type { NewMailing } from '#features/sending/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type TestStanding, variantName } from '../../contract/ab-test.ts';
import type { Campaign } from '../../contract.ts';
import type { CampaignsContext, Doer } from '../context.ts';
import { mailingOf, refuseFaulty } from '../mailing-of.ts';
import type { CampaignRow } from '../queries.ts';
import { needCampaign, showCampaign } from '../show-campaign.ts';
import { note } from '../write-campaign.ts';

type NewTest = NonNullable<NewMailing['test']>;

/** A campaign as one variant of its test has it. Throws `invalid_input` where there is none. */
export function variantRow(row: CampaignRow, number = 1): CampaignRow {
  if (number === 1) return row;
  const variant = row.abTest?.variants[number - 2];
  if (!variant) {
    const message = `The campaign has no variant ${variantName(number)}.`;
    throw new AppError('invalid_input', message, { fields: { variant: message } });
  }
  const { content, delayHours: _later, ...lines } = variant;
  return { ...row, ...lines, ...(content === undefined ? {} : { content, textContent: null }) };
}

/** A campaign as each variant of its test has it. Without a test, that is one. */
export const variantRows = (row: CampaignRow): CampaignRow[] =>
  [row, ...(row.abTest?.variants ?? [])].map((_, place) => variantRow(row, place + 1));

/**
 * The test of a campaign, as its mailing takes it. Throws `conflict` with the fault of a variant
 * that cannot be sent to anybody.
 */
export async function testOf(
  context: Pick<CampaignsContext, 'senders' | 'config'>,
  tx: TenantTx,
  workspaceId: number,
  row: CampaignRow,
): Promise<NewTest | null> {
  const { abTest } = row;
  if (!abTest) return null;
  const { share, decideBy, hours } = abTest;
  const variants: NewTest['variants'][number][] = [];
  const given: typeof abTest.variants = [{ delayHours: 0 }, ...abTest.variants];
  for (const [place, { content, delayHours = 0 }] of given.entries()) {
    const made = await mailingOf(tx, workspaceId, variantRow(row, place + 1), context.config);
    const name = variantName(variants.length + 1);
    await refuseFaulty(context, tx, workspaceId, made, `Variant ${name}: `);
    const { subject, preheader, fromName, fromAddress, html, text } = made;
    const isOwn = content !== undefined;
    variants.push({
      ...{ subject, preheader, fromName, fromAddress, delayHours },
      ...{ html: isOwn ? html : null, text: isOwn ? text : null },
    });
  }
  return { share, decideBy, hours, variants };
}

/** How the test of a campaign that was sent stands. Null: it has none. */
export async function showTest(
  { sending }: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<TestStanding | null> {
  const { mailingId } = await needCampaign(tx, workspaceId, id);
  const test = mailingId === null ? null : await sending.test(tx, workspaceId, mailingId);
  if (!test) return null;
  const { share, decideBy, dueAt, winner, decidedAt, decidedBy, variants } = test;
  return {
    ...{ share, decideBy, winner, decidedBy },
    dueAt: decideBy === 'hand' ? null : (dueAt?.toISOString() ?? null),
    decidedAt: decidedAt?.toISOString() ?? null,
    variants: variants.map(({ underWay: _underWay, preheader: _preheader, ...variant }) => ({
      ...variant,
      name: variantName(variant.number),
    })),
  };
}

/**
 * Gives a variant to the rest. Call `sending.wake` once the transaction has committed. Throws
 * `conflict` when it was decided before, and `not_found`.
 */
export async function chooseWinner(
  { sending }: CampaignsContext,
  tx: TenantTx,
  doer: Doer,
  id: number,
  winner: number,
): Promise<Campaign> {
  const { workspaceId, actor } = doer;
  const { mailingId, name } = await needCampaign(tx, workspaceId, id, { lock: true });
  if (mailingId === null) throw new AppError('conflict', 'This campaign was not sent yet.');
  await sending.chooseWinner(tx, workspaceId, mailingId, { winner, by: actor });
  await note(tx, doer, 'winner_chosen', id, { name, variant: variantName(winner) });
  return showCampaign(tx, sending, workspaceId, id);
}
