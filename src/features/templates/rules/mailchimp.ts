import { placesIn } from './problem.ts';

/** A merge tag that has no equal here. It stays as it is, so that the writer sees it. */
export interface LeftTag {
  tag: string;
  line: number;
  /** Why, or what to do about it. */
  words: string;
}

/** A field that a merge tag became, where it stands first. */
export interface TurnedField {
  name: string;
  tag: string;
  line: number;
}

export interface FromMailchimp {
  source: string;
  /** How many tags were turned into ours. */
  turned: number;
  /** The fields that they became, each once. */
  fields: TurnedField[];
  left: LeftTag[];
}

/** Whether a text holds Mailchimp's merge tags. */
export function isFromMailchimp(source: string): boolean {
  return tagPattern.test(source);
}

const tagPattern = /\*(?:\||%7C)[A-Z][^*|\r\n]{0,120}(?:\||%7C)\*/i;

/** Fields that have another name here. Any other audience field keeps its own, in small letters. */
const fields: Record<string, string> = {
  FNAME: 'first_name',
  LNAME: 'last_name',
  NAME: 'name',
  FULLNAME: 'name',
  EMAIL: 'email',
  MC_PREVIEW_TEXT: 'preheader',
  'MC:SUBJECT': 'subject',
  'LIST:NAME': 'company_name',
  'LIST:COMPANY': 'company_name',
  'USER:COMPANY': 'company_name',
  'LIST:ADDRESS': 'company_address',
  'LIST:ADDRESSLINE': 'company_address',
  LIST_ADDRESS: 'company_address',
  'LIST:ADDRESS_HTML': 'company_address',
  LIST_ADDRESS_HTML: 'company_address',
  UNSUB: 'unsubscribe_link',
  UPDATE_PROFILE: 'preferences_link',
  ARCHIVE: 'view_in_browser_link',
};

const why: [RegExp, string][] = [
  [
    /^(FACEBOOK|TWITTER|LINKEDIN|SHARE|SOCIAL|TWITTER_PROFILE|FACEBOOK_PROFILE)/,
    'Sharing is written as an ordinary link.',
  ],
  [/^(RSS|RSSITEM|RSSFEED|FEED|FEEDBLOCK|FEEDITEM)/, 'Feeds are not read into mails.'],
  [
    /^(POLL|ENDPOLL|SURVEY|VIDEO|YOUTUBE|VIMEO|EVENT|PRODUCT|CART|PROMO_CODE|COUPON|REC|RATING)/,
    'This has no equal here.',
  ],
  [
    /^(FORWARD|ABOUT_LIST|REWARDS|REWARDS_TEXT|MC_LANGUAGE|MC_LANGUAGE_LABEL|TRANSLATE|GROUP|INTERESTED|LIST|USER|HTML|MC|CAMPAIGN_UID|UNIQID|CAMPAIGN|SALES_REP|REPEAT|GALLERY)\b/,
    'This has no equal here.',
  ],
];

/** Letters of PHP's dates, as Mailchimp takes them, and what Liquid calls them. */
const dateLetters: Record<string, string> = {
  d: '%d',
  D: '%a',
  j: '%-d',
  l: '%A',
  F: '%B',
  m: '%m',
  M: '%b',
  n: '%-m',
  Y: '%Y',
  y: '%y',
  a: '%P',
  A: '%p',
  g: '%-I',
  G: '%-k',
  h: '%I',
  H: '%H',
  i: '%M',
  s: '%S',
  S: '',
};

const cases: Record<string, string> = {
  UPPER: 'upcase',
  LOWER: 'downcase',
  TITLE: 'capitalize',
  URL: 'url_encode',
};

/** A merge tag where it stands, and what becomes of it. */
interface FoundTag {
  tag: string;
  whole: string;
  at: number;
  /** Liquid, or why the tag stays. */
  turned: string | { words: string };
}

/** What has begun and not ended yet: a condition with its branches, or what stays as it is. */
interface Opened {
  kind: string;
  isLeft: boolean;
  tags: FoundTag[];
}

/** Turns Mailchimp's merge tags and conditions into Liquid. */
export function fromMailchimp(given: string): FromMailchimp {
  // In exports, links to its own pages stand behind a scheme, and bars are written for an address.
  const source = given
    .replace(/\*%7C([A-Z][\w:%-]{0,60}?)%7C\*/gi, (_, tag: string) => `*|${tag}|*`)
    .replace(/https?:\/\/(\*\|(?:UNSUB|ARCHIVE|UPDATE_PROFILE|FORWARD)\|\*)/gi, '$1');
  const found = tagsIn(source);
  const result: FromMailchimp = { source: '', turned: 0, fields: [], left: [] };
  const names = new Set<string>();
  const placeOf = placesIn(source);
  let end = 0;
  for (const { whole, at, turned, ...one } of found) {
    const tag = `*|${one.tag}|*`;
    const { line } = placeOf(at);
    result.source += source.slice(end, at) + (typeof turned === 'string' ? turned : whole);
    end = at + whole.length;
    if (typeof turned !== 'string') {
      result.left.push({ tag, line, words: turned.words });
      continue;
    }
    result.turned++;
    const name = fieldIn(turned);
    if (name && !names.has(name)) result.fields.push({ name, tag, line });
    if (name) names.add(name);
  }
  result.source += source.slice(end);
  return result;
}

