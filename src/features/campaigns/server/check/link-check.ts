import { unescaped } from '#features/templates/rules/addresses.ts';
import { compileTemplate } from '#features/templates/rules/compile.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { formatCount } from '#platform/shared/words.ts';
import type { CampaignCheck } from '../../contract.ts';
import { mergedChecks } from '../../rules/merged-checks.ts';
import { variantRows } from '../ab-test/variants.ts';
import type { CampaignsContext } from '../context.ts';
import { mailingOf } from '../mailing-of.ts';
import type { CampaignRow } from '../queries.ts';
import { needCampaign } from '../show-campaign.ts';
import { faultOf } from './link-fault.ts';
import { reverseDnsCheck } from './reverse-dns-check.ts';
import { siteChecks } from './site-checks.ts';
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
  const { db, config, dns, linkKeys } = context;
  const { publicUrl } = config;
  const { variants, ownHosts } = await db.asTenant(workspaceId, async (tx) => {
    const row = await needCampaign(tx, workspaceId, id);
    const variants: Variant[] = [];
    for (const own of variantRows(row)) variants.push(await variantOf(context, tx, workspaceId, own));
    return { variants, ownHosts: await context.ownMailHosts(tx, workspaceId) };
  });
  const pages = [...new Set(variants.flatMap((one) => one.pages))];
  const tried = pages.slice(0, mostTried);
  const sites = [...new Set(variants.map(({ site }) => site))];
  const hosts = ownHosts.length > 0 ? ownHosts : config.smtpUrl ? [new URL(config.smtpUrl).hostname] : [];
  const [faults, reach, reverse, filters] = await Promise.all([
    triedAll(tried),
    Promise.all(sites.map((site) => siteChecks(site, { workspaceId, keys: linkKeys, publicUrl }))),
    reverseDnsCheck(dns, hosts),
    Promise.all(variants.map(({ message }) => spamFilterCheck(context, message))),
  ]);
  return {
    checks: [
      linkCheck(tried.length, pages.length, faults),
      ...mergedChecks(variants.map(({ site }) => reach[sites.indexOf(site)] ?? [])),
      ...(reverse ? [reverse] : []),
      ...mergedChecks(filters.map((check) => (check ? [check] : []))),
    ],
  };
}

/** What is tried of one variant. */
interface Variant {
  pages: string[];
  /** What its links begin with. */
  site: string;
  message: Buffer | null;
}

async function variantOf(
  context: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  row: CampaignRow,
): Promise<Variant> {
  const { config, senders } = context;
  const content = await mailingOf(tx, workspaceId, row, config);
  const from = content.fromAddress.slice(content.fromAddress.lastIndexOf('@') + 1);
  const { subject, preheader, html, text } = content;
  const { links } = compileTemplate({ subject, preheader, html, text });
  return {
    pages: pagesOf(links.map(({ part, url }) => (part === 'html' ? unescaped(url) : url))),
    site: (await senders.linkSiteFor(tx, workspaceId, from)) ?? config.publicUrl,
    message: await sampleMessage(context, tx, workspaceId, content),
  };
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
