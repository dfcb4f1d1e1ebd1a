import type { LinkKeys } from '#features/links/server/index.ts';
import { leavingWorks, triedSend } from '#features/tracking/rules/tried-send.ts';
import { callPublic, NoAnswer, type PublicRequest } from '#platform/server/public-request.ts';
import type { CampaignCheck } from '../../contract.ts';

type Check = CampaignCheck['checks'][number];

interface Asking {
  workspaceId: number;
  keys: LinkKeys;
  /** What the operator has named. */
  publicUrl: string;
}

/**
 * The operator's own host may be one that only this network knows. Another is that of a workspace,
 * whose DNS may lead anywhere by now.
 */
const guardFor = (site: string, publicUrl: string): Pick<PublicRequest, 'guard'> =>
  site === publicUrl ? { guard: { lookup: undefined, refuseLiteral: () => undefined } } : {};

/** Whether readers reach what the links of the message begin with, and can leave there. */
export async function siteChecks(site: string, asking: Asking): Promise<Check[]> {
  return Promise.all([reachCheck(site, asking), leavingCheck(site, asking)]);
}

async function reachCheck(site: string, { publicUrl }: Asking): Promise<Check> {
  const about = { key: 'public_url', title: 'Address of this installation' } as const;
  const fix = 'Whoever runs the product sets PUBLIC_URL to an address that readers reach.';
  const { hostname, protocol } = new URL(site);
  if (/^(localhost|127\.|10\.|192\.168\.|\[)|\.(local|internal|test)$/u.test(hostname))
    return {
      ...{ ...about, result: 'advice', fix },
      words: `Links and the unsubscribe link begin with ${site}, which readers elsewhere cannot reach.`,
    };
  const answer = await callPublic(`${site}/api/health`, guardFor(site, publicUrl)).catch((error) => error);
  if (answer instanceof Error || answer.status !== 200) {
    const why = answer instanceof NoAnswer ? ` ${answer.message}` : '';
    return { ...about, result: 'advice', words: `${site} does not answer from here.${why}`, fix };
  }
  return { ...about, result: 'pass', words: `Links are answered at ${protocol}//${hostname}.`, fix: null };
}

/**
 * Asks the page for leaving as a mail provider would, with a link that is signed and about no
 * message. Only this installation, with its keys, knows the answer.
 */
async function leavingCheck(site: string, { workspaceId, keys, publicUrl }: Asking): Promise<Check> {
  const about = { key: 'one_click', title: 'One-click unsubscribe' } as const;
  const reference = keys.references.url('unsubscribe', { workspaceId, ...triedSend, part: 0 });
  const url = `${site}/u/${reference}`;
  const answer = await callPublic(url, { ...guardFor(site, publicUrl), bodyBytes: 20_000 }).catch(
    (error) => error,
  );
  if (answer instanceof Error || answer.status !== 200 || !answer.body.toString().includes(leavingWorks)) {
    const why = answer instanceof NoAnswer ? ` ${answer.message}` : '';
    return {
      ...{ ...about, result: 'advice', words: `The page for leaving does not answer at ${site}.${why}` },
      fix: 'Whoever runs the product lets every path below /u/ through to it.',
    };
  }
  if (site.startsWith('http:'))
    return {
      ...{ ...about, result: 'advice' },
      words: 'One-click unsubscribe works over https alone, and links begin with http.',
      fix: 'Whoever runs the product puts it behind https and sets PUBLIC_URL.',
    };
  return { ...about, result: 'pass', words: `It is answered at ${site}.`, fix: null };
}
