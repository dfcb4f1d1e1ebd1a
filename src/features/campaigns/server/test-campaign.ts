import { limitAttempts } from '#features/sign-in/server/index.ts';
import { memberAddresses } from '#features/team/server/index.ts';
import { testsAnHour } from '#features/templates/contract/test-send.ts';
import { compileTemplate, fill } from '#features/templates/rules/compile.ts';
import { FillError } from '#features/templates/rules/liquid/run.ts';
import { mergeData, refuseContact, refuseStrangers } from '#features/templates/server/index.ts';
import type { Call } from '#platform/server/http.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { testCampaign as endpoint } from '../contract.ts';
import { type CampaignsContext, doerOf } from './context.ts';
import { mailingOf, refuseFaulty } from './mailing-of.ts';
import { needCampaign } from './show-campaign.ts';
import { note } from './write-campaign.ts';

const hour = 3_600_000;
const say = 'Say to whom.';

/**
 * Puts a campaign into the outbox for members of the workspace, as it would arrive, but with links
 * that are not counted and one for leaving that leads nowhere. Throws `invalid_input` for other
 * addresses, `conflict` for content that cannot be filled, and `rate_limited`.
 */
export async function testCampaign(
  context: CampaignsContext,
  { workspaceId, caller, params: { id }, body }: Call<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const { db, mail } = context;
  await db.asTenant(workspaceId, (tx) => needCampaign(tx, workspaceId, id));
  refuseContact(caller, body.contactId);
  const members = await memberAddresses(db.system, workspaceId);
  // A key has no address of its own.
  if (!body.to && caller.key) throw new AppError('invalid_input', say, { fields: { to: say } });
  const to = [...new Set(body.to ?? [caller.email.toLowerCase()])];
  refuseStrangers(to, members);
  const limit = { kind: 'campaign-test', who: String(workspaceId), most: testsAnHour, windowMs: hour };
  await limitAttempts(db.system, limit);
  await db.asTenant(workspaceId, async (tx) => {
    const row = await needCampaign(tx, workspaceId, id);
    const content = await mailingOf(tx, workspaceId, row, context.config);
    refuseFaulty(content);
    const { data } = await mergeData(tx, workspaceId, body.contactId);
    const { subject, html, text } = filledOrRefused(content, data);
    for (const address of to)
      await mail.send(tx, {
        ...{ to: address, kind: 'test', workspaceId },
        subject: `[Test] ${subject}`,
        message: { html, text },
      });
    await note(tx, doerOf(workspaceId, caller), 'test_sent', id, { name: row.name, to: to.join(', ') });
  });
  mail.hurry();
  return { sent: to.length, isKept: !mail.hasMailServer };
}

type Content = Awaited<ReturnType<typeof mailingOf>>;

function filledOrRefused({ subject, preheader, html, text }: Content, data: object) {
  try {
    const compiled = compileTemplate({ subject, preheader, html, text });
    return fill(compiled, data as Record<string, unknown>);
  } catch (error) {
    if (!(error instanceof FillError)) throw error;
    throw new AppError('conflict', `The content cannot be filled for this contact. ${error.message}`);
  }
}
