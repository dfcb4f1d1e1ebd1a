import { unescaped } from '#features/templates/rules/addresses.ts';
import { compileTemplate } from '#features/templates/rules/compile.ts';
import { callPublic, NoAnswer } from '#platform/server/public-request.ts';
import { formatCount } from '#platform/shared/words.ts';
import type { CampaignCheck } from '../../contract.ts';
import type { CampaignsContext } from '../context.ts';
import { mailingOf } from '../mailing-of.ts';
import { needCampaign } from '../show-campaign.ts';
import { faultOf } from './link-fault.ts';
import { reverseDnsCheck } from './reverse-dns-check.ts';
import { sampleMessage, spamFilterCheck } from './spam-filter-check.ts';

type Check = CampaignCheck['checks'][number];

/** Pages that are tried. A message with more links is a catalogue, and its shop answers or not. */
const mostTried = 40;
const atOnce = 6;

/**
 * Tries the links of a campaign, whether readers can reach this installation, and what others say
 * of its mail servers and its message. No transaction is open while servers think.
 */
export async function checkLinks(
  context: CampaignsContext,
  workspaceId: number,
  id: number,
): Promise<{ checks: Check[] }> {
  const { db, config, senders, dns } = context;
  const { content, own, ownHosts, message } = await db.asTenant(workspaceId, async (tx) => {
    const content = await mailingOf(tx, workspaceId, await needCampaign(tx, workspaceId, id), config);
    const from = content.fromAddress.slice(content.fromAddress.lastIndexOf('@') + 1);
    return {
      content,
      own: await senders.linkSiteFor(tx, workspaceId, from),
      ownHosts: await context.ownMailHosts(tx, workspaceId),
      message: await sampleMessage(context, tx, workspaceId, content),
    };
  });
  const { subject, preheader, html, text } = content;
  const pages = pagesOf(
    compileTemplate({ subject, preheader, html, text }).links.map(({ part, url }) =>
      part === 'html' ? unescaped(url) : url,
    ),
  );
  const tried = pages.slice(0, mostTried);
  const hosts = ownHosts.length > 0 ? ownHosts : config.smtpUrl ? [new URL(config.smtpUrl).hostname] : [];
  const [faults, reach, reverse, filter] = await Promise.all([
    triedAll(tried),
    reachCheck(own ?? config.publicUrl),
    reverseDnsCheck(dns, hosts),
    spamFilterCheck(context, message),
  ]);
  const checks = [linkCheck(tried.length, pages.length, faults), reach, reverse, filter];
  return { checks: checks.filter((check) => check !== null) };
}

/** The pages that are the same for every reader, each once. */
function pagesOf(urls: readonly string[]): string[] {
  const plain = urls.filter((url) => /^https?:\/\//iu.test(url) && !/\{[{%]/u.test(url));
  return [...new Set(plain.map((url) => url.replace(/#.*$/su, '')))];
}

/** What is wrong with those that do not answer, in their order. */
async function triedAll(urls: readonly string[]): Promise<string[]> {
  const faults: (string | null)[] = [];
  let next = 0;
  const one = async () => {
    for (let at = next++; at < urls.length; at = next++) faults[at] = await faultOf(urls[at] as string);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return faults.filter((fault) => fault !== null);
}

function linkCheck(tried: number, all: number, faults: readonly string[]): Check {
  const about = { key: 'link_answers', title: 'Links answer' } as const;
  if (all === 0) return { ...about, result: 'pass', words: 'There is no link to a page.', fix: null };
  const rest = all > tried ? ` ${formatCount(all - tried, 'other was', 'others were')} not tried.` : '';
  if (faults.length === 0)
    return {
      ...about,
      result: 'pass',
      words: `${formatCount(tried, 'page answers', 'pages answer')}.${rest}`,
      fix: null,
    };
  const more = faults.length > 2 ? ` And ${faults.length - 2} more.` : '';
  return {
    ...{ ...about, result: 'advice' },
    words: `${faults.slice(0, 2).join(' ')}${more}${rest}`,
    fix: 'Mend these links.',
  };
}

const operatorsOwn = { lookup: undefined, refuseLiteral: () => undefined };

/** Whether readers reach what the links of the message go through, the unsubscribe link too. */
async function reachCheck(publicUrl: string): Promise<Check> {
  const about = { key: 'public_url', title: 'Address of this installation' } as const;
  const fix = 'Whoever runs the product sets PUBLIC_URL to an address that readers reach.';
  const { hostname, protocol } = new URL(publicUrl);
  if (/^(localhost|127\.|10\.|192\.168\.|\[)|\.(local|internal|test)$/u.test(hostname))
    return {
      ...{ ...about, result: 'advice', fix },
      words: `Links and the unsubscribe link begin with ${publicUrl}, which readers elsewhere cannot reach.`,
    };
  const answer = await callPublic(`${publicUrl}/api/health`, { guard: operatorsOwn }).catch((error) => error);
  if (answer instanceof Error || answer.status !== 200) {
    const why = answer instanceof NoAnswer ? ` ${answer.message}` : '';
    return { ...about, result: 'advice', words: `${publicUrl} does not answer from here.${why}`, fix };
  }
  if (protocol === 'http:')
    return {
      ...{ ...about, result: 'advice' },
      words: 'One-click unsubscribe works over https alone, and links begin with http.',
      fix: 'Whoever runs the product puts it behind https and sets PUBLIC_URL.',
    };
  return {
    ...about,
    result: 'pass',
    words: `Links and one-click unsubscribe are answered at ${protocol}//${hostname}.`,
    fix: null,
  };
}
