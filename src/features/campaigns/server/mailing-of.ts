import { asciiAddress } from '#features/messages/server/index.ts';
import type { MailingContent } from '#features/sending/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import { compileTemplate } from '#features/templates/rules/compile.ts';
import { textFromHtml } from '#features/templates/rules/html/text.ts';
import type { Config } from '#platform/server/config.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { wholeEmail } from '../rules/layout.ts';
import { withUtm } from '../rules/utm.ts';
import type { CampaignsContext } from './context.ts';
import type { CampaignRow } from './queries.ts';

/** What the messages of a campaign have in common, as it stands now. */
export async function mailingOf(
  tx: TenantTx,
  workspaceId: number,
  row: CampaignRow,
  { mailFrom }: Pick<Config, 'mailFrom'>,
): Promise<MailingContent> {
  const { sender } = await readSettings(tx, workspaceId);
  const html = wholeEmail(row.content, row.template);
  const text = row.textContent?.trim() ? row.textContent : textFromHtml(html);
  return {
    name: row.name,
    fromName: row.fromName || sender.fromName || sender.company,
    fromAddress: row.fromAddress || sender.fromAddress || mailFrom,
    replyTo: row.replyTo || sender.replyTo || null,
    subject: row.subject,
    preheader: row.preheader,
    html: row.utm ? withUtm(html, 'html', row.utm) : html,
    text: row.utm ? withUtm(text, 'text', row.utm) : text,
    mergeData: {
      ...(sender.company ? { company_name: sender.company } : {}),
      ...(sender.postalAddress ? { company_address: sender.postalAddress } : {}),
    },
    tracksOpens: row.trackOpens,
    tracksClicks: row.trackClicks,
  };
}

/** Why no mail can come from the sender or go back to them, in a sentence each. */
export async function senderFaults(
  { senders }: Pick<CampaignsContext, 'senders'>,
  tx: TenantTx,
  workspaceId: number,
  { fromAddress, replyTo }: MailingContent,
): Promise<string[]> {
  const isAddress = (address: string) => asciiAddress(address) !== null;
  const refusal = isAddress(fromAddress)
    ? await senders.refusalOf(tx, workspaceId, fromAddress)
    : `Mail cannot come from “${fromAddress}”: it is no address.`;
  return [
    ...(refusal === null ? [] : [refusal]),
    ...(replyTo === null || isAddress(replyTo)
      ? []
      : [`Answers cannot go to “${replyTo}”: it is no address.`]),
  ];
}

/** What is missing of who sends it, in a sentence. Null: nothing. */
export function identityFault({ mergeData }: MailingContent): string | null {
  const { company_name: name, company_address: address } = mergeData;
  if (name && address) return null;
  const missing = name ? 'postal address' : address ? 'company name' : 'company name and no postal address';
  return `The settings have no ${missing}. Marketing must say who sends it.`;
}

/** Throws `conflict` with the first fault of content that cannot be sent to anybody. */
export async function refuseFaulty(
  context: Pick<CampaignsContext, 'senders'>,
  tx: TenantTx,
  workspaceId: number,
  content: MailingContent,
  which = '',
): Promise<void> {
  const [wrong] = await senderFaults(context, tx, workspaceId, content);
  if (wrong !== undefined) throw new AppError('conflict', `It cannot be sent yet. ${which}${wrong}`);
  const { subject, preheader, html, text } = content;
  const [fault] = compileTemplate({ subject, preheader, html, text }).problems;
  if (!fault) return;
  const where =
    fault.part === 'html' || fault.part === 'text' ? `Line ${fault.line}` : 'Subject or preheader';
  throw new AppError('conflict', `The content cannot be filled yet. ${which}${where}: ${fault.words}`);
}
