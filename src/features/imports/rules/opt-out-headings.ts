import type { OptOutReason } from './opt-out-words.ts';

/**
 * What the heading of a column promises about mailing. Only a hint: the cells decide, in
 * `opt-outs.ts`.
 *
 * - `out`: a filled or affirmed cell means do not mail (“Unsubscribed”, UNSUB_TIME)
 * - `in`: a denied cell means do not mail (“Opt in”, “Accepts Email Marketing”)
 * - `status`: the texts of the cells say it (“Email status”)
 * - `tags`: like `status`, with several texts in a cell
 */
export interface HeadingSense {
  sense: 'out' | 'in' | 'status' | 'tags';
  /** For `out`: why somebody must not be mailed. */
  reason: OptOutReason;
  /**
   * What the cells of `out` hold: yes or no, a date, or words about it (a reason, the campaign). A
   * `count` is a number of hard bounces.
   */
  form: 'flag' | 'date' | 'detail' | 'count';
  /** Surely about mailing. A person is asked when its cells are not understood. */
  strong: boolean;
  /** Speaks of mail, not of email: about post if another column is about email. */
  mayBePost: boolean;
}

const longestHeading = 200;
const longestGlued = 40;

const words = (text: string): string[] => text.split(' ');

/** Other ways to reach somebody. A heading about these and not about email is left alone. */
const channels = new Set(
  words(
    'phone telephone tel call sms text texting mobile fax post postal letter whatsapp push voice web messenger viber landline notification catalogue brochure',
  ),
);

/** One word for each way to write it. Several words where one stands for them. */
const stems: Record<string, string> = {
  ...stemsOf('email', 'emails emailed emailing'),
  ...stemsOf('mailing', 'mailings mailed mailshot mailshots mailout'),
  ...stemsOf('mail', 'mails'),
  ...stemsOf(
    'unsubscribed',
    'unsub unsubs unsubbed unsubscribe unsubscribing unsubscription unsubscriptions',
  ),
  ...stemsOf('unsubscribed', 'unsubscriber unsubscribers'),
  ...stemsOf('counts', 'unsubscribes bounces complaints'),
  ...stemsOf('opt', 'opted opting opts'),
  ...stemsOf('bounced', 'bounce bouncing'),
  ...stemsOf('cleaned', 'clean'),
  ...stemsOf('do not contact', 'dnc'),
  ...stemsOf('do not email', 'dne'),
  ...stemsOf('do not mail', 'dnm'),
  ...stemsOf('do not', 'dont doesnt'),
  ...stemsOf('blocklisted', 'blacklist blacklisted blacklisting blocklist blocklisting denylist denylisted'),
  ...stemsOf('suppressed', 'suppress suppression suppressions'),
  ...stemsOf('deceased', 'died death rip'),
  ...stemsOf('removed', 'remove removal'),
  ...stemsOf('deleted', 'delete deletion'),
  ...stemsOf('archived', 'archive'),
  ...stemsOf('erased', 'erase erasure forgotten forget'),
  ...stemsOf('consent', 'consents consented'),
  ...stemsOf('permission', 'permissions permitted'),
  ...stemsOf('preference', 'preferences'),
  ...stemsOf('subscribed', 'subscribe subscribes'),
  ...stemsOf('subscriber', 'subscribers'),
  ...stemsOf('subscription', 'subscriptions'),
  ...stemsOf('accept', 'accepts accepted accepting'),
  ...stemsOf('allow', 'allows allowed'),
  ...stemsOf('receive', 'receives receiving'),
  ...stemsOf('newsletter', 'newsletters enewsletter'),
  ...stemsOf('want', 'wants wish wishes like likes happy'),
  ...stemsOf('contact', 'contacts contacted contacting'),
  ...stemsOf('marketing', 'market marketed'),
  ...stemsOf('solicit', 'solicited solicitation'),
  ...stemsOf('communication', 'comms communications comm'),
  ...stemsOf('update', 'updates updated'),
  ...stemsOf('withdrawn', 'withdrew withdraw revoked'),
  ...stemsOf('object', 'objects objected objection'),
  ...stemsOf('exclude', 'excluded exclusion'),
  ...stemsOf('date', 'time timestamp at on when since datetime day ts dt'),
  ...stemsOf('reason', 'reasons description explanation why'),
  ...stemsOf('status', 'state'),
  ...stemsOf('tags', 'tag labels label groups group categories category keywords segments'),
  ...stemsOf('list', 'lists'),
  ...stemsOf('agree', 'agrees agreed'),
  ...stemsOf('phone', 'phones phonecalls'),
  ...stemsOf('call', 'calls'),
  ...stemsOf('text', 'texts'),
  ...stemsOf('fax', 'faxes'),
  ...stemsOf('letter', 'letters'),
};

