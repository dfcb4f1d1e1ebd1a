import { getDomain, parse } from 'tldts';
import { longestPreheader } from '#features/templates/rules/document/schema.ts';
import { masked, spansOf } from '#features/templates/rules/liquid/spans.ts';
import { shouting } from '#features/templates/rules/warnings.ts';
import { readMessage, type SeenMessage } from './message-reader.ts';

/** Something that spam does, so that filters count it against whoever does it too. */
export interface SpamHabit {
  rule: string;
  part: 'subject' | 'html';
  /** What was found, and why filters mind. */
  words: string;
}

interface Message extends SeenMessage {
  subject: string;
  bytes: number;
}

interface Rule {
  rule: string;
  part: SpamHabit['part'];
  /** What was found. Null: nothing. */
  find: (message: Message) => string | null;
  why: string;
}

const shorteners = new Set(
  (
    'bit.ly tinyurl.com goo.gl t.co ow.ly is.gd buff.ly rebrand.ly cutt.ly shorturl.at rb.gy t.ly tiny.cc ' +
    'bl.ink v.gd soo.gd adf.ly shorte.st'
  ).split(' '),
);

/** A hidden line for the inbox is no habit of spam, as long as an own preheader may be. */
const mostHidden = longestPreheader;
const leastLetters = 60;
const leastPerImage = 150;
const mostBytes = 256 * 1024;

const phrases =
  /\b(act now|click here now|limited time only|while stocks last|last chance|urgent(?:ly)?|100% free|risk[- ]free|no obligation|guaranteed|earn money|extra income|cash bonus|double your|you(?:’|')?(?:ve| have) won|winner|free money|cheap(?:est)? price|lowest price|once in a lifetime|don(?:’|')t delete|this is not spam)\b/iu;

const rules: readonly Rule[] = [
  {
    ...{ rule: 'shouting', part: 'subject', why: '' },
    find: ({ subject }) => shouting(subject)[0]?.words ?? null,
  },
  {
    ...{ rule: 'false_reply', part: 'subject' },
    find: ({ subject }) => found(/^\s*(?:re|fwd?|aw)\s*:/iu.exec(subject)?.[0], 'The subject begins with'),
    why: 'Nobody has written before, and readers feel deceived.',
  },
  {
    ...{ rule: 'pressing_subject', part: 'subject' },
    find: ({ subject }) => found(phrases.exec(subject)?.[0], 'The subject says'),
    why: 'Filters know such words from spam. Say what is in the message.',
  },
  {
    ...{ rule: 'pressing_words', part: 'html' },
    find: ({ words }) => found(phrases.exec(words)?.[0], 'The message says'),
    why: 'One such phrase does little. Together with others it counts.',
  },
  {
    ...{ rule: 'link_shortener', part: 'html' },
    find: ({ links }) =>
      found(
        hostsOf(links).find((host) => shorteners.has(host)),
        'A link leads over',
      ),
    why: 'Filters block shorteners, since spam hides its targets behind them. Link to the page itself.',
  },
  {
    ...{ rule: 'other_target', part: 'html' },
    find: ({ links }) =>
      found(links.map(misnamed).find((one) => one !== null) ?? undefined, 'A link is called'),
    why: 'Phishing does that, and mail programs warn of it.',
  },
  {
    ...{ rule: 'ip_link', part: 'html' },
    find: ({ links }) =>
      found(
        hostsOf(links).find((host) => /^(?:\d+\.){3}\d+$|^\[/u.test(host)),
        'A link leads to the number',
      ),
    why: 'Businesses have names. Filters take a bare address for a hijacked machine.',
  },
  {
    ...{ rule: 'image_only', part: 'html' },
    find: ({ images, words }) =>
      images > 0 && lettersIn(words) < leastLetters ? 'The message is pictures almost alone.' : null,
    why: 'Filters cannot read them, and many readers see none until they ask for them. Write it as text.',
  },
  {
    ...{ rule: 'little_text', part: 'html' },
    find: ({ images, words }) =>
      images > 1 && lettersIn(words) >= leastLetters && lettersIn(words) / images < leastPerImage
        ? `There are ${images} pictures and little text.`
        : null,
    why: 'Filters compare the two. Say more in words.',
  },
  {
    ...{ rule: 'hidden_text', part: 'html' },
    find: ({ hidden }) =>
      lettersIn(hidden) > mostHidden ? `${lettersIn(hidden)} letters are there that nobody sees.` : null,
    why: 'Spam hides words to look harmless.',
  },
  {
    ...{ rule: 'huge_html', part: 'html' },
    find: ({ bytes }) => (bytes > mostBytes ? `The HTML has ${Math.round(bytes / 1024)} kB.` : null),
    why: 'Filters give up on such messages, and some refuse them. Word processors write such HTML.',
  },
];

/** What in a subject and its HTML looks like spam, as they are written. */
export function spamHabits({ subject, html }: { subject: string; html: string }): SpamHabit[] {
  const message: Message = {
    ...readMessage(html),
    subject: masked(subject, spansOf(subject).spans).replace(/\uE000+/gu, ' '),
    bytes: new TextEncoder().encode(html).length,
  };
  return rules.flatMap(({ rule, part, find, why }) => {
    const words = find(message);
    return words === null ? [] : [{ rule, part, words: `${words} ${why}`.trim() }];
  });
}

const found = (what: string | undefined, says: string): string | null =>
  what === undefined ? null : `${says} “${what.trim()}”.`;

const lettersIn = (text: string): number => text.replace(/[^\p{L}\p{N}]/gu, '').length;

const hostsOf = (links: SeenMessage['links']): string[] => links.flatMap(({ href }) => hostOf(href) ?? []);

function hostOf(href: string): string | null {
  return URL.canParse(href) ? new URL(href).hostname.replace(/^www\./u, '') : null;
}

/** A text that names a site. Others say what is there. */
const site = /^(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?:[/?#]\S*)?$/iu;

/** What a link is called and where it leads, if those are two sites. Null: they are not. */
function misnamed({ href, words }: SeenMessage['links'][number]): string | null {
  const named = site.exec(words.trim())?.[1];
  const host = hostOf(href);
  if (named === undefined || host === null) return null;
  const { domain, isIcann } = parse(named);
  // A word with a dot in it, such as the name of a file, names no site.
  if (domain === null || !isIcann || domain === getDomain(host)) return null;
  return `${named}” and leads to “${host}`;
}
