import type { MailingContent } from '#features/sending/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { CampaignCheck } from '../../contract.ts';
import type { CampaignsContext } from '../context.ts';
import { identityFault, senderFaults } from '../mailing-of.ts';

type Check = CampaignCheck['checks'][number];

/** Who sends it: the addresses, what DNS says of their domain, and who that is. */
export async function senderChecks(
  context: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  content: MailingContent,
  leaves: boolean,
): Promise<Check[]> {
  return [
    senderCheck(content, await senderFaults(context, tx, workspaceId, content)),
    ...(await domainChecks(context, tx, workspaceId, content)),
    identityCheck(content, leaves),
  ];
}

function senderCheck(content: MailingContent, faults: readonly string[]): Check {
  const about = { key: 'sender', title: 'Sender' } as const;
  const { fromName, fromAddress } = content;
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
        fix: from.includes('.')
          ? 'Add it to the sender domains in the settings.'
          : 'Give a From address at a domain of yours in the settings.',
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

/** The law asks marketing to say who sends it. What stays here may wait for that. */
function identityCheck(content: MailingContent, leaves: boolean): Check {
  const about = { key: 'postal_address', title: 'Postal address' } as const;
  const { company_name, company_address } = content.mergeData;
  const fault = identityFault(content);
  if (fault === null)
    return { ...about, result: 'pass', words: `${company_name}, ${company_address}`, fix: null };
  return {
    ...{ ...about, result: leaves ? 'block' : 'advice', words: fault },
    fix: 'Fill in the sender in the settings.',
  };
}

/** What takes the messages. */
export function serverCheck({ config }: CampaignsContext, hasOwnServers: boolean): Check {
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