function stemsOf(stem: string, forms: string): Record<string, string> {
  return Object.fromEntries(words(forms).map((form) => [form, stem]));
}

/** Words that change nothing about the sense of a heading, the names of programs among them. */
const noise = new Set([
  ...words('has is was were been be being of from to the their for our my a an please we us i you your me'),
  ...words('would this if tick here box ticked y n indicator boolean field value hs global globally'),
  ...words('portal custom user customer member person supporter donor client individual recipient guest'),
  ...words(
    'buyer attendee flag current currently address mailchimp mc klaviyo hubspot brevo zb org should enum',
  ),
  ...words('all any and or s'),
]);

/**
 * Glued words are taken apart with these: `hasoptedoutofemail`, `emailoptout`, `donotbulkemail`.
 */
const parts = new Set([
  ...Object.keys(stems).filter((word) => word.length > 2),
  ...words('email mail opt out in not do has is of from on at un date time reason status hard soft bulk'),
  ...words('marketing consent contact allow newsletter sms phone fax call post unsubscribed subscribed'),
  ...words('bounced deceased deleted removed suppressed solicit processing tracking permission'),
]);

/** Splits a word that consists of known words only, the longest first. Null for any other word. */
function segment(word: string): string[] | null {
  if (word === '') return [];
  for (let length = Math.min(word.length, 14); length >= 2; length--) {
    const head = word.slice(0, length);
    if (!parts.has(head)) continue;
    const rest = segment(word.slice(length));
    if (rest) return [head, ...rest];
  }
  return null;
}

/**
 * The heading in stems with single blanks, noise left out: `HasOptedOutOfEmail` is `opt out email`.
 */
