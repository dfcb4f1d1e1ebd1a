import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { formatCount, formatNumber } from '#platform/shared/words.ts';
import type { CampaignCheck } from '../../contract.ts';
import { testOf } from '../ab-test/variants.ts';
import type { CampaignsContext } from '../context.ts';
import type { CampaignRow } from '../queries.ts';

/** With fewer than this for each variant, only a large difference tells more than chance. */
const enough = 500;

/** Whether the A/B test of a campaign can be sent, and whether it can tell anything. */
export async function testChecks(
  context: Pick<CampaignsContext, 'senders' | 'config'>,
  tx: TenantTx,
  workspaceId: number,
  { recipients, ...row }: CampaignRow & { recipients: number },
): Promise<CampaignCheck['checks']> {
  const about = { key: 'ab_test', title: 'A/B test' } as const;
  try {
    const test = await testOf(context, tx, workspaceId, row);
    if (!test) return [];
    const tested = Math.ceil((recipients * test.share) / 100);
    const each = Math.floor(tested / test.variants.length);
    const words = `${formatCount(each, 'person gets', 'people get')} each of ${test.variants.length} variants, ${formatNumber(recipients - tested)} the best one.`;
    if (each >= enough) return [{ ...about, result: 'pass', words, fix: null }];
    const fix = 'Take more of the recipients into the test, or fewer variants.';
    return [
      {
        ...about,
        result: 'advice',
        fix,
        words: `${words} With so few, only a large difference tells more than chance.`,
      },
    ];
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'internal') throw error;
    return [{ ...about, result: 'block', words: error.message, fix: 'Edit the variant.' }];
  }
}
