import { createAddressParser, type ParsedAddress } from '#features/addresses/rules/parse.ts';
import { describeReason } from '#features/addresses/rules/reasons.ts';
import { idna } from '#features/addresses/server/index.ts';
import { asciiAddress } from '#features/messages/server/index.ts';
import type { Senders } from '#features/senders/server/index.ts';
import type { MailingContent, Sending } from '#features/sending/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import { compileTemplate, fill } from '#features/templates/rules/compile.ts';
import { textFromHtml } from '#features/templates/rules/html/text.ts';
import type { Templates } from '#features/templates/server/index.ts';
import type { Config } from '#platform/server/config.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { BodyOf, ResponseOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { sendMessages as endpoint } from '../contract.ts';
import { insertMessages, selectRefusals } from './queries.ts';

type Body = BodyOf<typeof endpoint>;

export interface TransactionalContext {
  sending: Sending;
  templates: Templates;
  senders: Senders;
  config: Pick<Config, 'mailFrom'>;
}

// A person typed the address somewhere else a moment ago, so what is merely unusual passes.
const parser = createAddressParser({ ...idna, strict: false, cacheSlots: 2 ** 12 });

/**
 * Takes messages into the ledger. Call `sending.wake` once the transaction has committed. Throws
 * `invalid_input` with the place of each bad address, for a sender whose domain is another's, and
 * for content that cannot be filled.
 */
export async function sendMessages(
  { sending, templates, senders, config }: TransactionalContext,
  tx: TenantTx,
  { workspaceId, createdBy }: { workspaceId: number; createdBy: string | null },
  body: Body,
): Promise<ResponseOf<typeof endpoint>> {
  const people = parsedRecipients(body.to);
  const content = await contentOf(templates, config, tx, workspaceId, body);
  await refuseSender(senders, tx, workspaceId, content);
  const template = compileTemplate(content);
  const [problem] = template.problems;
  if (problem) throw unfillable(problem);
  const refusals = await selectRefusals(tx, workspaceId, people);
  const recipients = people.map(({ local, domain, address }, at) => {
    const { name, data } = body.to[at] as Body['to'][number] & { name?: string; data?: object };
    return {
      ...{ local, domain, skipped: refusals[at] ? ('suppressed' as const) : null },
      data: { ...body.data, ...data, ...(name ? { name } : {}), email: address },
    };
  });
  const batch = await sending.createDirect(tx, workspaceId, { ...content, createdBy }, recipients);
  if (body.templateId !== undefined) await templates.used(tx, workspaceId, body.templateId);
  const ids = await insertMessages(
    tx,
    workspaceId,
    batch,
    recipients.map(({ data }) => ({
      address: data.email,
      subject: fill(template, { ...content.mergeData, ...data }).subject,
    })),
  );
  return {
    batch,
    messages: ids.map((id, at) => ({
      ...{ id, to: people[at]?.address ?? '' },
      status: refusals[at] ? 'suppressed' : 'queued',
      reason: refusals[at] ?? null,
    })),
  };
}

function parsedRecipients(to: Body['to']): ParsedAddress[] {
  const fields: Record<string, string> = {};
  const people = to.map(({ email }, at) => {
    const parsed = parser.parse(email);
    if (!parsed.ok) fields[`to.${at}`] = describeReason(parsed.reason, parsed.detail);
    return parsed;
  });
  const bad = Object.keys(fields).length;
  if (bad === 0) return people as ParsedAddress[];
  const which = bad === 1 ? 'An address is' : `${bad} addresses are`;
  throw new AppError('invalid_input', `${which} not valid. Nothing was sent.`, { fields });
}

async function contentOf(
  templates: Templates,
  { mailFrom }: Pick<Config, 'mailFrom'>,
  tx: TenantTx,
  workspaceId: number,
  body: Body,
): Promise<MailingContent> {
  const { sender } = await readSettings(tx, workspaceId);
  const given =
    body.templateId === undefined
      ? { html: body.html ?? htmlOf(body.text ?? ''), text: body.text }
      : await templates
          .content(tx, workspaceId, body.templateId)
          .then(({ htmlContent, textContent }) => ({ html: htmlContent, text: body.text ?? textContent }));
  return {
    name: body.subject.slice(0, 200),
    fromName: body.fromName || sender.fromName || sender.company,
    fromAddress: body.fromAddress || sender.fromAddress || mailFrom,
    replyTo: body.replyTo || sender.replyTo || null,
    ...{ subject: body.subject, preheader: '', html: given.html },
    text: given.text?.trim() ? given.text : textFromHtml(given.html),
    mergeData: {
      ...(sender.company ? { company_name: sender.company } : {}),
      ...(sender.postalAddress ? { company_address: sender.postalAddress } : {}),
    },
    ...{ tracksOpens: body.trackOpens, tracksClicks: body.trackClicks },
  };
}

/** What the settings hold may be older than their check. */
async function refuseSender(
  senders: Senders,
  tx: TenantTx,
  workspaceId: number,
  { fromAddress, replyTo }: MailingContent,
): Promise<void> {
  for (const [field, address] of Object.entries({ fromAddress, replyTo })) {
    if (address === null || asciiAddress(address) !== null) continue;
    const message = `“${address}” is no address that mail can ${field === 'replyTo' ? 'go back to' : 'come from'}.`;
    throw new AppError('invalid_input', message, { fields: { [field]: message } });
  }
  const refusal = await senders.refusalOf(tx, workspaceId, fromAddress);
  if (refusal !== null) throw new AppError('invalid_input', refusal, { fields: { fromAddress: refusal } });
}

/** Plain words as HTML, for readers that show only that. Merge fields stay what they are. */
function htmlOf(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<div style="white-space:pre-wrap;font-family:sans-serif">${escaped}</div>`;
}

const unfillable = ({ part, line, words }: { part: string; line: number; words: string }) => {
  const where = part === 'html' || part === 'text' ? `Line ${line} of the ${part}` : `The ${part}`;
  return new AppError('invalid_input', `The message cannot be filled. ${where}: ${words}`, {
    fields: { [part]: words },
  });
};