function tagsIn(source: string): FoundTag[] {
  const open: Opened[] = [];
  const found: FoundTag[] = [];
  // A condition may stand in a comment of its own.
  for (const match of source.matchAll(
    /<!--\s*\*\|([^*|\r\n]{1,120})\|\*\s*-->|\*\|([^*|\r\n]{1,120})\|\*/g,
  )) {
    const one: FoundTag = {
      tag: (match[1] ?? match[2] ?? '').trim(),
      whole: match[0],
      at: match.index,
      turned: '',
    };
    one.turned = turn(one, open);
    found.push(one);
  }
  leave(open);
  return found;
}

/** Conditions without an end would keep the whole template from being filled. */
function leave(open: readonly Opened[]): void {
  for (const { tags } of open)
    for (const one of tags)
      if (typeof one.turned === 'string') one.turned = { words: 'Nothing ends this condition.' };
}

/** The field that a piece of Liquid shows or asks about, as it is made here. */
const fieldIn = (liquid: string): string | undefined =>
  /^\{(?:\{|% (?:els)?if(?: not)?) ([a-z]\w*)/.exec(liquid)?.[1];

/** What has an end, and no equal here. */
const blocksWithoutEqual = /^(INTERESTED|RSSITEMS|FEEDITEMS|FEEDBLOCK|POLL)(?::|$)/;

function turn(found: FoundTag, open: Opened[]): FoundTag['turned'] {
  const { tag } = found;
  const name = tag.toUpperCase();
  const [, word = '', rest = ''] = /^(IF|IFNOT|ELSEIF|ELSE|END)(?::(.*))?$/is.exec(tag) ?? [];
  if (word) return condition(word.toUpperCase(), rest.trim(), found, open);
  const kind = blocksWithoutEqual.exec(name)?.[1];
  if (kind) open.push({ kind, isLeft: true, tags: [] });
  if (fields[name]) return `{{ ${fields[name]} }}`;
  if (name === 'CURRENT_YEAR') return `{{ "now" | date: "%Y" }}`;
  const date = /^DATE(?::(.*))?$/i.exec(tag);
  if (date) return dateOf(date[1]);
  const [, filter = '', field = ''] = /^(UPPER|LOWER|TITLE|URL|HTML|PLAIN):(\w+)$/.exec(name) ?? [];
  if (filter && (fields[field] || /^\w{1,10}$/.test(field))) {
    const change = cases[filter];
    return `{{ ${fieldNamed(field)}${change ? ` | ${change}` : ''} }}`;
  }
  const known = why.find(([pattern]) => pattern.test(name));
  if (known) return { words: known[1] };
  // Audience fields have at most ten letters and digits.
  return /^[A-Z]\w{0,9}$/.test(name) ? `{{ ${fieldNamed(name)} }}` : { words: 'This is not known here.' };
}

function fieldNamed(name: string): string {
  return fields[name] ?? name.toLowerCase();
}

function dateOf(format = 'j/n/Y'): string {
  const liquid = [...format.replace(/["'{}%\\]/g, '')]
    .map((letter) => dateLetters[letter] ?? letter)
    .join('');
  return `{{ "now" | date: "${liquid}" }}`;
}

const withoutBegin = { words: 'No condition begins before it.' };
const beginStays = { words: 'The tag that it belongs to stays as it is.' };

function condition(word: string, rest: string, found: FoundTag, open: Opened[]): FoundTag['turned'] {
  if (word === 'END') return ended(rest, open);
  const last = open.at(-1);
  if (word === 'ELSE' || word === 'ELSEIF') {
    if (!last) return withoutBegin;
    if (last.isLeft) return beginStays;
    last.tags.push(found);
  }
  if (word === 'ELSE') return '{% else %}';
  const [, name = '', operator = '', value = ''] =
    /^([A-Z]\w*)\s*(?:(=|!=|<=?|>=?)\s*(.*))?$/is.exec(rest) ?? [];
  if (!name) {
    if (word !== 'ELSEIF') open.push({ kind: 'IF', isLeft: true, tags: [] });
    return { words: 'This condition cannot be read.' };
  }
  const field = fieldNamed(name.toUpperCase());
  const test = operator
    ? comparison(field, operator, value)
    : `${field} ${word === 'IFNOT' ? '==' : '!='} blank`;
  if (word === 'ELSEIF') return `{% elsif ${test} %}`;
  open.push({ kind: 'IF', isLeft: false, tags: [found] });
  return operator && word === 'IFNOT' ? `{% if not ${test} %}` : `{% if ${test} %}`;
}

/** An end names what it ends. What began after that has no end of its own. */
function ended(rest: string, open: Opened[]): FoundTag['turned'] {
  const kind = blocksWithoutEqual.exec(rest.toUpperCase())?.[1] ?? 'IF';
  const at = open.findLastIndex((one) => one.kind === kind);
  if (at < 0) return withoutBegin;
  const [begin, ...unended] = open.splice(at);
  leave(unended);
  return begin?.isLeft ? beginStays : '{% endif %}';
}

function comparison(field: string, operator: string, value: string): string {
  const text = value
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .replace(/["{}%\\]/g, '');
  const literal = /^-?\d+(\.\d+)?$/.test(text) && /[<>]/.test(operator) ? text : `"${text}"`;
  return `${field} ${operator === '=' ? '==' : operator} ${literal}`;
}
