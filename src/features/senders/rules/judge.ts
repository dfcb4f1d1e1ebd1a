import { formatDecimal, formatNumber } from '#platform/shared/words.ts';
import type { Check, Requirement, SenderDomain } from '../contract.ts';
import type { DnsFacts, PublicKey, Said } from './facts.ts';
import { signingKey } from './keys.ts';
import { linkBase, ownLinkBase, ownsReturnPath, type Place, trackingHost } from './records.ts';
import { hasSpfPart, letsEveryoneSend, mostLookups, spfTerms } from './spf.ts';
import { publishes, tagsOf } from './tags.ts';

type Judged = Pick<Check, 'result' | 'words'>;

const unanswered: Judged = { result: 'unknown', words: 'No name server has answered. It is asked again.' };
const notYet: Judged = { result: 'unknown', words: 'Not looked up yet.' };

/** What DNS says about a sender domain, one judgement for each subject. */
export function checksOf(
  domain: string,
  keys: readonly PublicKey[],
  facts: DnsFacts | null,
  place: Place,
): Check[] {
  const key = signingKey(keys);
  const dkim = key && facts?.dkim[key.selector];
  const checks: Check[] = [
    told('dkim', dkim, () => judgeDkim(dkim as Said, key as PublicKey)),
    told('spf', facts?.spf, () => judgeSpf(facts as DnsFacts, place)),
    told('dmarc', facts?.dmarc, () => judgeDmarc(facts as DnsFacts, domain)),
    told('mx', facts?.mx, () => judgeMx(facts as DnsFacts)),
  ];
  if (ownsReturnPath(domain, place))
    checks.push(
      told('return_path', facts?.returnPath, () => judgeReturnPath(facts?.returnPath as Said, place)),
    );
  if (place.publicHost !== null)
    checks.push(told('tracking', facts?.tracking, () => judgeTracking(domain, facts as DnsFacts, place)));
  return checks;
}

function told(name: Check['name'], said: Said | null | undefined, judge: () => Judged): Check {
  const judged = !said ? notYet : said.state === 'unknown' ? unanswered : judge();
  return { name, ...judged, found: said?.values ?? [] };
}

function judgeDkim(said: Said, key: PublicKey): Judged {
  if (said.state === 'none')
    return { result: 'fail', words: `There is no record for the key ${key.selector} yet.` };
  if (!said.values.some((value) => publishes(value, key.publicKey)))
    return {
      result: 'fail',
      words: `The record of ${key.selector} holds another key. Paste its value again, whole.`,
    };
  if (said.values.length > 1)
    return { result: 'warning', words: 'There are several records for this key. Remove all others.' };
  if (
    tagsOf(said.values[0] ?? '')
      .get('t')
      ?.split(':')
      .includes('y')
  )
    return { result: 'warning', words: 'The record says t=y, for tests: receivers may ignore signatures.' };
  return { result: 'pass', words: `Receivers find the key ${key.selector}. What we send is signed with it.` };
}

function judgeSpf({ spf, spfCost }: DnsFacts, { spfParts }: Place): Judged {
  if (spf.state === 'none') return { result: 'fail', words: 'There is no SPF record.' };
  if (spf.values.length > 1)
    return {
      result: 'fail',
      words: `There are ${spf.values.length} SPF records. Receivers then ignore them all: make one of them.`,
    };
  const [record = ''] = spf.values;
  if (letsEveryoneSend(record))
    return {
      result: 'fail',
      words: 'The record ends with +all, which lets anybody send in your name. Use ~all.',
    };
  if (spfTerms(record).includes(null))
    return {
      result: 'fail',
      words: 'The record has a part that is not SPF. Receivers then ignore all of it.',
    };
  if (spfCost?.problem) return { result: 'fail', words: spfCost.problem };
  if (spfCost?.isPartial)
    return { result: 'unknown', words: 'A record that this one includes has not been read.' };
  const missing = spfParts.filter((part) => !hasSpfPart(record, part));
  if (missing.length > 0)
    return {
      result: 'warning',
      words: `${missing.length === 1 ? 'A server that sends for you is' : 'Servers that send for you are'} not named. Add ${missing.join(' ')}.`,
    };
  return {
    result: 'pass',
    words: `One SPF record, with ${spfCost?.lookups ?? 0} of at most ${mostLookups} lookups.`,
  };
}

function judgeDmarc({ dmarc, dmarcDomain }: DnsFacts, domain: string): Judged {
  if (dmarc.state === 'none')
    return { result: 'fail', words: 'There is no DMARC record. Gmail and Yahoo ask for one.' };
  if (dmarc.values.length > 1)
    return { result: 'fail', words: 'There are several DMARC records. Receivers then ignore them all.' };
  const tags = tagsOf(dmarc.values[0] ?? '');
  const isBelow = dmarcDomain !== domain;
  const policy = ((isBelow ? tags.get('sp') : undefined) ?? tags.get('p') ?? '').toLowerCase();
  if (!['none', 'quarantine', 'reject'].includes(policy))
    return { result: 'fail', words: 'The DMARC record has no policy. Add p=none, p=quarantine or p=reject.' };
  const from = isBelow ? ` It is that of ${dmarcDomain}.` : '';
  // We sign with the domain itself, which is aligned in the strict sense too.
  return {
    result: 'pass',
    words: `The policy is p=${policy}.${from} Our DKIM signature is of the same domain as the sender, so it is aligned.`,
  };
}

