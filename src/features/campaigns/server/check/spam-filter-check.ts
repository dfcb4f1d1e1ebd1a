import { createPrivateKey, randomUUID } from 'node:crypto';
import { composer, signer } from '#features/messages/server/index.ts';
import type { MailingContent } from '#features/sending/server/index.ts';
import { compileTemplate, fill } from '#features/templates/rules/compile.ts';
import { FillError } from '#features/templates/rules/liquid/run.ts';
import { mergeData } from '#features/templates/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { formatDecimal } from '#platform/shared/words.ts';
import type { CampaignCheck } from '../../contract.ts';
import type { CampaignsContext } from '../context.ts';
import { askSpamd, type SpamReport } from './spamd.ts';

type Check = CampaignCheck['checks'][number];

/** Rules that are named: those that count most. */
const mostNamed = 5;
/** Installations of SpamAssassin look at no larger message. */
const largest = 500 * 1024;

/**
 * A message of the campaign as a filter gets it, filled with samples and signed. Null where nobody
 * asks a filter, and for content that cannot be filled: another check says why.
 */
export async function sampleMessage(
  { senders, config }: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  content: MailingContent,
): Promise<Buffer | null> {
  if (config.spamdUrl === undefined) return null;
  const { data } = await mergeData(tx, workspaceId, undefined);
  const { fromName, fromAddress, replyTo } = content;
  const domain = fromAddress.slice(fromAddress.lastIndexOf('@') + 1);
  const key = await senders.keyFor(tx, workspaceId, domain);
  try {
    const part = fill(compileTemplate(content), { ...data, ...content.mergeData });
    const compose = composer({
      from: { name: fromName, address: fromAddress },
      replyTo: replyTo === null ? null : { name: '', address: replyTo },
      ...{ feedbackId: null, headers: [['Precedence', 'bulk']] },
    });
    const date = new Date();
    const { raw } = compose(part, {
      to: { name: '', address: String(data.email ?? fromAddress) },
      ...{ messageId: `${randomUUID()}@${domain}`, date },
      unsubscribeUrl: `${config.publicUrl}/u/sample`,
    });
    if (raw.length > largest) return null;
    return key ? signer({ ...key, privateKey: createPrivateKey(key.privateKey) })(raw, date) : raw;
  } catch (error) {
    if (error instanceof FillError || error instanceof RangeError) return null;
    throw error;
  }
}

/** What SpamAssassin says of the message. Null where none is set up, or it does not answer. */
export async function spamFilterCheck(
  { config, log }: CampaignsContext,
  message: Buffer | null,
): Promise<Check | null> {
  if (message === null || config.spamdUrl === undefined) return null;
  try {
    return inWords(await askSpamd(config.spamdUrl, message));
  } catch (error) {
    log.warn({ err: error }, 'spamd could not be asked about a campaign');
    return null;
  }
}

function inWords({ points, threshold, rules }: SpamReport): Check {
  const against = rules.filter((rule) => rule.points > 0).sort((a, b) => b.points - a.points);
  const named = against
    .slice(0, mostNamed)
    .map((rule) => `${rule.name} (${formatDecimal(rule.points)}): ${rule.words.replace(/\.$/, '')}.`);
  const isSpam = points >= threshold;
  const isClose = points >= threshold / 2;
  const total = `It gives the message ${formatDecimal(points)} points. From ${formatDecimal(threshold)} on, it takes mail for spam.`;
  const about = { key: 'spam_filter', title: 'SpamAssassin', words: [total, ...named].join(' ') } as const;
  if (!isClose) return { ...about, result: 'pass', fix: null };
  return {
    ...{ ...about, result: 'advice' },
    fix: `${isSpam ? 'Many filters would' : 'A stricter filter could'} put it with the spam: change what these rules name.`,
  };
}
