import { createAddressParser, type ParsedAddress } from '#features/addresses/rules/parse.ts';
import { idna } from '#features/addresses/server/index.ts';
import type { DirectRecipient, MailingContent } from '#features/sending/server/index.ts';
import { limitAttempts } from '#features/sign-in/server/index.ts';
import { entryOf } from '#features/suppressions/server/index.ts';
import { memberAddresses } from '#features/team/server/index.ts';
import { testsAnHour } from '#features/templates/contract/test-send.ts';
import { compileTemplate, fill } from '#features/templates/rules/compile.ts';
import { senderFields } from '#features/templates/rules/known-fields.ts';
import { FillError, type MergeData } from '#features/templates/rules/liquid/run.ts';
import { mergeData, refuseContact, refuseStrangers } from '#features/templates/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Call } from '#platform/server/http.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { testCampaign as endpoint } from '../contract.ts';
import { variantRow } from './ab-test/variants.ts';
import { type CampaignsContext, doerOf } from './context.ts';
import { mailingOf, refuseFaulty } from './mailing-of.ts';
import { needCampaign } from './show-campaign.ts';
import { note } from './write-campaign.ts';

const hour = 3_600_000;
const parser = createAddressParser({ ...idna, strict: false, cacheSlots: 2 ** 8 });

/**
 * Sends a campaign to members of the workspace as its recipients will get it: from its sender,
 * signed, through the same servers. Nothing in it is counted, and what is pressed in it changes
 * nothing. Throws `invalid_input` for other addresses, `conflict` for content that cannot be sent,
 * and `rate_limited`.
 */
export async function testCampaign(
  context: CampaignsContext,
  { workspaceId, caller, params: { id }, body }: Call<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const { db, sending } = context;
  await db.asTenant(workspaceId, (tx) => needCampaign(tx, workspaceId, id));
  refuseContact(caller, body.contactId);
  // A key has no address of its own.
  if (!body.to && caller.key) throw refusedTo('Say to whom.');
  const to = [...new Set(body.to ?? [caller.email.toLowerCase()])];
  await refuseOthers(context, workspaceId, to);
  const limit = { kind: 'campaign-test', who: String(workspaceId), most: testsAnHour, windowMs: hour };
  await limitAttempts(db.system, limit);
  const isKept = await db.asTenant(workspaceId, async (tx) => {
    const row = await needCampaign(tx, workspaceId, id);
    const content = await mailingOf(tx, workspaceId, variantRow(row, body.variant), context.config);
    await refuseFaulty(context, tx, workspaceId, content);
    const data = await dataFor(tx, workspaceId, body.contactId);
    refuseUnfillable(content, data);
    const recipients = await recipientsOf(tx, workspaceId, to, data);
    const createdBy = caller.email;
    await sending.createDirect(tx, workspaceId, { ...asTest(content), kind: 'test', createdBy }, recipients);
    await note(tx, doerOf(workspaceId, caller), 'test_sent', id, { name: row.name, to: to.join(', ') });
    return !(await context.leaves(tx, workspaceId));
  });
  sending.wake();
  return { sent: to.length, isKept };
}

const refusedTo = (message: string) => new AppError('invalid_input', message, { fields: { to: message } });

/**
 * Lets nobody but members through. Where the installation has a mail server, they have confirmed
 * that the address is theirs: whoever signs up with another's could have them mailed.
 */
async function refuseOthers(
  { db, config }: CampaignsContext,
  workspaceId: number,
  to: readonly string[],
): Promise<void> {
  refuseStrangers(to, await memberAddresses(db.system, workspaceId));
  if (config.smtpUrl === undefined) return;
  const found = await memberAddresses(db.system, workspaceId, { confirmed: true });
  const confirmed = new Set(found.map((address) => address.toLowerCase()));
  const others = to.filter((address) => !confirmed.has(address));
  if (others.length > 0)
    throw refusedTo(
      `${others.join(', ')} ${others.length === 1 ? 'is' : 'are'} not confirmed yet. Follow the link in the confirmation mail first.`,
    );
}

/** What fills it: a contact's values or samples. What the sender gives is as for everybody. */
async function dataFor(
  tx: TenantTx,
  workspaceId: number,
  contactId: number | undefined,
): Promise<Record<string, unknown>> {
  const { data } = await mergeData(tx, workspaceId, contactId);
  const own = new Set<string>(senderFields);
  return Object.fromEntries(Object.entries(data).filter(([name]) => !own.has(name)));
}

async function recipientsOf(
  tx: TenantTx,
  workspaceId: number,
  to: readonly string[],
  data: Record<string, unknown>,
): Promise<DirectRecipient[]> {
  const recipients: DirectRecipient[] = [];
  for (const address of to) {
    const key = keyOf(address);
    const reason = (await entryOf(tx, workspaceId, key))?.reason;
    if (reason === 'bounced' || reason === 'complained' || reason === 'erased')
      throw refusedTo(`${address} is on the suppression list (${reason}), so nothing is sent there.`);
    recipients.push({ ...key, data: { ...data, email: address }, skipped: null });
  }
  return recipients;
}

/** Members have addresses that contacts could not have, such as that of a server of one's own. */
function keyOf(address: string): Pick<ParsedAddress, 'local' | 'domain'> {
  const parsed = parser.parse(address);
  if (parsed.ok) return parsed;
  const at = address.lastIndexOf('@');
  return { local: address.slice(0, at), domain: address.slice(at + 1) };
}

const asTest = (content: MailingContent): MailingContent => ({
  ...content,
  subject: `[Test] ${content.subject}`,
  tracksOpens: false,
  tracksClicks: false,
});

function refuseUnfillable(
  { subject, preheader, html, text, mergeData: common }: MailingContent,
  data: MergeData,
): void {
  try {
    fill(compileTemplate({ subject, preheader, html, text }), { ...common, ...data });
  } catch (error) {
    if (!(error instanceof FillError)) throw error;
    throw new AppError('conflict', `The content cannot be filled for this contact. ${error.message}`);
  }
}