function judgeMx({ mx }: DnsFacts): Judged {
  if (mx.state === 'none')
    return { result: 'warning', words: 'The domain takes no mail, so nobody can reply to it.' };
  if (mx.values.every((value) => value.split(' ').at(-1) === ''))
    return { result: 'warning', words: 'The domain says that it takes no mail, so nobody can reply to it.' };
  return { result: 'pass', words: 'The domain takes mail, so people can reply.' };
}

function judgeReturnPath(said: Said, { bounceDomain, publicHost }: Place): Judged {
  if (said.values.some((value) => value.split(' ').at(-1) === publicHost))
    return { result: 'pass', words: 'Bounces come back to this installation.' };
  return {
    result: 'warning',
    words: `The MX record of ${bounceDomain} does not name ${publicHost}. Bounces may not come back.`,
  };
}

/** Which host links begin with, and why not with that of the domain. */
function judgeTracking(domain: string, facts: DnsFacts, place: Place): Judged {
  const { publicHost, publicUrl } = place;
  const base = linkBase(domain, facts, place);
  if (base !== null) {
    const words = `Links in mails begin with ${base}.`;
    if (base.startsWith('https:')) return { result: 'pass', words };
    return { result: 'warning', words: `${words} They are not encrypted: the installation has no https.` };
  }
  const instead = `Links begin with ${publicUrl}.`;
  const host = trackingHost(domain);
  if (facts.tracking?.state === 'none')
    return { result: 'pass', words: `${instead} That works. A host of your own is better known to readers.` };
  if (!facts.tracking?.values.includes(publicHost ?? ''))
    return { result: 'warning', words: `${host} leads elsewhere, not to ${publicHost}. ${instead}` };
  if (facts.linkProblem === undefined)
    return { result: 'unknown', words: `${host} leads here and is tried with the next check. ${instead}` };
  const secure = publicUrl.startsWith('https:') ? ' It needs a certificate at this installation.' : '';
  return {
    result: 'warning',
    words: `${host} leads here, but ${ownLinkBase(domain, place)} does not answer as it should. ${facts.linkProblem}${secure} ${instead}`,
  };
}

/** Mail of a domain that servers took in the last 30 days, and what its readers called spam. */
export interface Complaints {
  sent: number;
  complained: number;
}

/** Fewer messages say nothing. */
const fewestSent = 1_000;
/** What Gmail and Yahoo let nobody reach. */
const mostComplaints = 0.003;

/** What Gmail and Yahoo require of those who send many mails, and whether it holds. */
export function requirementsOf(
  checks: readonly Check[],
  { linkSite, complaints }: { linkSite: string; complaints: Complaints },
): Requirement[] {
  const resultOf = (name: Check['name']) => checks.find((check) => check.name === name)?.result ?? 'unknown';
  const holds = (name: Check['name'], least: readonly Check['result'][] = ['pass', 'warning']) =>
    resultOf(name) === 'unknown' ? null : least.includes(resultOf(name));
  const [dkim, spf, dmarc] = [holds('dkim'), holds('spf', ['pass']), holds('dmarc')];
  return [
    {
      ...{ name: 'dkim', title: 'DKIM, aligned with the sender', holds: dkim },
      words: onceRead(dkim, 'Our DKIM signature is of your domain.', 'Publish the DKIM record.'),
    },
    {
      ...{ name: 'spf', title: 'SPF', holds: spf },
      words: onceRead(
        spf,
        'The record lets the servers send that send for you.',
        'Publish the SPF record: it has to name each server that sends for you.',
      ),
    },
    {
      ...{ name: 'dmarc', title: 'DMARC, at least p=none', holds: dmarc },
      words: onceRead(dmarc, 'There is a policy for the domain of the sender.', 'Publish the DMARC record.'),
    },
    oneClick(linkSite),
    fewComplaints(complaints),
  ];
}

const onceRead = (holds: boolean | null, yes: string, no: string): string =>
  holds === null ? 'Known once DNS has been read.' : holds ? yes : no;

/** RFC 8058 takes https alone. */
function oneClick(linkSite: string): Requirement {
  const holds = linkSite.startsWith('https:');
  return {
    ...{ name: 'one_click', title: 'Unsubscribing by one click', holds },
    words: holds
      ? `Marketing carries both List-Unsubscribe headers, signed. They lead to ${linkSite}.`
      : `It works over https alone, and links begin with ${linkSite}.`,
  };
}

function fewComplaints({ sent, complained }: Complaints): Requirement {
  const about = { name: 'complaints', title: 'Complaints under 0.3%' } as const;
  const gmail = 'Gmail tells its own in Google Postmaster Tools alone.';
  if (sent < fewestSent)
    return {
      ...{ ...about, holds: null },
      words: `Campaigns of the last 30 days went to ${formatNumber(sent)}, too few to tell. ${gmail}`,
    };
  const percent = formatDecimal(Math.round((complained / sent) * 10_000) / 100);
  return {
    ...{ ...about, holds: complained / sent < mostComplaints },
    words: `${formatNumber(complained)} of ${formatNumber(sent)} in the last 30 days (${percent}%), as far as providers report them. ${gmail}`,
  };
}

/** The state of a domain in one word. */
export function stateOfDomain(checks: readonly Check[], isChecked: boolean): SenderDomain['state'] {
  if (!isChecked) return 'unchecked';
  const needed = checks.filter(({ name }) => ['dkim', 'spf', 'dmarc'].includes(name));
  return needed.every(({ result }) => result === 'pass' || result === 'warning') ? 'ready' : 'incomplete';
}