function phraseOf(heading: string): string {
  const plain = heading
    .slice(0, longestHeading)
    .normalize('NFKC')
    .replace(/__c$/, '')
    .replace(/['’]/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replace(/\be[\s_-]+(mail|newsletter)/g, 'e$1')
    .replace(/\b(un|non|black|block)[\s_-]+(subscri|list)/g, '$1$2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (plain === '') return '';
  return words(plain)
    .flatMap((word) =>
      word in stems || word.length < 5 || word.length > longestGlued ? [word] : (segment(word) ?? [word]),
    )
    .flatMap((word) => words(stems[word] ?? word))
    .filter((word) => !noise.has(word))
    .join(' ')
    .replace(/ (by|via) (?=email|mail)/g, ' ');
}

/** Words that leave a heading about mail, besides those that make its sense. */
const company = new Set([
  ...words('email mail mailing marketing newsletter list bulk mass communication promotional promotions'),
  ...words('promo promotion campaign campaigns update news offers offer commercial solicit general'),
  ...words('fundraising appeals appeal gdpr pecr contact send receive subscriber sales first last further'),
  ...words('record hard permanent permanently database crm confirmed processing electronic direct right'),
  ...words('date reason source title method mode type comment comments notes note detail details feedback'),
  ...words('other message id name code status origin by via spam subscription request requested requests no'),
]);

/** Headings with these are about a number, a link or a means of unsubscribing. */
const elsewhere = new Set([
  ...words('rate rates count counts total number num percent percentage score link url uri token hash key'),
  ...words('ip page form template footer header text setting settings enabled track tracking cookie cookies'),
  ...words('analytics profiling pension payment billing invoice order sale cheque'),
]);

interface OutPattern {
  pattern: RegExp;
  reason: OptOutReason;
  /** Says enough to stand beside any other words. */
  loose?: boolean;
}

/** What means `out`. The first that matches gives the reason. */
const outPatterns: OutPattern[] = [
  {
    pattern: /\bcomplained\b|\b(spam|abuse|isp|fbl|email) complaint\b|\bspam (report|reported)\b/,
    reason: 'complained',
  },
  {
    pattern: /\b(marked|reported|flagged) (email )?(as )?(spam|junk)\b|^(email )?spam$/,
    reason: 'complained',
    loose: true,
  },
  { pattern: /\bunsubscribed\b|^opt out email\b/, reason: 'unsubscribed', loose: true },
  { pattern: /\bopt out\b/, reason: 'unsubscribed' },
  {
    pattern:
      /\b(do not|no longer|not|stop) (want|receive|send)\b.*\b(email|marketing|mailing|newsletter|communication)\b/,
    reason: 'unsubscribed',
    loose: true,
  },
  {
    pattern:
      /\b(do not|no longer|stop) ((bulk|mass|allow|marketing) )*(email|contact|mail|mailing|marketing|solicit|newsletter|communication)\b/,
    reason: 'unsubscribed',
  },
  {
    pattern:
      /^(requests )?no (bulk |marketing |promotional )?(email|marketing|mailing|newsletter|communication)\b/,
    reason: 'unsubscribed',
  },
  {
    pattern:
      /\b(consent|permission|marketing) withdrawn\b|\bwithdrawn (marketing |email )?(consent|permission)\b/,
    reason: 'unsubscribed',
  },
  { pattern: /\bobject (direct )?(email|marketing|processing)\b/, reason: 'unsubscribed' },
  {
    pattern: /\b(exclude|removed) (email|mailing|marketing|newsletter|list|campaigns?)\b/,
    reason: 'unsubscribed',
  },
  { pattern: /\bbounced\b|\bundeliverable\b/, reason: 'bounced' },
  { pattern: /^cleaned( (date|campaign|title|id|reason))*$|^email cleaned\b/, reason: 'bounced' },
  { pattern: /\b(blocklisted|suppressed|deceased|erased)\b/, reason: 'imported' },
  {
    pattern: /^((email|gdpr|list|record|contact|date|status|reason) )*(removed|deleted|archived)\b/,
    reason: 'imported',
  },
  {
    pattern:
      /^(invalid|bad|dead|wrong|blocked|quarantined) email$|^(marketing )?email (invalid|bad|disabled|hold|blocked|quarantined)\b/,
    reason: 'imported',
  },
  {
    pattern: /\b(not|non|never) (opt in|subscribed|consent)\b|\bnonsubscribed\b|^no (consent|permission)$/,
    reason: 'imported',
  },
];

/** Surely consent to email. */
const strongIn = [
  /\bopt in\b/,
  /\baccept( (email|marketing|newsletter))+\b/,
  /\b(email|marketing|newsletter|mailing|contact)( (email|marketing|mailing|gdpr))* (consent|permission)\b/,
  /\b(consent|permission)( (receive|send))?( (email|marketing|contact|newsletter|mailing|communication))+\b/,
  /\b(can|may) (receive |send )?(email|contact)\b/,
  /\b(ok|okay|allow|agree|want)( (bulk|receive|send|further|contact))*( (email|contact|marketing|newsletter|mailing))+\b/,
  /\b(email|contact|marketing) (ok|okay|allow)\b/,
  /\b(receive|send)( (email|marketing|newsletter|mailing|update|news|offers|promotional))+\b/,
  /\b(newsletter|email|marketing|mailing list) subscribed\b/,
  /\bsubscribed( (email|newsletter|marketing|mailing|list|update))+\b/,
  /^(email )?(emailable|mailable|contactable|marketable|sendable)( email)?$/,
];

/**
 * Perhaps consent to email: only where the cells say yes and no. The `date` is the word “on” of “on
 * mailing list”.
 */
const weakIn = [
  /^((gdpr|email|promotional|monthly|weekly) )*(subscribed|subscriber|newsletter|consent|permission|marketing)$/,
  /^(date )?(mailing|email|newsletter) list$/,
  /^(email|newsletter|promotional|marketing|monthly|weekly) (email|marketing|update|communication|newsletter|news)$/,
  /^(newsletter|mailing list) (signup|sign up|subscriber|subscription)$|^sign(ed)? up (newsletter|mailing)( list)?$/,
  /^join (mailing|email|newsletter)( list)?$|^keep (informed|update)$|^consent given$|^gdpr( consent| permission)?$/,
  /^(email |communication |contact |marketing )*preference$/,
];

const mailStatus =
  /\b(email|subscriber|subscription|subscribed|marketing|newsletter|mailing|opt in|consent|permission|suppressed|deliverability|bounced)\b.*\bstatus\b|\bstatus (email|subscription|subscribed)\b|^bounced type$/;
/** “Email verification status” is about the address, “Email campaign status” about a message. */
const otherStatus =
  /\b(verification|verified|confirmation|validation|campaigns?|sent|tracking|account|import|lead)\b/;
const perhapsStatus =
  /\bstatus$|^status\b|^(type|subscription|subscriber type|contact type|result|(date )?hold)$/;
const tagHeadings = /^((contact|list) )?tags( membership)?$|^((mailing|email|contact) )?list( membership)?$/;

/** Null when the heading has nothing to do with mailing. */
export function headingSense(heading: string): HeadingSense | null {
  const phrase = phraseOf(heading);
  const all = words(phrase);
  const isEmail = all.includes('email');
  if (phrase === '' || (!isEmail && all.some((word) => channels.has(word)))) return null;
  if (/\b(double|soft)\b|\bmarketing contact( status)?$|\bactive subscription\b/.test(phrase)) return null;
  if (!isEmail && /\bdirect mail(ing)?\b/.test(phrase)) return null;
  const sense = senseOf(phrase);
  return sense && { ...sense, mayBePost: !isEmail && all.includes('mail') };
}

type Sense = Omit<HeadingSense, 'mayBePost'>;

function senseOf(phrase: string): Sense | null {
  if (/^(email )?(hard (counts|bounced count)|bounced hard|hard bounced)$/.test(phrase))
    return { ...outSense('bounced'), form: 'count' };
  if (words(phrase).some((word) => elsewhere.has(word))) return null;
  if (/\b(no|not|never) (opt out|unsubscribed|bounced|suppressed|blocklisted)\b/.test(phrase))
    return inSense(true);
  const out = outOf(phrase);
  const bothWays = /\bopt in\b.*\bopt out\b|\bopt out\b.*\bopt in\b|\bopt in out\b/.test(phrase);
  if (bothWays || /\bsubscribed\b.*\bunsubscribed\b|\bunsubscribed\b.*\bsubscribed\b/.test(phrase))
    return statusSense(true);
  if (mailStatus.test(phrase) && !/\b(opt out|unsubscribed)\b/.test(phrase))
    return /\b(opt in|consent|permission|subscri\w*)\b/.test(phrase)
      ? inSense(true)
      : statusSense(!otherStatus.test(phrase));
  if (out !== null) return { ...outSense(out), form: formOf(phrase) };
  const isVague = perhapsStatus.test(phrase) ? statusSense(false) : null;
  return consentOf(phrase) ?? isVague ?? (tagHeadings.test(phrase) ? tagSense : null);
}

const outSense = (reason: OptOutReason): Sense => ({ sense: 'out', reason, form: 'flag', strong: true });
const inSense = (strong: boolean): Sense => ({ sense: 'in', reason: 'imported', form: 'flag', strong });
const statusSense = (strong: boolean): Sense => ({ ...inSense(strong), sense: 'status' });
const tagSense: Sense = { ...inSense(false), sense: 'tags' };

function outOf(phrase: string): OptOutReason | null {
  const found = outPatterns.find(
    ({ pattern, loose }) => pattern.test(phrase) && (loose === true || fits(phrase, pattern)),
  );
  // An id or code is the means to unsubscribe, unless it is that of a campaign or a bounce.
  if (/\b(id|code)\b/.test(phrase) && !/\b(campaigns?|bounced|cleaned)\b/.test(phrase)) return null;
  return found?.reason ?? null;
}

/** Whether everything beside the match is about mail: “Pension opt out” is not. */
const fits = (phrase: string, pattern: RegExp): boolean =>
  words(phrase.replace(pattern, ' ').trim().replace(/ +/g, ' ')).every(
    (word) => word === '' || company.has(word),
  );

const detail =
  /\b(reason|source|title|method|mode|type|comments?|notes?|details?|feedback|other|message|id|name|code|origin|by|via|campaigns?)\b/;

function formOf(phrase: string): HeadingSense['form'] {
  if (detail.test(phrase)) return 'detail';
  return /\bdate\b/.test(phrase) ? 'date' : 'flag';
}

function consentOf(phrase: string): Sense | null {
  const isWeak = weakIn.some((pattern) => pattern.test(phrase));
  // When and how somebody agreed says nothing against mailing them.
  if (/\bdate\b/.test(phrase) || detail.test(phrase)) return isWeak ? inSense(false) : null;
  const found = strongIn.find((pattern) => pattern.test(phrase));
  if (found && fits(phrase, found)) return inSense(true);
  const isAboutMail = /\b(email|marketing|newsletter|mailing)\b/.test(phrase);
  return isWeak || (found && isAboutMail) ? inSense(false) : null;
}

/**
 * The column that says when a status or consent was set, such as “Email Marketing Consent
 * Timestamp”. When somebody opted in says nothing about when they left.
 */
export function timestampOf(heading: string, header: readonly string[]): number | null {
  const phrase = phraseOf(heading);
  if (!/\b(status|consent|permission)$/.test(phrase)) return null;
  const wanted = [
    `${phrase} date`,
    `${phrase} change date`,
    `${phrase} changed date`,
    `${phrase} update date`,
  ];
  const found = header.findIndex((name) => wanted.includes(phraseOf(name)));
  return found < 0 ? null : found;
}
