import { listFields } from '#features/audience/server/index.ts';
import type { MailingContent } from '#features/sending/server/index.ts';
import { compileTemplate } from '#features/templates/rules/compile.ts';
import { knownFields } from '#features/templates/rules/known-fields.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { formatCount } from '#platform/shared/words.ts';
import type { CampaignCheck } from '../../contract.ts';
import { contentChecks } from '../../rules/content-checks.ts';
import { countWithBasis } from '../audience/count-audience.ts';
import type { CampaignsContext } from '../context.ts';
import { mailingOf, senderFaults } from '../mailing-of.ts';
import type { CampaignRow } from '../queries.ts';
import { needCampaign } from '../show-campaign.ts';
import { bounceCheck } from './bounce-check.ts';
import { testChecks } from './test-check.ts';

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
  const content = await mailingOf(tx, workspaceId, row, context.config);
  const { whom, counted } = await audienceChecks(context, tx, workspaceId, row);
  const bounces =
    counted.recipients === 0
      ? null
      : await bounceCheck(context, tx, workspaceId, { ...row, recipients: counted.recipients });
  const { items } = await listFields(tx, workspaceId);
  const { subject, preheader, html, text } = content;
  const source = { subject, preheader, html, text };
  const checks = [
    ...whom,
    ...(bounces ? [bounces.check] : []),
    senderCheck(content),
    ...(await domainChecks(context, tx, workspaceId, content)),
    addressCheck(content),
    {
      ...{ key: 'unsubscribe', title: 'Unsubscribe', result: 'pass', fix: null },
      words: 'One click in the header, and a link in the message.',
    } satisfies Check,
    ...contentChecks(source, compileTemplate(source, knownFields(items))),
    ...(await testChecks(tx, workspaceId, row, { ...context, recipients: counted.recipients })),
    serverCheck(context, (await context.ownMailHosts(tx, workspaceId)).length > 0),
  ];
  return {
    canSend: row.status !== 'sent' && checks.every(({ result }) => result !== 'block'),
    ...counted,
    leaveOut: bounces?.leaveOut ?? null,
    checks,
  };
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

function senderCheck(content: MailingContent): Check {
  const about = { key: 'sender', title: 'Sender' } as const;
  const { fromName, fromAddress } = content;
  const faults = senderFaults(content);
  if (faults.length > 0)
    return {
      ...{ ...about, result: 'block', words: faults.join(' ') },
      fix: 'Edit the campaign, or the sender in the settings.',
    };
  if (fromName.trim() !== '')
    return { ...about, result: 'pass', words: `${fromName} <${fromAddress}>`, fix: null };
  return {
    ...{ ...about, result: 'advice' },
    words: `${fromAddress}, without a name. People open what comes from somebody they know.`,
    fix: 'Give a sender name in the settings.',
  };
}

/** What DNS says about the domain of the sender, as it was last read. */
async function domainChecks(
  { senders }: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  { fromAddress }: MailingContent,
): Promise<Check[]> {
  const from = fromAddress.slice(fromAddress.lastIndexOf('@') + 1);
  const standing = await senders.standingOf(tx, workspaceId, from);
  if (!standing)
    return [
      {
        ...{ key: 'dkim', title: 'DKIM', result: 'advice' },
        words: `${from} is no sender domain of yours, so messages are not signed. Gmail and Yahoo refuse much of such mail.`,
        fix: 'Add it to the sender domains in the settings.',
      },
    ];
  const look = `Look at the records of ${standing.domain} among the sender domains.`;
  return domainTitles.flatMap(([name, title]): Check[] => {
    const found = standing.checks.find((one) => one.name === name);
    if (!found) return [];
    const isFine = found.result === 'pass';
    const signed = name === 'dkim' ? `Signed for ${standing.domain}. ` : '';
    return [
      {
        ...{ key: name, title, result: isFine ? 'pass' : 'advice' },
        ...{ words: signed + found.words, fix: isFine ? null : look },
      },
    ];
  });
}

const domainTitles = [
  ['dkim', 'DKIM'],
  ['spf', 'SPF'],
  ['dmarc', 'DMARC'],
  ['mx', 'Replies'],
  ['return_path', 'Return path'],
] as const;

function addressCheck({ mergeData }: MailingContent): Check {
  const about = { key: 'postal_address', title: 'Postal address' } as const;
  const { company_name, company_address } = mergeData;
  if (company_name && company_address)
    return { ...about, result: 'pass', words: `${company_name}, ${company_address}`, fix: null };
  return {
    ...{ ...about, result: 'advice' },
    words: `The settings have no ${company_name ? 'postal address' : company_address ? 'company name' : 'company name and no postal address'}. Marketing must say who sends it.`,
    fix: 'Fill in the sender in the settings.',
  };
}

function serverCheck({ config }: CampaignsContext, hasOwnServers: boolean): Check {
  const about = { key: 'mail_server', title: 'Mail server' } as const;
  if (hasOwnServers)
    return { ...about, result: 'pass', words: 'Messages go through your own SMTP servers.', fix: null };
  if (config.smtpUrl !== undefined)
    return { ...about, result: 'pass', words: 'Messages go to the mail server that is set up.', fix: null };
  return {
    ...{ ...about, result: 'advice' },
    words: 'No mail server is set up. Messages are kept here, and none leaves.',
    fix: 'Add an SMTP server in the settings, or ask whoever runs the product to set SMTP_URL.',
  };
}
