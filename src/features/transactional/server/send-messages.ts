import { createAddressParser, type ParsedAddress } from '#features/addresses/rules/parse.ts';
import { describeReason } from '#features/addresses/rules/reasons.ts';
import { idna } from '#features/addresses/server/index.ts';
import { asciiAddress } from '#features/messages/server/index.ts';
import type { Senders } from '#features/senders/server/index.ts';
import type { MailingContent, Sending } from '#features/sending/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import { compileTemplate } from '#features/templates/rules/compile.ts';
import { textFromHtml } from '#features/templates/rules/html/text.ts';
import { FillError } from '#features/templates/rules/liquid/run.ts';
import type { Templates } from '#features/templates/server/index.ts';
import type { Config } from '#platform/server/config.ts';
import { answersCall, type Database, type TenantTx } from '#platform/server/database.ts';
import type { BodyOf, ResponseOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { sendMessages as endpoint } from '../contract.ts';
import { fillSubjects } from './fill-subjects.ts';
import { insertMessages, selectRefusals } from './queries.ts';

type Body = BodyOf<typeof endpoint>;

export interface TransactionalContext {
  db: Database;
  sending: Sending;
  templates: Templates;
  senders: Senders;
  config: Pick<Config, 'mailFrom'>;
}

// A person typed the address somewhere else a moment ago, so what is merely unusual passes.
const parser = createAddressParser({ ...idna, strict: false, cacheSlots: 2 ** 12 });

/**
 * Takes messages into the ledger, with the answer that an idempotency key keeps. Call
 * `sending.wake` then. Throws `invalid_input` with the place of each bad address, for a sender
 * whose domain is another's, for content with a problem, and for a subject that cannot be filled
 * with the data. HTML or text that cannot be filled for a recipient is found when it is written.
 */
export async function sendMessages(
  { db, sending, templates, senders, config }: TransactionalContext,
  { workspaceId, createdBy }: { workspaceId: number; createdBy: string | null },
  body: Body,
): Promise<ResponseOf<typeof endpoint>> {
  const people = parsedRecipients(body.to);
  const content = await db.asTenant(
    workspaceId,
    async (tx) => {
      const found = await contentOf(templates, config, tx, workspaceId, body);
      await refuseSender(senders, tx, workspaceId, found);
      return found;
    },
    { isAside: true },
  );
  const given = people.map(({ address }, at) => {
    const { name, data } = body.to[at] as Body['to'][number] & { name?: string; data?: object };
    return { ...body.data, ...data, ...(name ? { name } : {}), email: address };
  });
  // Outside of a transaction, because a thousand of them may take seconds.
  const subjects = await subjectsOf(content, given);
  const write = async (tx: TenantTx) => {
    const refusals = await selectRefusals(tx, workspaceId, people);
    const recipients = people.map(({ local, domain }, at) => ({
      ...{ local, domain, skipped: refusals[at] ? ('suppressed' as const) : null },
      data: given[at] ?? {},
    }));
    const batch = await sending.createDirect(tx, workspaceId, { ...content, createdBy }, recipients);
    if (body.templateId !== undefined) await templates.used(tx, workspaceId, body.templateId);
    const messages = people.map(({ address }, at) => ({ address, subject: subjects[at] ?? '' }));
    const ids = await insertMessages(tx, workspaceId, batch, messages);
    return {
      batch,
      messages: ids.map((id, at) => ({
        ...{ id, to: people[at]?.address ?? '' },
        status: refusals[at] ? ('suppressed' as const) : ('queued' as const),
        reason: refusals[at] ?? null,
      })),
    };
  };
  return db.asTenant(workspaceId, write, answersCall);
}

/** The subject of each message, in their order. */
async function subjectsOf(content: MailingContent, given: readonly object[]): Promise<string[]> {
  const template = compileTemplate(content);
  const [problem] = template.problems;
  if (problem) throw unfillable(problem);
  try {
    return await fillSubjects(
      template,
      given.map((data) => ({ ...content.mergeData, ...data })),
    );
  } catch (error) {
    if (!(error instanceof FillError)) throw error;
    throw unfillable({ part: 'subject', line: 1, words: error.message });
  }
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
