/**
 * What cells say about mailing, for columns such as “Status”, “Unsubscribed” or “Opt in”. English
 * only. All texts are written as `valueKey` gives them.
 */

/**
 * Why somebody must not be mailed, the strongest first. A subset of the reasons of a suppression.
 * `imported` serves what has no reason of its own: deceased, never agreed, deleted, on a blocklist.
 */
export const optOutReasons = ['complained', 'unsubscribed', 'bounced', 'imported'] as const;
export type OptOutReason = (typeof optOutReasons)[number];

/**
 * What a list of contacts says of an address that is suppressed there, whatever the reason, and
 * also where only its domain is. Our own exports are such lists.
 */
export const suppressedSomewhere = 'suppressed';

/**
 * The reasons by the number that is stored of a row, the strongest first. The last one is for rows
 * that say no more than `suppressedSomewhere`.
 */
export const storedReasons = [...optOutReasons, 'imported'] as const;
export const storedSomewhere = optOutReasons.length;

/** Longer cells are judged by their beginning. */
const longestValue = 400;

/**
 * A cell without its letter case, blanks and punctuation: `NEVER_SUBSCRIBED`, `NeverSubscribed` and
 * `Never subscribed` are all `never subscribed`. Ticks and crosses stay.
 */
export function valueKey(text: string): string {
  return text
    .slice(0, longestValue)
    .normalize('NFKC')
    .replace(/(\p{Ll}{2})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replace(/['’]/gu, '')
    .replace(/[^\p{L}\p{N}✓✔☑✅✗✘❌☒☐]+/gu, ' ')
    .trim();
}

const words = (text: string): string[] => text.split(',').map((word) => word.trim());

/** Texts that programs and people write for an empty cell. */
const placeholders = new Set([
  ...words('n a, na, none, null, nil, nan, undefined, unknown, blank, empty, not applicable, no data'),
  ...words('not known, tbc, tba, not available, unspecified, not specified, no value, missing'),
  ...words('no response, no answer, no reply, no preference, no info, no information, not asked'),
  ...words('not answered, prefer not to say'),
  // Dates that stand for none: of MySQL, Excel, Unix, SQL Server and .NET.
  ...words('0000 00 00, 00 00 0000, 1970 01 01, 01 01 1970, 1899 12 30, 1899 12 31, 30 12 1899'),
  ...words('1900 01 00, 1900 01 01, 01 01 1900, 1 1 1900, 1 1 1970, 0 1 1900, 00 01 1900, 1753 01 01'),
  ...words('0001 01 01, 01 01 0001, 1 1 0001, 9999 12 31, 31 12 9999, 12 31 9999'),
]);

/** A date as a key, with midnight after it: `1970 01 01t00 00 00z`. */
const atMidnight = /^(\d+ \d+ \d+)(?:t| t| )0?0 00(?: 00)?(?: 0+)? ?z?$|^(\d+ \d+ \d+) 12 00(?: 00)? am$/;

/** Whether a cell with this key says nothing. */
export function isPlaceholder(key: string): boolean {
  if (key === '' || placeholders.has(key)) return true;
  const [, day, other] = atMidnight.exec(key) ?? [];
  return placeholders.has(day ?? other ?? '');
}

/** What affirms the heading of a column. */
const yesWords = words(
  'yes, y, true, t, 1, 1 0, on, x, ✓, ✔, ☑, ✅, ☒, tick, ticked, checked, selected, set, yep, yeah, aye, positive',
);

/** What denies the heading of a column. */
const noWords = words(
  'no, n, false, f, 0, 0 0, off, ✗, ✘, ❌, ☐, unticked, unchecked, not ticked, not checked, not selected, never, nope, negative',
);

/** What agrees and disagrees in a column about consent, besides yes and no. */
const agreedWords = words(
  'agreed, agree, i agree, accepted, accept, accepts, given, granted, permitted, consent given, permission given, email, in',
);
const refusedWords = words(
  'refused, declined, decline, not given, not granted, denied, rejected, disagree, disagreed, i disagree, not agreed, not accepted, no thanks, no thank you',
);

/** Says that somebody must not be mailed, whatever the heading. */
const outWords: Record<OptOutReason, string[]> = {
  complained: words(
    'complained, complaint, spam complaint, spam complained, spam, spam report, reported spam, reported as spam, marked as spam, marked spam, abuse, abuse complaint, abuse report, isp complained, isp complaint, direct complaint, email complaint, feedback loop, fbl, junk, marked as junk',
  ),
  unsubscribed: words(
    'unsubscribed, unsubscribe, unsub, unsubbed, un subscribed, unsubscribed by admin, unsubscribed by user, unsubscribed by contact, globally unsubscribed, global unsubscribe, unsubscribed from all, unsubscribed from all email, opted out, opt out, optout, optedout, confirmed opt out, opted out of email, user opted out, email opt out, do not email, do not mail, do not contact, do not market, do not send, do not allow, dont email, dont mail, dont contact, no email, no emails, no marketing, no mailing, no mailings, no contact, dnc, dne, dnm, stop, stopped, out, not allowed, disallowed, withdrawn, consent withdrawn, withdrew consent, revoked, consent revoked, objected, on hold opt out, removed by request, unsubscribed manually, manual unsubscribe, list unsubscribe',
  ),
  bounced: words(
    'bounced, bounce, hard bounce, hard bounced, hardbounce, hardbounced, hard bounces, bounced hard, bounce hard, hard, permanent bounce, permanently bounced, permanent, permanent failure, cleaned, undeliverable, undelivered, email bounced, no mx record, on hold bounce, mailbox not found, mailbox does not exist, user unknown, unknown user, invalid recipient, held',
  ),
  imported: words(
    'suppressed, user suppressed, suppression, manual suppression, manually suppressed, global suppression, globally suppressed, shared suppression, domain suppression, blocklisted, block listed, blocklist, blacklisted, black listed, blacklist, blocked, mail blocked, email blocked, deceased, died, dead, deceased yes, never subscribed, neversubscribed, non subscribed, nonsubscribed, not subscribed, notsubscribed, unconfirmed, not confirmed, pending, pending confirmation, pending opt in, pending optin, pending double opt in, awaiting confirmation, waiting for confirmation, confirmation pending, transactional, deleted, archived, removed, erased, forgotten, anonymised, anonymized, gdpr removed, gdpr deleted, gdpr erased, gdpr forgotten, no permission, no permissions set, no permission set, not set, no consent, not consented, without consent, not opted in, not opt in, never opted in, never agreed, invalid, spamtrap, spam trap, quarantined, disabled, temp hold',
  ),
};

/** The reason that a text gives by itself. */
export const outReasons: ReadonlyMap<string, OptOutReason> = new Map(
  optOutReasons.flatMap((reason) => outWords[reason].map((word) => [word, reason] as const)),
);

/**
 * Says that somebody may be mailed, whatever the heading. A soft bounce says nothing against it.
 */
const mailWords: ReadonlySet<string> = new Set(
  words(
    'subscribed, subscriber, active, opted in, opt in, optin, optedin, confirmed, confirmed opt in, double opt in, single opt in, single, double, verified double, verified, express, implied, explicit, implicit, express consent, implied consent, consented, resubscribed, re subscribed, allow, allowed, ok, okay, valid, deliverable, delivered, sent, opened, clicked, enabled, mailable, emailable, soft bounce, soft bounced, softbounce, softbounced, soft bounces, bounced soft, bounce soft, soft, transient, temporary, not bounced, not unsubscribed, not opted out, not suppressed, not blocklisted, not blacklisted, living, alive, legitimate interest, legitimate interests, catch all, catchall, accept all, risky, role, role based',
  ),
);

/**
 * The words that show what a column with a vague heading (“Status”, “Type”, “Tags”) is about.
 * `paid`, `archived` and `pending` are said of many things; these are said of mail only.
 */
export const tellingWords: ReadonlySet<string> = new Set(
  words(
    'unsubscribed, unsubscribe, unsub, un subscribed, subscribed, resubscribed, never subscribed, non subscribed, nonsubscribed, not subscribed, opted out, opt out, optout, optedout, opted in, opted out of email, unsubscribed from all, unsubscribed from all email, globally unsubscribed, unsubscribed by admin, do not email, do not mail, do not contact, do not market, dont email, dont mail, dont contact, no emails, no marketing, no mailings, bounced, hard bounce, hard bounced, hardbounce, hardbounced, soft bounced, soft bounce, softbounced, complained, spam complaint, abuse complaint, reported spam, marked as spam, isp complained, suppressed, blocklisted, blacklisted, deceased, no consent, consent withdrawn, pending opt in, pending optin, on hold bounce, on hold opt out, spamtrap',
  ),
);

/** Says of a subscription or an invoice that it is about money, where cheques bounce too. */
export const moneyWords: ReadonlySet<string> = new Set(
  words(
    'paid, unpaid, part paid, overdue, past due, trial, trialing, trialling, on hold, pending cancel, pending cancellation, expired, expiring, cancelled, canceled, refunded, invoiced, free, comp, gift, premium, renewed, lapsed, failed, paused, incomplete, processing, completed, cleared',
  ),
);

/** In a column about mail, these mean unsubscribed. About a paid subscription they do not. */
const cancelledWords = words('cancelled, canceled');

/**
 * How the texts of a column are understood.
 *
 * - `out`: yes is against mailing (“Unsubscribed”)
 * - `in`: no is against mailing (“Opt in”)
 * - `subscription`: neither, but every word about subscriptions counts (“Email status”)
 * - `telling`: only what is surely about mail counts (“Tags”)
 */
export const vocabularyNames = ['out', 'in', 'subscription', 'telling'] as const;
export type VocabularyName = (typeof vocabularyNames)[number];

export interface Vocabulary {
  /** Why a text is against mailing. Undefined when it is not. */
  reasonOf: (key: string) => OptOutReason | undefined;
  isMail: (key: string) => boolean;
}

const yes = new Set(yesWords);
const no = new Set(noWords);
const agreed = new Set([...yesWords, ...agreedWords]);
const refused = new Set([...noWords, ...refusedWords]);
const cancelled = new Set(cancelledWords);

const subscriptionReason = (key: string): OptOutReason | undefined =>
  outReasons.get(key) ?? (cancelled.has(key) ? 'unsubscribed' : undefined);

const fixedVocabularies: Record<Exclude<VocabularyName, 'out'>, Vocabulary> = {
  in: {
    reasonOf: (key) =>
      refused.has(key) ? 'imported' : agreed.has(key) ? undefined : subscriptionReason(key),
    isMail: (key) => agreed.has(key) || mailWords.has(key),
  },
  subscription: { reasonOf: subscriptionReason, isMail: (key) => mailWords.has(key) },
  telling: {
    reasonOf: (key) => (tellingWords.has(key) ? outReasons.get(key) : undefined),
    isMail: (key) => mailWords.has(key),
  },
};

/** `reason` is what yes means in a column about opting out. */
export function vocabularyOf(name: VocabularyName, reason: OptOutReason = 'imported'): Vocabulary {
  if (name !== 'out') return fixedVocabularies[name];
  return {
    reasonOf: (key) => outReasons.get(key) ?? (yes.has(key) ? reason : undefined),
    isMail: (key) => no.has(key) || mailWords.has(key),
  };
}
